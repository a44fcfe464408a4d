#include "core/lsp/facts/ReadFacts.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/lsp/facts/ScheduleFacts.h"
#include "core/schedules/forms/NormalForm.h"
#include "core/schedules/report/FormReport.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

namespace fuselage::lsp {

using llvm::StringRef;

/// The place that "file:line:col" names, from 0, if it is in that file.
static std::pair<int, int> placeIn(StringRef path, StringRef place) {
  int line = 0, column = 0;
  if (!place.consume_front(path) || !place.consume_front(":") || place.consumeInteger(10, line) ||
      !place.consume_front(":") || place.consumeInteger(10, column))
    return {-1, -1};
  return {line - 1, column - 1};
}

static message::Diagnostic<> messageOf(const Diagnostic &diagnostic) {
  message::Diagnostic<> said;
  said.severity = severityName(diagnostic.severity).str();
  said.message = diagnostic.message;
  said.file = diagnostic.file;
  said.line = static_cast<int>(diagnostic.line);
  said.column = static_cast<int>(diagnostic.column);
  for (const Diagnostic &note : diagnostic.notes)
    said.notes.push_back(messageOf(note));
  return said;
}

/// "'vendor.op' cannot be read and is kept as text": no fault of the text, unless the dialect is one of those here.
static bool isOfUnknownDialect(const Diagnostic &diagnostic, mlir::MLIRContext &context) {
  StringRef message = diagnostic.message;
  if (!message.consume_front("'") || !message.contains("is kept as text"))
    return false;
  return !llvm::is_contained(context.getAvailableDialects(), message.split('.').first);
}

namespace {

class FactsBuilder {
public:
  FactsBuilder(StringRef path, DocumentFacts &facts) : path_(path), facts_(facts) {}

