#include "core/analysis/fusion/FusionReport.h"
#include "core/dialects/decoders/InductorOps.h"
#include "core/support/Units.h"
#include "core/text/PlaceList.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <set>

namespace fuselage {

static std::string formatBytes(int64_t bytes) { return bytes < 0 ? "?" : decimalBytesText(static_cast<double>(bytes)); }

static std::string formatNumber(double value, const char *suffix = "") {
  return value < 0 ? "?" : llvm::formatv("{0:f1}{1}", value, suffix).str();
}

/// "12 %scores linalg.batch_matmul (line 60)".
static std::string formatEnd(OpId id, const std::string &name, const std::string &op, const std::string &loc) {
  auto [rest, column] = llvm::StringRef(loc).rsplit(':');
  llvm::StringRef line = rest.rsplit(':').second;
  return std::to_string(id) + " " + name + (name.empty() ? "" : " ") + op +
         (line.empty() ? "" : " (line " + line.str() + ")");
}

using Row = std::vector<std::string>;

/// A row of the table: an edge for itself, or with those of its group.
struct EdgeRow {
  const FusionEdgeReport *edge = nullptr;
  size_t count = 1;
  std::string layers{}; ///< in few words
  int64_t bytes = -1;
  double microseconds = -1, share = -1;
};

static std::string wordsOf(message::FusionState state) { return message::fusionStateWords[static_cast<size_t>(state)]; }

/// "4 can be fused, 2 tried without success", of the missed ones.
static std::string countStates(const FusionTotals &counts) {
  using enum message::FusionState;
  std::vector<std::string> parts;
  for (auto [state, count] : {std::pair(Possible, counts.canBeFused), std::pair(Tried, counts.triedWithoutSuccess),
                              std::pair(NotTried, counts.notTried), std::pair(Impossible, counts.cannotBeFused)})
    if (count > 0)
      parts.push_back(std::to_string(count) + " " + wordsOf(state));
  return llvm::join(parts, ", ");
}

static Row cellsOf(const EdgeRow &row) {
  const FusionEdgeReport &edge = *row.edge;
  std::string reason;
  if (!edge.reasons.empty())
    reason = edge.reasons.front().code + (edge.reasons.front().kind.empty() ? "" : "/" + edge.reasons.front().kind);
  bool isSeparate = edge.verdict == Verdict::Separate;
  return {isSeparate ? formatBytes(row.bytes) : "",
          isSeparate ? formatNumber(row.microseconds) : "",
          isSeparate ? formatNumber(row.share < 0 ? -1 : 100 * row.share, " %") : "",
          row.count > 1 ? "x" + std::to_string(row.count) : "",
          row.count > 1 && isSeparate ? formatBytes(edge.bytes) : "",
          row.count > 1 && isSeparate ? formatNumber(edge.microseconds) : "",
          formatEnd(edge.from, edge.fromName, edge.fromOp, edge.fromLoc),
          formatEnd(edge.to, edge.toName, edge.toOp, edge.toLoc),
          std::to_string(edge.operand),
          edge.missed ? wordsOf(edge.state) : verdictName(edge.verdict).str(),
          reason,
          llvm::join(edge.unlocks, ", "),
          row.layers};
}

/// Columns as wide as they need to be, without empty ones; the first `numbers` hold numbers, and the last may be long.
static void appendTable(std::string &text, const std::vector<Row> &rows, size_t numbers) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row &row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  for (const Row &row : rows) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column) {
      if (widths[column] == 0)
        continue;
      std::string padding(widths[column] - row[column].size(), ' ');
      line += (column == 0 ? "" : "  ") + (column < numbers ? padding + row[column] : row[column] + padding);
    }
    text += llvm::StringRef(line).rtrim().str() + "\n";
  }
}

/// Of two dispatches that were formed before: through which maps the value goes from one to the
/// other.
static std::string mapsOf(const FusionEdgeReport &edge, const FusionReasonReport &reason) {
  if (reason.code != "IN_OTHER_DISPATCH" || reason.evidence.consumerMap.empty())
    return "";
  return llvm::formatv(" ({0} to {1}: {2})", edge.from, edge.to, reason.detail).str();
}

/// The reasons that decide, how often, and what they mean: once, below the table.
static void appendLegend(std::string &text, const std::vector<EdgeRow> &rows) {
  std::vector<std::pair<std::string, std::string>> seen;
  for (const EdgeRow &row : rows)
    if (const FusionEdgeReport *edge = row.edge; !edge->reasons.empty()) {
      const FusionReasonReport &reason = edge->reasons.front();
      bool hasKind = !reason.kind.empty();
      std::string code = hasKind ? reason.code + "/" + reason.kind : reason.code;
      if (llvm::none_of(seen, [&](const auto &known) { return known.first == code; }))
        seen.push_back({code, hasKind ? reason.detail : reason.sentence + mapsOf(*edge, reason)});
    }
  llvm::sort(seen);
  if (!seen.empty())
    text += "\n";
  for (const auto &[code, sentence] : seen)
    text += code + ": " + sentence + ".\n";
}

