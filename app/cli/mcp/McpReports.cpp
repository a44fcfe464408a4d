#include "app/cli/mcp/McpReports.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

using llvm::StringRef;
using Report = message::FusionReport<>;
using Edge = message::FusionEdge<>;

static std::string bytesText(int64_t bytes) {
  return bytes < 0 ? "an unknown number of bytes" : std::to_string(bytes) + " bytes";
}

std::string totalsText(const Report &report) {
  const auto &totals = report.totals;
  return llvm::formatv("{0} dispatches; {1} edges, {2} of them missed; {3}{4} through memory, predicted",
                       totals.dispatches, totals.edges, totals.missed, totals.bytesAtMost ? "at most " : "",
                       bytesText(totals.bytes));
}

std::string dispatchesText(const Report &report) {
  std::string text;
  for (auto [number, dispatch] : llvm::enumerate(report.dispatches))
    text += llvm::formatv("dispatch {0}: {1}, {2}, {3} ops, {4}{5}, in @{6}\n", number, dispatch.name, dispatch.kind,
                          dispatch.ops.size(), dispatch.bytesAtMost ? "at most " : "", bytesText(dispatch.bytes),
                          dispatch.function);
  return text;
}

static std::string idOf(const Edge &edge) { return llvm::formatv("{0}:{1}:{2}", edge.from, edge.to, edge.operand); }

static std::string endsOf(const Edge &edge) {
  return llvm::formatv("{0} {1} -> {2}", edge.fromName, edge.fromOp, edge.toOp);
}

std::string missedText(const Report &report) {
  std::string text;
  for (const message::FusionGroup<> &group : report.groups) {
    if (group.edges.empty() || size_t(group.edges.front()) >= report.edges.size())
      continue;
    const Edge &edge = report.edges[group.edges.front()];
    if (!edge.missed)
      continue;
    std::string reasons =
        llvm::join(llvm::map_range(edge.reasons, [](const auto &reason) { return reason.code; }), ", ");
    text += llvm::formatv("edge {0}{1}: {2}: {3}{4}; reasons: {5}; fusing saves at most {6}\n", idOf(edge),
                          group.edges.size() > 1 ? " (x" + std::to_string(group.edges.size()) + ")" : std::string(),
                          endsOf(edge), message::fusionStateWords[size_t(edge.state)],
                          edge.unlocks.empty() ? "" : " by " + llvm::join(edge.unlocks, ", "), reasons,
                          bytesText(group.bytes));
  }
  return text.empty() ? "no fusion is missed\n" : text;
}

static std::string describe(const Edge &edge) {
  std::string text = llvm::formatv(
      "edge {0}: {1}\n  at {2}, read at {3}\n  verdict {4}, {5}\n", idOf(edge), endsOf(edge), edge.fromLoc, edge.toLoc,
      message::fusionVerdictNames[size_t(edge.verdict)], message::fusionStateNames[size_t(edge.state)]);
  text += "  fusing saves at most " + bytesText(edge.bytes) + "\n";
  for (const message::FusionReason<> &reason : edge.reasons) {
    text += llvm::formatv("  {0}: {1} {2}\n", reason.code, reason.sentence, reason.detail);
    if (llvm::json::Object evidence = message::encode(reason.evidence); !evidence.empty())
      text += llvm::formatv("    evidence: {0}\n", llvm::json::Value(std::move(evidence)));
  }
  if (!edge.unlocks.empty())
    text += "  each of these alone fuses it: " + llvm::join(edge.unlocks, ", ") + "\n";
  if (!edge.tried.empty())
    text += "  tried without success: " + llvm::join(edge.tried, ", ") + "\n";
  return text;
}

llvm::Expected<std::string> edgeText(const Report &report, StringRef wanted) {
  std::string text;
  for (const Edge &edge : report.edges)
    if (std::string id = idOf(edge); id == wanted || StringRef(id).starts_with((wanted + ":").str()))
      text += describe(edge);
  if (text.empty())
    return fail("there is no edge '" + wanted.str() + "'; missed_fusions numbers them, as 12:15:0");
  return text;
}

std::string diffText(StringRef before, StringRef after) {
  constexpr size_t around = 2;
  llvm::SmallVector<StringRef> left, right;
  before.split(left, '\n');
  after.split(right, '\n');
  TextDiff diff = diffTexts(before, after);
  std::vector<bool> isShown(diff.rows.size());
  for (size_t row = 0; row < diff.rows.size(); ++row)
    if (diff.rows[row].kind != DiffRow::Kind::Same)
      for (size_t near = row - std::min(row, around); near <= std::min(row + around, diff.rows.size() - 1); ++near)
        isShown[near] = true;
  std::string text =
      llvm::formatv("{0} lines added, {1} removed, {2} changed\n", diff.added, diff.removed, diff.changed);
  for (size_t row = 0; row < diff.rows.size(); ++row) {
    if (!isShown[row])
      continue;
    if (row == 0 || !isShown[row - 1])
      text += "..\n";
    const DiffRow &shown = diff.rows[row];
    bool isSame = shown.kind == DiffRow::Kind::Same;
    if (shown.left >= 0)
      text += (isSame ? "  " : "- ") + left[shown.left].str() + "\n";
    if (shown.right >= 0 && !isSame)
      text += "+ " + right[shown.right].str() + "\n";
  }
  return text;
}

} // namespace fuselage::cli
