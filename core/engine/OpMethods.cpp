// op/*.
#include "core/protocol/methods/OpMethods.h"
#include "core/analysis/costs/Costs.h"
#include "core/analysis/costs/ValueBytes.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/flow/Flow.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/engine/MethodTable.h"
#include "core/graph/build/OpLabel.h"
#include "core/graph/model/GraphPart.h"
#include "core/graph/model/Ports.h"
#include "core/ir/module/Blobs.h"
#include "core/protocol/Ops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"

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

/// "linalg.matmul %scores"; an op without results is called by its own name alone.
std::string nameOfOp(OpIndex &index, OpId id) {
  mlir::Operation *op = index.op(id);
  std::string name = displayName(op);
  return op->getNumResults() > 0 ? name + " " + index.nameOf(op->getResult(0)) : name;
}

void addUser(message::OpDetails<> &details, OpId user, OpIndex &index) {
  details.users.push_back(user);
  details.userNames.push_back(user >= 0 && user < index.count() ? nameOfOp(index, user) : "");
}

/// What the graph knows of an argument; its users are the edges that leave it.
message::OpDetails<> describeArgument(const Graph &graph, const GraphNode &node, OpIndex &index,
                                      const PrintedModule &printed) {
  message::OpDetails<> details;
  details.id = node.id;
  details.op = node.op.str();
  details.loc = node.loc.str();
  details.first = details.last = lineOfArgument(graph, node, printed);
  details.flops = details.bytesRead = details.bytesWritten = 0;
  std::set<OpId> unique;
  int64_t bytes = -1; // as the edges that leave it say
  for (const FunctionGraph &function : graph.functions)
    for (const GraphEdge &edge : function.edges)
      if (edge.from == node.id) {
        bytes = edge.bytes;
        if (unique.insert(edge.to).second)
          addUser(details, edge.to, index);
      }
  for (size_t i = 0; i < node.results.size(); ++i)
    details.results.push_back(
        {.name = node.results[i], .type = i < node.types.size() ? node.types[i].str() : "", .bytes = bytes});
  return details;
}

