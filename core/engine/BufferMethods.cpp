// buffers/*.
#include "core/protocol/methods/BufferMethods.h"
#include "core/analysis/buffers/BuffersReport.h"
#include "core/engine/MethodTable.h"
#include "core/graph/model/LayerNames.h"

namespace fuselage {
namespace {

constexpr unsigned kReportSeconds = 10; // nothing else is answered meanwhile

/// Nodes of the graph that stand for arguments which the report names: by function op and number.
std::vector<message::BufferArgument<>> argumentNodes(const BuffersReport &report, const Graph &graph) {
  std::set<std::pair<OpId, int>> wanted;
  for (const BufferOperandReport &operand : report.operands)
    if (operand.decision.conflict.argument >= 0)
      wanted.insert({operand.decision.conflict.definition, operand.decision.conflict.argument});
  for (const BufferReport &buffer : report.buffers)
    if (buffer.argument >= 0)
      wanted.insert({buffer.op, buffer.argument});
  std::vector<message::BufferArgument<>> nodes;
  for (const FunctionGraph &function : graph.functions) {
    int number = 0;
    for (const GraphNode &node : function.nodes)
      if (node.kind == NodeKind::Argument && wanted.contains({function.id, number++}))
        nodes.push_back({.op = function.id, .argument = number - 1, .node = node.id});
  }
  return nodes;
}

llvm::Expected<std::variant<message::BuffersReport<>, message::SnapshotPeaks<>>>
report(Engine &engine, Document &document, const method::ReportBuffers::Request<> &request) {
  unsigned snapshot = request.snapshot;
  BuffersOptions options;
  options.function = request.function;
  options.sizes = request.sizes;
  options.sizedFunction = request.sizedFunction.value_or(request.function);
  options.keepEmpty = request.keepEmpty;
  options.peaksOnly = request.peaksOnly;
  options.cancelled = &engine.cancelled;
  options.seconds = kReportSeconds;
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  auto report = reportBuffers(*module, options);
  if (!report)
    return report.takeError();
  if (options.peaksOnly)
    return message::SnapshotPeaks<>{.snapshot = int(snapshot), .peaks = report->largestPeaks()};
  auto graph = document.graph(snapshot);
  if (!graph)
    return graph.takeError();
  const LayerNames names(**graph);
  nameLayers(*report, [&](OpId op) { return names.of(op); });
  const PrintedModule &printed = document.printed(snapshot);
  message::BuffersReport<> message =
      messageOf(*report, [&](OpId id) { return id < printed.opCount() ? int64_t(printed.linesOf(id).first) : 0; });
  message.snapshot = int(snapshot);
  message.arguments = argumentNodes(*report, **graph);
  return message;
}

std::optional<CopiedAnswer> reportInCopy(const method::ReportBuffers::Request<> &) {
  return CopiedAnswer{
      .limits = bufferizationLimits(kReportSeconds), .doing = kBufferizing.str(), .advice = kBufferizingAdvice.str()};
}

llvm::Expected<message::BufferReasonHelps<>> help(Engine &, const method::BufferHelp::Request<> &request) {
  message::BufferReasonHelps<> help;
  for (const BufferReasonInfo &info : bufferReasons())
    if (request.reason.empty() || request.reason == info.code)
      help.reasons.push_back(
          {.code = info.code.str(), .sentence = info.sentence.str(), .page = bufferPage(info.code).str()});
  if (help.reasons.empty())
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "no reason is called '" + request.reason + "'");
  return help;
}

} // namespace

void addBufferMethods(MethodTable &table) {
  addMethod<method::ReportBuffers, report, reportInCopy>(table);
  addMethod<method::BufferHelp, help>(table);
}

} // namespace fuselage