/// Collectives between two ops, each once: who takes part, and past which ops they may be moved.
static void appendCollectives(std::string &text, const std::vector<EdgeRow> &rows) {
  std::set<int64_t> seen;
  for (const EdgeRow &row : rows) {
    const FusionReasonReport *reason = row.edge->reasons.empty() ? nullptr : &row.edge->reasons.front();
    if (!reason || reason->code != "COLLECTIVE_BETWEEN" || !seen.insert(reason->evidence.culprit).second)
      continue;
    text += (seen.size() == 1 ? "\nCollectives:\n  " : "  ") + std::to_string(reason->evidence.culprit) + " " +
            reason->detail + ".\n";
    for (const message::FusionMove<> &move : reason->evidence.moves)
      if (move.isAllowed && move.bytes > 0)
        text += "    the move saves " + formatBytes(move.bytes) + " through memory once " +
                std::to_string(move.producer) + " and " + std::to_string(move.consumer) + " are fused\n";
  }
}

/// "vit.mlir": where the lines of the table are.
static std::string fileOf(const std::vector<EdgeRow> &rows) {
  for (const EdgeRow &row : rows)
    if (llvm::StringRef path = llvm::StringRef(row.edge->toLoc).rsplit(':').first.rsplit(':').first; !path.empty())
      return path.rsplit('/').second.empty() ? path.str() : path.rsplit('/').second.str();
  return "";
}

static std::vector<EdgeRow> rowsOfEdges(const FusionReport &report) {
  std::vector<EdgeRow> rows;
  for (const FusionEdgeReport &edge : report.edges)
    rows.push_back({.edge = &edge, .bytes = edge.bytes, .microseconds = edge.microseconds, .share = edge.share});
  auto rank = [](const EdgeRow &row) { return costRank(*row.edge, row.bytes); };
  llvm::stable_sort(rows, [&](const EdgeRow &a, const EdgeRow &b) { return rank(a) > rank(b); });
  return rows;
}

static std::vector<EdgeRow> rowsOfGroups(const FusionReport &report) {
  std::vector<EdgeRow> rows;
  for (const FusionGroupReport &group : report.groups)
    rows.push_back({.edge = &report.edges[group.edges.front()],
                    .count = group.edges.size(),
                    .layers = placeList(group.layers, 6),
                    .bytes = group.bytes,
                    .microseconds = group.microseconds,
                    .share = group.share});
  return rows;
}

/// Edges between kernels of another compiler, with what it said of them; nothing if there are none.
static std::string formatDecidedElsewhere(const FusionReport &report) {
  std::string text;
  for (const FusionEdgeReport &edge : report.edges) {
    if (edge.reasons.empty() || !llvm::StringRef(edge.reasons.front().detail).starts_with(kDecidedByInductor))
      continue;
    text += llvm::formatv("  {0} -> {1}: {2}\n", edge.fromName, edge.toName, edge.reasons.front().detail).str();
  }
  return text.empty() ? text : "\nbetween its kernels:\n" + text;
}

/// The other compiler that made the dispatches; empty: none did.
static std::string otherCompiler(const FusionReport &report) {
  for (const FusionEdgeReport &edge : report.edges) {
    llvm::StringRef from = edge.fromOp, to = edge.toOp;
    if (from.starts_with("hlo."))
      return "XLA";
    if (to.starts_with("aten.") || to.starts_with("prims."))
      return "TorchInductor";
  }
  return "";
}

