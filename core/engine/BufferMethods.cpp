// buffers/*.
#include "core/analysis/buffers/BuffersReport.h"
#include "core/engine/Engine.h"

namespace fuselage {
namespace {

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

llvm::Expected<llvm::json::Value> report(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  BuffersOptions options;
  options.function = params.string("function", "");
  options.sizes = params.sizes("sizes");
  options.sizedFunction = params.string("sizedFunction", options.function);
  options.keepEmpty = params.boolean("keepEmpty", false);
  options.peaksOnly = params.boolean("peaksOnly", false);
  options.seconds = 10; // nothing else is answered meanwhile
  if (llvm::Error error = params.check())
    return error;
  auto module = (*document)->module(snapshot);
  if (!module)
    return module.takeError();
  auto report = reportBuffers(*module, options);
  if (!report)
    return report.takeError();
  if (options.peaksOnly)
    return message::encode(message::SnapshotPeaks<>{.snapshot = int(snapshot), .peaks = report->largestPeaks()});
  const PrintedModule &printed = (*document)->printed(snapshot);
  message::BuffersReport<> message =
      messageOf(*report, [&](OpId id) { return id < printed.opCount() ? int64_t(printed.linesOf(id).first) : 0; });
  message.snapshot = int(snapshot);
  auto graph = (*document)->graph(snapshot);
  if (!graph)
    return graph.takeError();
  message.arguments = argumentNodes(*report, **graph);
  return message::encode(message);
}

llvm::Expected<llvm::json::Value> help(Engine &, Params &params) {
  std::string wanted = params.string("reason", "");
  if (llvm::Error error = params.check())
    return error;
  message::BufferReasonHelps<> help;
  for (const BufferReasonInfo &info : bufferReasons())
    if (wanted.empty() || wanted == info.code)
      help.reasons.push_back(
          {.code = info.code.str(), .sentence = info.sentence.str(), .page = bufferPage(info.code).str()});
  if (help.reasons.empty())
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "no reason is called '" + wanted + "'");
  return message::encode(help);
}

} // namespace

void addBufferMethods(MethodTable &table) {
  table["buffers/report"] = report;
  table["buffers/help"] = help;
}

} // namespace fuselage
