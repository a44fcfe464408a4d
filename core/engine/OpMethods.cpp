// op/*.
#include "core/analysis/costs/Costs.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/engine/Engine.h"
#include "core/ir/module/Blobs.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace fuselage {
namespace {

template <typename T> std::string printToString(const T &what) {
  std::string text;
  llvm::raw_string_ostream os(text);
  what.print(os);
  return llvm::json::fixUTF8(text);
}

llvm::json::Value bytesOf(mlir::Type type) { return byteSize(type).value_or(-1); }

/// An attribute's text; large data elided.
std::string textOf(mlir::Attribute attribute) {
  constexpr size_t maxLength = 4000;
  std::string text = llvm::json::fixUTF8(printElided(attribute));
  return text.size() <= maxLength ? text : llvm::json::fixUTF8(text.substr(0, maxLength)) + "...";
}

/// The graph node with this id, and the scene-wide number of its dispatch.
const GraphNode *findNode(const Graph &graph, OpId id, int &dispatch) {
  int before = 0;
  for (const FunctionGraph &function : graph.functions) {
    for (const GraphNode &node : function.nodes)
      if (node.id == id) {
        dispatch = node.dispatch < 0 ? -1 : before + node.dispatch;
        return &node;
      }
    before += function.dispatches.size();
  }
  return nullptr;
}

/// Ids of the ops that use the value, each once, in order.
void addUsers(mlir::Value value, const OpIndex &index, std::set<OpId> &users) {
  for (mlir::Operation *user : value.getUsers())
    users.insert(index.idOf(user));
}

/// Where the op begins whose region the argument belongs to.
int64_t lineOfArgument(const Graph &graph, const GraphNode &node, const PrintedModule &printed) {
  for (const FunctionGraph &function : graph.functions) {
    bool mine = !function.nodes.empty() && &node >= &function.nodes.front() && &node <= &function.nodes.back();
    for (int c = mine ? node.cluster : -1; c >= 0; c = function.clusters[c].parent)
      if (OpId op = function.clusters[c].id; op >= 0 && op < printed.opCount())
        return printed.linesOf(op).first;
  }
  return 0;
}

/// What the graph knows of an argument; its users are the edges that leave it.
llvm::json::Value describeArgument(const Graph &graph, const GraphNode &node, const PrintedModule &printed) {
  llvm::json::Array results, users;
  for (size_t i = 0; i < node.results.size(); ++i)
    results.push_back(llvm::json::Object{
        {"name", node.results[i]},
        {"type", llvm::json::fixUTF8(i < node.types.size() ? node.types[i] : "")},
        {"bytes", node.bytesWritten}});
  std::set<OpId> unique;
  for (const FunctionGraph &function : graph.functions)
    for (const GraphEdge &edge : function.edges)
      if (edge.from == node.id && unique.insert(edge.to).second)
        users.push_back(edge.to);
  int64_t line = lineOfArgument(graph, node, printed);
  return llvm::json::Object{{"id", node.id},
                            {"op", node.op},
                            {"role", ""},
                            {"detail", ""},
                            {"loc", node.loc},
                            {"first", line},
                            {"last", line},
                            {"results", std::move(results)},
                            {"operands", llvm::json::Array()},
                            {"attributes", llvm::json::Array()},
                            {"maps", llvm::json::Array()},
                            {"iterators", ""},
                            {"flops", 0},
                            {"bytes_read", 0},
                            {"bytes_written", 0},
                            {"dispatch", -1},
                            {"users", std::move(users)},
                            {"provenance", llvm::json::Array()}};
}

/// By operand, the keyword that it is written behind: "offsets", "ins"; empty where there is none.
std::vector<std::string> groupNames(mlir::Operation *op) {
  std::vector<std::string> names(op->getNumOperands());
  for (const OperandGroup &group : TolerantOp(op).groups())
    for (unsigned i = group.first; i < group.first + group.count && i < names.size(); ++i)
      names[i] = llvm::json::fixUTF8(group.name);
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
    for (mlir::OpOperand &operand : op->getOpOperands())
      names[operand.getOperandNumber()] = linalgOp.isDpsInit(&operand) ? "outs" : "ins";
  return names;
}

/// `from` is null for block arguments that are no graph nodes.
llvm::json::Array operandsOf(mlir::Operation *op, OpIndex &index, const Graph &graph) {
  std::map<unsigned, OpId> arguments;
  for (const FunctionGraph &function : graph.functions)
    for (const GraphEdge &edge : function.edges)
      if (edge.from < 0 && edge.to == index.idOf(op))
        arguments[edge.operand] = edge.from;
  llvm::json::Array operands;
  std::vector<std::string> groups = groupNames(op);
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    llvm::json::Object json{{"name", llvm::json::fixUTF8(index.nameOf(operand.get()))},
                            {"type", printToString(operand.get().getType())},
                            {"group", groups[operand.getOperandNumber()]},
                            {"from", nullptr}};
    if (mlir::Operation *producer = operand.get().getDefiningOp())
      json["from"] = index.idOf(producer);
    else if (auto argument = arguments.find(operand.getOperandNumber());
             argument != arguments.end())
      json["from"] = argument->second;
    operands.push_back(std::move(json));
  }
  return operands;
}