static std::string formatEdges(const FusionReport &report, FusionTextOptions options) {
  const FusionTotals &counts = report.totals;
  const std::string compiler = otherCompiler(report);
  std::string text =
      llvm::formatv("{0}: {1} dispatch{7}; {2} edge{8}: {3} fused into an op, {4} in the same dispatch, {5} cloned, "
                    "{6} separate",
                    compiler.empty() ? "policy " + report.policy : "as " + compiler + " left it", counts.dispatches,
                    counts.edges, counts.fusedIntoOp, counts.sameDispatch, counts.cloned, counts.separate,
                    counts.dispatches == 1 ? "" : "es", counts.edges == 1 ? "" : "s")
          .str();
  int64_t decided = llvm::count_if(report.edges, [](const FusionEdgeReport &edge) {
    return edge.verdict == Verdict::Separate && !edge.missed && edge.bytes != 0;
  });
  int64_t free = counts.separate - counts.missed - decided;
  if (free + decided > 0)
    text += llvm::formatv(" ({0} missed", counts.missed);
  if (decided > 0)
    text +=
        llvm::formatv("; {0} decided {1}", decided, compiler.empty() ? "in step Form dispatches" : "by " + compiler);
  if (free > 0)
    text += llvm::formatv("; {0} move{1} no bytes", free, free == 1 ? "s" : "");
  if (free + decided > 0)
    text += ")";
  if (counts.missed > 0)
    text += llvm::formatv("\nof the {0} missed: {1}", counts.missed, countStates(counts)).str();
  text += "\n";
  const char *most = counts.bytesAtMost ? "at most " : "";
  // Without a verdict on anything, as on buffers, nothing is known of what fusing would save.
  if (report.edges.empty() || !compiler.empty())
    return text + llvm::formatv("the dispatches move {0}{1}\n", most, formatBytes(counts.bytes)).str();
  if (counts.missedBytes < 0 && counts.bytes >= 0)
    text += llvm::formatv(
        "the dispatches move {0}{1}; what fusing would save in all is not known: edges lie between ops of no "
        "dispatch\n",
        most, formatBytes(counts.bytes));
  else
    text +=
        counts.missedBytes < 0
            ? "what the dispatches move, and what fusing would save, is not known: sizes are dynamic\n"
            : llvm::formatv("the dispatches move {5}{0}; by prediction, fusing all that is separate would save at most "
                            "{1}, about {2} us at {3} GB/s ({4})\n",
                            formatBytes(counts.bytes), formatBytes(counts.missedBytes),
                            formatNumber(counts.missedMicroseconds), formatNumber(report.gbps), report.gbpsSource, most)
                  .str();
  if (!report.unproven.empty())
    text += llvm::formatv("unlocks were not tried in {0} function{1}, for their size: 'fuselage explain --prove' tries "
                          "them all, 'fuselage fuse --edge' those of an edge\n",
                          report.unproven.size(), report.unproven.size() == 1 ? "" : "s")
                .str();
  std::vector<EdgeRow> edges = options.flat ? rowsOfEdges(report) : rowsOfGroups(report);
  llvm::erase_if(edges, [&](const EdgeRow &row) { return !options.all && !row.edge->missed; });
  if (edges.empty())
    return text;
  bool anyGroup = llvm::any_of(edges, [](const EdgeRow &row) { return row.count > 1; });
  std::vector<Row> rows{
      {"saves", "us", "share", "", "", "", "from", "to", "operand", "verdict", "reason", "unlocked by", ""}};
  if (anyGroup) {
    rows.front()[3] = "times";
    rows.front()[4] = "each";
    rows.front()[5] = "us each";
  }
  if (llvm::any_of(edges, [](const EdgeRow &row) { return !row.layers.empty(); }))
    rows.front().back() = "in";
  for (const EdgeRow &row : edges)
    rows.push_back(cellsOf(row));
  text += "\n";
  appendTable(text, rows, 6);
  if (anyGroup)
    text += "\nA row with a count stands for as many edges that are the same but for where they are. It names the "
            "first, and says what all of them save, and what each saves. --flat lists each.\n";
  text +=
      "What an edge saves is the value's own way through memory, once the dispatches at both ends are one. Where an op "
      "joins another dispatch alone, its inputs take that way instead: 'fuse --edge' counts all.\n";
  appendLegend(text, edges);
  appendCollectives(text, edges);
  if (std::string file = fileOf(edges); !file.empty())
    text += "Lines are those of " + file + " as it is written.\n";
  return text;
}

/// A row a pair of loop nests, and what keeps them apart.
static std::string formatLoops(const FusionReport &report) {
  if (report.loops.empty())
    return "";
  std::vector<Row> rows{{"loops", "of", "into", "buffer", "kind", "fusable", "why"}};
  for (const message::LoopFusion<> &pair : report.loops)
    rows.push_back({"@" + pair.function, "line " + std::to_string(pair.fromLine), "line " + std::to_string(pair.toLine),
                    llvm::join(pair.buffers, ", "), pair.kind, pair.depth > 0 ? "yes" : "no", pair.reason});
  std::string text = "\n";
  appendTable(text, rows, 3);
  return text;
}

std::string formatFusionReport(const FusionReport &report, FusionTextOptions options) {
  return formatEdges(report, options) + formatDecidedElsewhere(report) + formatLoops(report);
}

} // namespace fuselage
