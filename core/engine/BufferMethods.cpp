// buffers/*.
#include "core/analysis/buffers/BuffersReport.h"
#include "core/engine/Engine.h"

namespace fuselage {
namespace {

/// Nodes of the graph that stand for arguments which the report names: by function op and number.
llvm::json::Array argumentNodes(const BuffersReport &report, const Graph &graph) {
  std::set<std::pair<OpId, int>> wanted;
  for (const BufferOperandReport &operand : report.operands)
    if (operand.decision.conflict.argument >= 0)
      wanted.insert({operand.decision.conflict.definition, operand.decision.conflict.argument});
  for (const BufferReport &buffer : report.buffers)
    if (buffer.argument >= 0)
      wanted.insert({buffer.op, buffer.argument});
  llvm::json::Array nodes;
  for (const FunctionGraph &function : graph.functions) {
    int number = 0;
    for (const GraphNode &node : function.nodes)
      if (node.kind == NodeKind::Argument && wanted.contains({function.id, number++}))
        nodes.push_back(llvm::json::Object{{"op", function.id}, {"argument", number - 1}, {"node", node.id}});
  }
  return nodes;
}

llvm::Expected<llvm::json::Value> report(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = params.integer("snapshot", 0, int64_t((*document)->snapshotCount()) - 1);
  BuffersOptions options;
  options.function = params.string("function", "");
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
    return llvm::json::Object{{"snapshot", snapshot}, {"peaks", peaksToJSON(*report)}};
  const PrintedModule &printed = (*document)->printed(snapshot);
  llvm::json::Value json =
      toJSON(*report, [&](OpId id) { return id < printed.opCount() ? int64_t(printed.linesOf(id).first) : 0; });
  (*json.getAsObject())["snapshot"] = snapshot;
  auto graph = (*document)->graph(snapshot);
  if (!graph)
    return graph.takeError();
  (*json.getAsObject())["arguments"] = argumentNodes(*report, **graph);
  return json;
}

llvm::Expected<llvm::json::Value> help(Engine &, Params &params) {
  std::string wanted = params.string("reason", "");
  if (llvm::Error error = params.check())
    return error;
  llvm::json::Array reasons;
  for (const BufferReasonInfo &info : bufferReasons())
    if (wanted.empty() || wanted == info.code)
      reasons.push_back(
          llvm::json::Object{{"code", info.code}, {"sentence", info.sentence}, {"page", bufferPage(info.code)}});
  if (reasons.empty())
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "no reason is called '" + wanted + "'");
  return llvm::json::Object{{"reasons", std::move(reasons)}};
}

} // namespace

void addBufferMethods(MethodTable &table) {
  table["buffers/report"] = report;
  table["buffers/help"] = help;
}

} // namespace fuselage