  void add(const Graph &graph) {
    for (const FunctionGraph &function : graph.functions)
      add(function);
    llvm::stable_sort(facts_.ops, [](const OpFact &a, const OpFact &b) {
      return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
  }
  void add(const FusionReport &report);

private:
  void add(const FunctionGraph &function);
  OpFact factOf(const GraphNode &node, int firstDispatch, int firstLayer) const;

  StringRef path_;
  DocumentFacts &facts_;
};

} // namespace

OpFact FactsBuilder::factOf(const GraphNode &node, int firstDispatch, int firstLayer) const {
  auto [line, column] = placeIn(path_, node.loc.str());
  OpFact fact{.line = line, .column = column, .op = node.op.str(), .label = node.label.str()};
  for (const SharedText &type : node.types)
    fact.types.push_back(type.str());
  for (const SharedText &map : node.maps)
    fact.maps.push_back(map.str());
  fact.iterators = node.iterators.str();
  fact.parameter = node.parameter.str();
  fact.dispatch = node.dispatch < 0 ? -1 : firstDispatch + node.dispatch;
  fact.layer = node.scope < 0 ? -1 : firstLayer + node.scope;
  fact.flops = node.flops;
  fact.bytesRead = node.bytesRead;
  fact.bytesWritten = node.bytesWritten;
  fact.bytesAtMost = node.bytesAtMost;
  return fact;
}

void FactsBuilder::add(const FunctionGraph &function) {
  const int firstDispatch = facts_.dispatches.size(), firstLayer = facts_.layers.size();
  for (const GraphDispatch &dispatch : function.dispatches)
    facts_.dispatches.push_back(
        {.name = dispatch.name,
         .kind = dispatch.kind,
         .line = placeIn(path_, dispatch.loc).first,
         .ops = static_cast<int>(dispatch.nodes.size()),
         .bytes = dispatch.bytesRead < 0 || dispatch.bytesWritten < 0 ? -1 : dispatch.bytesRead + dispatch.bytesWritten,
         .bytesAtMost = dispatch.bytesAtMost});
  for (const GraphScope &scope : function.scopes)
    facts_.layers.push_back({.path = scope.path,
                             .label = scope.label,
                             .kind = scopeKindName(scope.kind).str(),
                             .parent = scope.parent < 0 ? -1 : firstLayer + scope.parent});
  for (const GraphNode &node : function.nodes) {
    OpFact fact = factOf(node, firstDispatch, firstLayer);
    if (fact.line < 0)
      continue;
    for (int at = fact.layer; at >= 0; at = facts_.layers[at].parent) {
      LayerFact &layer = facts_.layers[at];
      layer.first = layer.first < 0 ? fact.line : std::min(layer.first, fact.line);
      layer.last = std::max(layer.last, fact.line);
    }
    facts_.ops.push_back(std::move(fact));
  }
}

static const char *wordsOf(message::FusionVerdict verdict) {
  switch (verdict) {
  case message::FusionVerdict::FusedIntoOp:
    return "fused into the op that reads it";
  case message::FusionVerdict::SameDispatch:
    return "stays in the dispatch";
  case message::FusionVerdict::Cloned:
    return "computed again where it is read";
  case message::FusionVerdict::Separate:
    return "goes through memory";
  }
  return "";
}

void FactsBuilder::add(const FusionReport &report) {
  for (const FusionEdgeReport &edge : report.edges) {
    EdgeFact fact{.id = std::to_string(edge.from) + ":" + std::to_string(edge.to) + ":" + std::to_string(edge.operand),
                  .name = edge.fromName.empty() ? edge.fromOp : edge.fromName,
                  .verdict = wordsOf(edge.verdict),
                  .state = message::fusionStateWords[static_cast<size_t>(edge.state)],
                  .unlocks = edge.unlocks,
                  .missed = edge.missed,
                  .bytes = edge.bytes};
    std::tie(fact.fromLine, fact.fromColumn) = placeIn(path_, edge.fromLoc);
    std::tie(fact.toLine, fact.toColumn) = placeIn(path_, edge.toLoc);
    if (!edge.reasons.empty()) {
      const auto &first = edge.reasons.front();
      fact.reason = first.kind.empty() ? first.code : first.code + "/" + first.kind;
      fact.sentence = first.detail.empty() ? first.sentence : first.sentence + "; " + first.detail;
    }
    facts_.edges.push_back(std::move(fact));
  }
  facts_.isJudged = true;
}

/// What the module is for fusion: what its dialects lower to, where that is not linalg. Places stay those of the text.
static mlir::OwningOpRef<mlir::ModuleOp> normalizedCopy(mlir::ModuleOp module, DocumentFacts &facts) {
  std::vector<Diagnostic> said;
  auto copy = normalized(module, &said);
  if (!copy) {
    facts.problem = takeFailure(copy.takeError()).message;
    return {};
  }
  return std::move(*copy);
}

/// Looking for forms runs canonicalization and its like on copies.
static void addForms(mlir::ModuleOp module, DocumentFacts &facts) {
  constexpr size_t mostOps = 2000;
  if (facts.isLowered || facts.ops.size() > mostOps)
    return;
  for (const message::FormVerdict<> &verdict : formReport(module).verdicts) {
    const NormalForm *form = findForm(verdict.form);
    if (!verdict.holds && form && !form->normalizers.empty() && !llvm::is_contained(facts.forms, verdict.form))
      facts.forms.push_back(verdict.form);
  }
}

DocumentFacts readFacts(Session &session, StringRef text, StringRef path, FactsDepth depth) {
  DocumentFacts facts;
  auto read = session.readText(text, path);
  if (!read) {
    Failure failure = takeFailure(read.takeError());
    for (const Diagnostic &diagnostic : failure.diagnostics)
      facts.diagnostics.push_back(messageOf(diagnostic));
    if (failure.diagnostics.empty())
      facts.diagnostics.push_back(messageOf({.message = failure.message, .file = path.str()}));
    facts.problem = failure.message;
    return facts;
  }
  for (const Diagnostic &diagnostic : read->diagnostics) {
    facts.diagnostics.push_back(messageOf(diagnostic));
    if (isOfUnknownDialect(diagnostic, session.context()))
      facts.diagnostics.back().severity = "remark";
  }
  mlir::OwningOpRef<mlir::ModuleOp> lowered = normalizedCopy(*read->module, facts);
  facts.isLowered = bool(lowered);
  mlir::ModuleOp module = lowered ? *lowered : *read->module;
  FactsBuilder builder(path, facts);
  builder.add(buildGraphWithText(module));
  if (depth == FactsDepth::Soon)
    return facts;
  auto report = explainFusion(module, FusionPolicy(), kDefaultGbps);
  if (report)
    builder.add(*report);
  else
    facts.problem = takeFailure(report.takeError()).message;
  addForms(module, facts);
  addScheduleFacts(session, text, path, *read->module, facts);
  return facts;
}

} // namespace fuselage::lsp