/// Where the op came from: ops of the input at its places.
llvm::json::Array provenanceOf(mlir::Operation *op, Document &document) {
  llvm::json::Array origins;
  auto input = document.index(0);
  if (!input) { // a dump that does not parse
    llvm::consumeError(input.takeError());
    return origins;
  }
  for (OpId id : (*input)->opsAt(op->getLoc()))
    origins.push_back(llvm::json::Object{
        {"snapshot", 0},
        {"id", id},
        {"line", int64_t(document.printed(0).linesOf(id).first)}});
  return origins;
}

std::string locationText(mlir::Operation *op) {
  SourcePosition position = positionOf(op->getLoc());
  if (position.line == 0)
    return "";
  return llvm::json::fixUTF8(position.file + ":" + std::to_string(position.line) + ":" +
                             std::to_string(position.column));
}

llvm::json::Value describeOp(Document &document, unsigned snapshot, OpId id,
                             const std::shared_ptr<OpIndex> &index, const Graph &graph, int dispatch) {
  mlir::Operation *op = index->op(id);
  llvm::json::Array results, attributes, maps, users;
  std::set<OpId> userIds;
  for (mlir::Value result : op->getResults()) {
    results.push_back(llvm::json::Object{{"name", llvm::json::fixUTF8(index->nameOf(result))},
                                         {"type", printToString(result.getType())},
                                         {"bytes", bytesOf(result.getType())}});
    addUsers(result, *index, userIds);
  }
  for (OpId user : userIds)
    users.push_back(user);
  for (mlir::NamedAttribute attribute : op->getAttrDictionary())
    if (attribute.getName() != SyntaxAttr::key)
      attributes.push_back(
          llvm::json::Object{{"name", llvm::json::fixUTF8(attribute.getName().getValue())},
                             {"value", textOf(attribute.getValue())}});
  std::string iterators;
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
    for (mlir::AffineMap map : linalgOp.getIndexingMapsArray())
      maps.push_back(printToString(map));
    for (mlir::utils::IteratorType iterator : linalgOp.getIteratorTypesArray())
      iterators += (iterators.empty() ? "" : ", ") + mlir::utils::stringifyIteratorType(iterator).str();
  }
  OpCost cost = costOf(op);
  DecodedOp decoded = decode(op);
  llvm::json::Array operands = operandsOf(op, *index, graph);
  llvm::json::Array provenance = provenanceOf(op, document);
  LineRange lines = document.printed(snapshot).linesOf(id);
  llvm::json::Object json{{"id", id},
                            {"op", llvm::json::fixUTF8(displayName(op))},
                            {"role", opRoleName(decoded.role)},
                            {"detail", llvm::json::fixUTF8(decoded.detail)},
                            {"loc", locationText(op)},
                            {"first", int64_t(lines.first)},
                            {"last", int64_t(lines.last)},
                            {"results", std::move(results)},
                            {"operands", std::move(operands)},
                            {"attributes", std::move(attributes)},
                            {"maps", std::move(maps)},
                            {"iterators", iterators},
                            {"flops", cost.flops},
                            {"bytes_read", cost.bytesRead},
                            {"bytes_written", cost.bytesWritten},
                            {"dispatch", dispatch},
                            {"users", std::move(users)},
                            {"provenance", std::move(provenance)}};
  if (cost.bytesAtMost)
    json["bytes_at_most"] = true;
  return json;
}

llvm::Expected<llvm::json::Value> details(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = params.integer("snapshot", 0, int64_t((*document)->snapshotCount()) - 1);
  if (llvm::Error error = params.check())
    return error;
  auto index = (*document)->index(snapshot);
  if (!index)
    return index.takeError();
  OpId id = params.integer("id", INT64_MIN, (*index)->count() - 1);
  if (llvm::Error error = params.check())
    return error;
  auto graph = (*document)->graph(snapshot);
  if (!graph)
    return graph.takeError();
  int dispatch = -1;
  const GraphNode *node = findNode(**graph, id, dispatch);
  if (id >= 0)
    return describeOp(**document, snapshot, id, *index, **graph, dispatch);
  if (!node)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams,
                                      "parameter 'id' names no argument of this snapshot");
  return describeArgument(**graph, *node, (*document)->printed(snapshot));
}

} // namespace

void addOpMethods(MethodTable &table) { table["op/details"] = details; }

} // namespace fuselage