/// By operand, the keyword that it is written after: "offsets", "ins"; empty where there is none.
std::vector<std::string> groupNames(mlir::Operation *op) {
  std::vector<std::string> names(op->getNumOperands());
  for (const OperandGroup &group : TolerantOp(op).groups())
    for (unsigned i = group.first; i < group.first + group.count && i < names.size(); ++i)
      names[i] = group.name;
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
    for (mlir::OpOperand &operand : op->getOpOperands())
      names[operand.getOperandNumber()] = linalgOp.isDpsInit(&operand) ? "outs" : "ins";
  if (auto attention = mlir::dyn_cast<flow::AttentionOp>(op)) {
    unsigned queries = attention.getQueries().size(), values = attention.getValuesMutable().getOperandNumber();
    for (unsigned number = 0; number < names.size(); ++number)
      names[number] = number < queries    ? "queries"
                      : number == queries ? "keys"
                      : number < values   ? "with"
                      : number == values  ? "values"
                                          : "outs";
  }
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
    origins.push_back(
        {.id = id, .line = static_cast<int>(document.printed(0).linesOf(id).first), .name = nameOfOp(**input, id)});
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
  for (OpId user : users)
    addUser(details, user, *index);
  for (mlir::NamedAttribute attribute : op->getAttrDictionary())
    if (attribute.getName() != SyntaxAttr::key)
      details.attributes.push_back(
          {.name = attribute.getName().getValue().str(), .value = textOf(attribute.getValue())});
  details.iterators = iteratorsOf(op);
  for (mlir::AffineMap map : indexingMapsOf(op))
    details.maps.push_back(printToString(map));
  mlir::Operation *runs = DispatchFinder().find(op);
  OpCost cost = runs ? costOfDispatch(runs) : costOf(op);
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

/// All of it, whatever its readers touch.
int64_t bytesOf(const FunctionGraph &function, int port, const OpIndex &index) {
  OpId id = function.nodes[port].id;
  if (id >= 0 && id < index.count() && index.op(id)->getNumResults() > 0)
    return byteSize(index.op(id)->getResult(0).getType()).value_or(-1);
  // A function's arguments are its first nodes.
  mlir::Operation *op = id < 0 && function.id >= 0 && function.id < index.count() ? index.op(function.id) : nullptr;
  bool isArgument = op && op->getNumRegions() > 0 && !op->getRegion(0).empty() &&
                    port < static_cast<int>(op->getRegion(0).getNumArguments());
  return isArgument ? byteSize(op->getRegion(0).getArgument(port).getType()).value_or(-1) : -1;
}

/// The weights and constants that the nodes read for which `isReader` holds.
void addPorts(message::OpDetails<> &details, const FunctionGraph &function, const OpIndex &index,
              llvm::function_ref<bool(const GraphNode &)> isReader) {
  constexpr size_t most = 64; // of a whole model nobody reads all
  std::vector<int> ports = portsOf(function, isReader);
  details.portCount = static_cast<int>(ports.size());
  ports.resize(std::min(ports.size(), most));
  for (int port : ports) {
    const GraphNode &node = function.nodes[port];
    details.ports.push_back({.id = node.id,
                             .name = (node.parameter.empty() ? node.label : node.parameter).str(),
                             .type = node.types.empty() ? "" : node.types.front().str(),
                             .bytes = bytesOf(function, port, index),
                             .isConstant = node.parameter.empty()});
  }
}

/// A part's lines, costs and ports.
message::OpDetails<> describePart(const GraphPart &part, OpId id, const OpIndex &index, const PrintedModule &printed) {
  const FunctionGraph &function = *part.function;
  message::OpDetails<> details;
  details.id = id;
  details.op = part.name;
  details.role = part.kind;
  llvm::DenseSet<OpId> ids;
  for (int place : part.nodes) {
    const GraphNode &node = function.nodes[place];
    ids.insert(node.id);
    if (node.id < 0 || node.id >= printed.opCount())
      continue;
    LineRange lines = printed.linesOf(node.id);
    details.first =
        details.first < 0 ? static_cast<int>(lines.first) : std::min(details.first, static_cast<int>(lines.first));
    details.last = std::max(details.last, static_cast<int>(lines.last));
  }
  PartTotals totals = part.totals();
  details.inside = totals.ops;
  details.flops = totals.flops;
  details.bytesRead = totals.bytesRead;
  details.bytesWritten = totals.bytesWritten;
  details.bytesAtMost = totals.bytesAtMost;
  addPorts(details, function, index, [&](const GraphNode &node) { return ids.contains(node.id); });
  return details;
}

llvm::Expected<message::OpDetails<>> details(Engine &, const IndexedSnapshot &asked,
                                             const method::OpDetails::Request<> &request) {
  const auto &[document, snapshot, index] = asked;
  OpId id = request.id;
  if (llvm::Error error = checkRange("id", id, INT64_MIN, index->count() - 1))
    return error;
  auto graph = document.graph(snapshot);
  if (!graph)
    return graph.takeError();
  int dispatch = -1;
  const GraphNode *node = findNode(**graph, id, dispatch);
  if (id >= 0) {
    message::OpDetails<> details = describeOp(document, snapshot, id, index, **graph, dispatch);
    for (const FunctionGraph &function : (*graph)->functions)
      addPorts(details, function, *index, [&](const GraphNode &reader) { return reader.id == id; });
    details.callsDispatch = node && node->kind == NodeKind::Dispatch;
    return details;
  }
  if (std::optional<GraphPart> part = findPart(**graph, id))
    return describePart(*part, id, *index, document.printed(snapshot));
  if (!node)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams,
                                      "parameter 'id' names no argument and no part of this snapshot");
  return describeArgument(**graph, *node, *index, document.printed(snapshot));
}

} // namespace

void addOpMethods(MethodTable &table) { addMethod<method::OpDetails, details>(table); }

} // namespace fuselage
