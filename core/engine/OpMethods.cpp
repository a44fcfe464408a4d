// op/*.
#include "core/analysis/costs/Costs.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/engine/Engine.h"
#include "core/ir/module/Blobs.h"
#include "core/protocol/Ops.h"
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
int lineOfArgument(const Graph &graph, const GraphNode &node, const PrintedModule &printed) {
  for (const FunctionGraph &function : graph.functions) {
    bool mine = !function.nodes.empty() && &node >= &function.nodes.front() && &node <= &function.nodes.back();
    for (int c = mine ? node.cluster : -1; c >= 0; c = function.clusters[c].parent)
      if (OpId op = function.clusters[c].id; op >= 0 && op < printed.opCount())
        return static_cast<int>(printed.linesOf(op).first);
  }
  return 0;
}

/// What the graph knows of an argument; its users are the edges that leave it.
message::OpDetails<> describeArgument(const Graph &graph, const GraphNode &node, const PrintedModule &printed) {
  message::OpDetails<> details;
  details.id = node.id;
  details.op = node.op;
  details.loc = node.loc;
  details.first = details.last = lineOfArgument(graph, node, printed);
  details.flops = details.bytesRead = details.bytesWritten = 0;
  for (size_t i = 0; i < node.results.size(); ++i)
    details.results.push_back(
        {.name = node.results[i], .type = i < node.types.size() ? node.types[i] : "", .bytes = node.bytesWritten});
  std::set<OpId> unique;
  for (const FunctionGraph &function : graph.functions)
    for (const GraphEdge &edge : function.edges)
      if (edge.from == node.id && unique.insert(edge.to).second)
        details.users.push_back(edge.to);
  return details;
}

/// By operand, the keyword that it is written behind: "offsets", "ins"; empty where there is none.
std::vector<std::string> groupNames(mlir::Operation *op) {
  std::vector<std::string> names(op->getNumOperands());
  for (const OperandGroup &group : TolerantOp(op).groups())
    for (unsigned i = group.first; i < group.first + group.count && i < names.size(); ++i)
      names[i] = group.name;
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
    for (mlir::OpOperand &operand : op->getOpOperands())
      names[operand.getOperandNumber()] = linalgOp.isDpsInit(&operand) ? "outs" : "ins";
  return names;
}

std::vector<message::OpOperand<>> operandsOf(mlir::Operation *op, OpIndex &index, const Graph &graph) {
  std::map<unsigned, OpId> arguments;
  for (const FunctionGraph &function : graph.functions)
    for (const GraphEdge &edge : function.edges)
      if (edge.from < 0 && edge.to == index.idOf(op))
        arguments[edge.operand] = edge.from;
  std::vector<message::OpOperand<>> operands;
  std::vector<std::string> groups = groupNames(op);
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    message::OpOperand<> described{.name = index.nameOf(operand.get()),
                                   .type = printToString(operand.get().getType()),
                                   .from = {},
                                   .group = groups[operand.getOperandNumber()]};
    if (mlir::Operation *producer = operand.get().getDefiningOp())
      described.from = index.idOf(producer);
    else if (auto argument = arguments.find(operand.getOperandNumber()); argument != arguments.end())
      described.from = argument->second;
    operands.push_back(std::move(described));
  }
  return operands;
}

/// Where the op came from: ops of the input at its places.
std::vector<message::Origin<>> provenanceOf(mlir::Operation *op, Document &document) {
  std::vector<message::Origin<>> origins;
  auto input = document.index(0);
  if (!input) { // a dump that does not parse
    llvm::consumeError(input.takeError());
    return origins;
  }
  for (OpId id : (*input)->opsAt(op->getLoc()))
    origins.push_back({.id = id, .line = static_cast<int>(document.printed(0).linesOf(id).first)});
  return origins;
}

std::string locationText(mlir::Operation *op) {
  SourcePosition position = positionOf(op->getLoc());
  if (position.line == 0)
    return "";
  return position.file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

message::OpDetails<> describeOp(Document &document, unsigned snapshot, OpId id, const std::shared_ptr<OpIndex> &index,
                                const Graph &graph, int dispatch) {
  mlir::Operation *op = index->op(id);
  message::OpDetails<> details;
  std::set<OpId> users;
  for (mlir::Value result : op->getResults()) {
    details.results.push_back({.name = index->nameOf(result),
                               .type = printToString(result.getType()),
                               .bytes = byteSize(result.getType()).value_or(-1)});
    addUsers(result, *index, users);
  }
  details.users.assign(users.begin(), users.end());
  for (mlir::NamedAttribute attribute : op->getAttrDictionary())
    if (attribute.getName() != SyntaxAttr::key)
      details.attributes.push_back(
          {.name = attribute.getName().getValue().str(), .value = textOf(attribute.getValue())});
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
    for (mlir::AffineMap map : linalgOp.getIndexingMapsArray())
      details.maps.push_back(printToString(map));
    for (mlir::utils::IteratorType iterator : linalgOp.getIteratorTypesArray())
      details.iterators += (details.iterators.empty() ? "" : ", ") + mlir::utils::stringifyIteratorType(iterator).str();
  }
  OpCost cost = costOf(op);
  DecodedOp decoded = decode(op);
  LineRange lines = document.printed(snapshot).linesOf(id);
  details.id = id;
  details.op = displayName(op);
  details.role = opRoleName(decoded.role).str();
  details.detail = decoded.detail;
  details.loc = locationText(op);
  details.first = static_cast<int>(lines.first);
  details.last = static_cast<int>(lines.last);
  details.operands = operandsOf(op, *index, graph);
  details.flops = cost.flops;
  details.bytesRead = cost.bytesRead;
  details.bytesWritten = cost.bytesWritten;
  details.bytesAtMost = cost.bytesAtMost;
  details.dispatch = dispatch;
  details.provenance = provenanceOf(op, document);
  return details;
}

llvm::Expected<llvm::json::Value> details(Engine &engine, Params &params) {
  auto asked = indexedSnapshotParam(engine, params);
  if (!asked)
    return asked.takeError();
  auto &[document, snapshot, index] = *asked;
  OpId id = params.integer("id", INT64_MIN, index->count() - 1);
  if (llvm::Error error = params.check())
    return error;
  auto graph = document->graph(snapshot);
  if (!graph)
    return graph.takeError();
  int dispatch = -1;
  const GraphNode *node = findNode(**graph, id, dispatch);
  if (id >= 0)
    return message::encode(describeOp(*document, snapshot, id, index, **graph, dispatch));
  if (!node)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams,
                                      "parameter 'id' names no argument of this snapshot");
  return message::encode(describeArgument(**graph, *node, document->printed(snapshot)));
}

} // namespace

void addOpMethods(MethodTable &table) { table["op/details"] = details; }

} // namespace fuselage
