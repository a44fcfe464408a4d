#include "app/cli/mcp/McpReports.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static const Array &arrayIn(const Object &object, StringRef name) {
  static const Array none;
  const Array *array = object.getArray(name);
  return array ? *array : none;
}

static const Object &objectOf(const Value &value) {
  static const Object none;
  const Object *object = value.getAsObject();
  return object ? *object : none;
}

static std::string textsIn(const Object &object, StringRef name) {
  std::string texts;
  for (const Value &text : arrayIn(object, name))
    texts += (texts.empty() ? "" : ", ") + text.getAsString().value_or("").str();
  return texts;
}

static std::string bytesText(const Object &object, StringRef name) {
  std::optional<int64_t> bytes = object.getInteger(name);
  return bytes ? std::to_string(*bytes) + " bytes" : "an unknown number of bytes";
}

std::string totalsText(const Value &report) {
  const Object *totals = objectOf(report).getObject("totals");
  if (!totals)
    return "nothing is known of its dispatches";
  bool atMost = totals->getBoolean("bytes_at_most").value_or(false);
  return llvm::formatv("{0} dispatches; {1} edges, {2} of them missed; {3}{4} through memory, predicted",
                       totals->getInteger("dispatches").value_or(0), totals->getInteger("edges").value_or(0),
                       totals->getInteger("missed").value_or(0), atMost ? "at most " : "", bytesText(*totals, "bytes"));
}

std::string dispatchesText(const Value &report) {
  std::string text;
  for (auto [number, entry] : llvm::enumerate(arrayIn(objectOf(report), "dispatches"))) {
    const Object &dispatch = objectOf(entry);
    text += llvm::formatv("dispatch {0}: {1}, {2}, {3} ops, {4}{5}, in @{6}\n", number,
                          dispatch.getString("name").value_or(""), dispatch.getString("kind").value_or(""),
                          arrayIn(dispatch, "ops").size(),
                          dispatch.getBoolean("bytes_at_most").value_or(false) ? "at most " : "",
                          bytesText(dispatch, "bytes"), dispatch.getString("function").value_or(""));
  }
  return text;
}

static std::string idOf(const Object &edge) {
  return llvm::formatv("{0}:{1}:{2}", edge.getInteger("from").value_or(-1), edge.getInteger("to").value_or(-1),
                       edge.getInteger("operand").value_or(0));
}

static std::string endsOf(const Object &edge) {
  return llvm::formatv("{0} {1} -> {2}", edge.getString("from_name").value_or(""),
                       edge.getString("from_op").value_or(""), edge.getString("to_op").value_or(""));
}

std::string missedText(const Value &report) {
  const Array &edges = arrayIn(objectOf(report), "edges");
  std::string text;
  for (const Value &entry : arrayIn(objectOf(report), "groups")) {
    const Object &group = objectOf(entry);
    const Array &members = arrayIn(group, "edges");
    size_t first = members.empty() ? edges.size() : members.front().getAsInteger().value_or(edges.size());
    if (first >= edges.size())
      continue;
    const Object &edge = objectOf(edges[first]);
    if (!edge.getBoolean("missed").value_or(false))
      continue;
    StringRef state = edge.getString("state").value_or("");
    std::string words = state.str();
    std::replace(words.begin(), words.end(), '_', ' ');
    std::string unlocks = textsIn(edge, "unlocks");
    text += llvm::formatv("edge {0}{1}: {2}: {3}{4}; reasons: {5}; fusing saves at most {6}\n", idOf(edge),
                          members.size() > 1 ? " (x" + std::to_string(members.size()) + ")" : std::string(),
                          endsOf(edge), words, unlocks.empty() ? "" : " by " + unlocks, textsIn(edge, "reasons"),
                          bytesText(group, "bytes"));
  }
  return text.empty() ? "no fusion is missed\n" : text;
}

static std::string describe(const Object &edge) {
  std::string text =
      llvm::formatv("edge {0}: {1}\n  at {2}, read at {3}\n  verdict {4}, {5}\n", idOf(edge), endsOf(edge),
                    edge.getString("from_loc").value_or(""), edge.getString("to_loc").value_or(""),
                    edge.getString("verdict").value_or(""), edge.getString("state").value_or(""));
  text += "  fusing saves at most " + bytesText(edge, "bytes") + "\n";
  for (const Value &entry : arrayIn(edge, "details")) {
    const Object &reason = objectOf(entry);
    text += llvm::formatv("  {0}: {1} {2}\n", reason.getString("code").value_or(""),
                          reason.getString("sentence").value_or(""), reason.getString("detail").value_or(""));
    if (const Object *evidence = reason.getObject("evidence"); evidence && !evidence->empty())
      text += llvm::formatv("    evidence: {0}\n", Value(Object(*evidence)));
  }
  if (std::string unlocks = textsIn(edge, "unlocks"); !unlocks.empty())
    text += "  each of these alone fuses it: " + unlocks + "\n";
  if (std::string tried = textsIn(edge, "tried"); !tried.empty())
    text += "  tried without success: " + tried + "\n";
  return text;
}

llvm::Expected<std::string> edgeText(const Value &report, StringRef wanted) {
  std::string text;
  for (const Value &entry : arrayIn(objectOf(report), "edges")) {
    const Object &edge = objectOf(entry);
    std::string id = idOf(edge);
    if (id == wanted || StringRef(id).starts_with((wanted + ":").str()))
      text += describe(edge);
  }
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
