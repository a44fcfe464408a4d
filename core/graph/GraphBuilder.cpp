#include "core/graph/GraphBuilder.h"
#include "core/analysis/Costs.h"
#include "core/analysis/Payload.h"
#include "core/graph/OpLabel.h"
#include "core/ir/Session.h"
#include "core/transforms/DispatchFormation.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr llvm::StringLiteral dispatchAttribute = "fuselage.dispatch";

/// JSON and SVG want valid UTF-8; names in IR may hold any bytes.
std::string asUtf8(std::string text) {
  return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text);
}

template <typename T> std::string printed(const T &thing) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << thing;
  return text;
}

bool isSymbolWithBody(Operation &op) {
  return op.getNumRegions() > 0 && op.hasAttr(SymbolTable::getSymbolAttrName());
}

/// Modules and their like: ops whose bodies hold functions.
bool isContainer(Operation *op) {
  if (isa<ModuleOp>(op))
    return true;
  if (isa<FunctionOpInterface>(op))
    return false;
  if (op->hasTrait<OpTrait::SymbolTable>())
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (isa<ModuleOp, FunctionOpInterface>(inner) || isSymbolWithBody(inner))
          return true;
  return false;
}

/// Functions, also those of dialects that we only read.
bool isFunctionLike(Operation *op) {
  return isa<FunctionOpInterface>(op) || isSymbolWithBody(*op);
}

std::string symbolName(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? asUtf8(name.getValue().str()) : std::string();
}

/// "matmul_128x768x768" of "main_dispatch_3_matmul_128x768x768".
std::string nameOfOutlined(Operation *function) {
  std::string name = symbolName(function);
  StringRef rest = name;
  size_t at = rest.rfind("_dispatch_");
  if (at == StringRef::npos)
    return name;
  rest = rest.drop_front(at + StringRef("_dispatch_").size()).ltrim("0123456789");
  return rest.consume_front("_") && !rest.empty() ? rest.str() : name;
}

unsigned resultNumber(Value value) {
  auto result = dyn_cast<OpResult>(value);
  return result ? result.getResultNumber() : 0;
}

class Builder {
public:
  Builder(ModuleOp module, const PrintedModule &printed)
      : module_(module), printed_(printed), names_(module) {
    OpId next = 0;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { ids_[op] = next++; });
  }

  Graph build() {
    path_.clear();
    visitContainer(module_);
    return std::move(graph_);
  }

private:
  void visitContainer(Operation *container);
  void buildFunction(Operation *function);
  void startFunction(std::string name, OpId id);
  void planGroups(Operation *function);
  void visitRegion(Region &region, int cluster, int dispatch);
  void visitOp(Operation *op, int cluster, int dispatch);
  void openCluster(Operation *op, int cluster, int dispatch);
  void addArguments(Block &block, bool all, int cluster, int dispatch);
  void addEdges();
  void addEdgesInto(Operation *op);
  void addEdge(Value value, OpId to, unsigned operand);
  void connectBorder(Operation *op, GraphCluster &cluster);
  void fillCosts(Operation *op, GraphNode &node);
  int addDispatch(std::string name, DispatchKind kind, const OpCost &cost, Operation *root,
                  std::string function = "");
  Operation *outlinedCallee(Operation *op);
  const OpCost &costOfOutlined(Operation *function);
  std::string nameOf(Value value);
  const std::string &typeName(Type type);
  OpId sourceOf(Value value) const;
  std::string locationOf(Location location) const;

  ModuleOp module_;
  const PrintedModule &printed_;
  AsmState names_;
  SymbolTableCollection symbols_;
  llvm::DenseMap<Operation *, OpId> ids_;
  llvm::DenseMap<Value, OpId> arguments_;
  llvm::DenseSet<Operation *> nodes_;
  std::vector<Operation *> inOrder_; // the function's nodes
  llvm::DenseMap<Type, std::string> typeNames_;
  llvm::DenseMap<Operation *, OpCost> outlinedCosts_;
  OpId nextArgument_ = -1;
  Graph graph_;
  FunctionGraph *function_ = nullptr;
  std::vector<GraphCluster> path_; // containers around the function, without the module
  llvm::DenseMap<Operation *, int> group_; // op -> planned dispatch
  std::vector<int> groupCluster_;          // planned dispatch -> cluster, -1 before its first op
  std::vector<DispatchGroup> groups_;
};

std::string Builder::nameOf(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, names_);
  return asUtf8(std::move(text));
}

const std::string &Builder::typeName(Type type) {
  auto [entry, added] = typeNames_.try_emplace(type);
  if (added)
    entry->second = asUtf8(printed(type));
  return entry->second;
}

std::string Builder::locationOf(Location location) const {
  return asUtf8(formatPosition(positionOf(location)));
}

/// The node that a value comes from; noNode for values of payloads.
OpId Builder::sourceOf(Value value) const {
  if (Operation *def = value.getDefiningOp())
    return nodes_.contains(def) ? ids_.lookup(def) : noNode;
  auto found = arguments_.find(value);
  return found == arguments_.end() ? noNode : found->second;
}

void Builder::startFunction(std::string name, OpId id) {
  graph_.functions.emplace_back();
  function_ = &graph_.functions.back();
  function_->name = std::move(name);
  function_->id = id;
  function_->clusters = path_;
  arguments_.clear();
  nodes_.clear();
  inOrder_.clear();
  group_.clear();
  groups_.clear();
  groupCluster_.clear();
}

void Builder::visitContainer(Operation *container) {
  std::vector<Operation *> loose;
  for (Region &region : container->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        if (isContainer(&op)) {
          path_.push_back({.id = ids_.lookup(&op),
                           .parent = static_cast<int>(path_.size()) - 1,
                           .label = opLabel(&op),
                           .kind = GraphCluster::Kind::Region,
                           .yields = {},
                           .entries = {}});
          visitContainer(&op);
          path_.pop_back();
        } else if (isFunctionLike(&op)) {
          buildFunction(&op);
        } else if (op.getNumOperands() || op.getNumResults() || op.getNumRegions()) {
          loose.push_back(&op);
        }
      }
  if (loose.empty())
    return;
  startFunction("", ids_.lookup(container));
  for (Operation *op : loose)
    visitOp(op, static_cast<int>(path_.size()) - 1, -1);
  addEdges();
}

int Builder::addDispatch(std::string name, DispatchKind kind, const OpCost &cost, Operation *root,
                         std::string function) {
  int id = function_->dispatches.size();
  function_->dispatches.push_back({.id = id,
                                   .name = asUtf8(std::move(name)),
                                   .kind = dispatchKindName(kind).str(),
                                   .function = std::move(function),
                                   .loc = root ? locationOf(root->getLoc()) : std::string(),
                                   .nodes = {},
                                   .flops = cost.flops,
                                   .bytesRead = cost.bytesRead,
                                   .bytesWritten = cost.bytesWritten});
  return id;
}

/// Groups the ops of a function that has no dispatches yet as the pass would.
void Builder::planGroups(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  bool formed = op->walk([&](Operation *inner) {
                    return isDispatchRegion(inner) || outlinedCallee(inner)
                               ? WalkResult::interrupt()
                               : WalkResult::advance();
                  }).wasInterrupted();
  if (formed)
    return;
  groups_ = planDispatches(function);
  for (DispatchGroup &group : groups_) {
    SmallVector<Operation *> all(group.clonedProducers);
    all.append(group.ops);
    int dispatch = addDispatch(dispatchName(group.root), group.kind, costOfGroup(all), group.root);
    for (Operation *member : group.ops)
      group_[member] = dispatch;
  }
  // A producer that only one dispatch wants is shown in there, the others stay between them.
  for (size_t g = groups_.size(); g-- > 0;)
    for (Operation *producer : llvm::reverse(groups_[g].clonedProducers)) {
      bool only = llvm::all_of(producer->getUsers(), [&](Operation *user) {
        Operation *inBlock = producer->getBlock()->findAncestorOpInBlock(*user);
        auto found = inBlock ? group_.find(inBlock) : group_.end();
        return found != group_.end() && found->second == static_cast<int>(g);
      });
      if (only && !group_.contains(producer))
        group_[producer] = static_cast<int>(g);
    }
  groupCluster_.assign(groups_.size(), -1);
}

void Builder::buildFunction(Operation *function) {
  if (llvm::all_of(function->getRegions(), [](Region &region) { return region.empty(); }))
    return;
  std::string name = symbolName(function);
  startFunction(name, ids_.lookup(function));
  int cluster = function_->clusters.size(), dispatch = -1;
  function_->clusters.push_back({.id = ids_.lookup(function),
                                 .parent = cluster - 1,
                                 .label = "@" + name,
                                 .kind = GraphCluster::Kind::Function,
                                 .yields = {},
                                 .entries = {}});
  if (function->hasAttr(dispatchAttribute)) {
    function_->outlined = true;
    dispatch = addDispatch(nameOfOutlined(function), classifyDispatch(function),
                           costOfOutlined(function), findDispatchRoot(function), name);
    function_->clusters.back().dispatch = dispatch;
  } else {
    planGroups(function);
  }
  for (Region &region : function->getRegions())
    visitRegion(region, cluster, dispatch);
  addEdges();
}

void Builder::addArguments(Block &block, bool all, int cluster, int dispatch) {
  for (BlockArgument argument : block.getArguments()) {
    if (!all && argument.use_empty())
      continue;
    GraphNode node;
    node.id = nextArgument_--;
    node.op = "argument";
    node.label = nameOf(argument);
    node.kind = NodeKind::Argument;
    node.results = {node.label};
    node.types = {typeName(argument.getType())};
    node.loc = locationOf(argument.getLoc());
    node.dispatch = dispatch;
    node.cluster = cluster;
    if (Operation *parent = block.getParentOp()) {
      unsigned first = printed_.linesOf(ids_.lookup(parent)).first;
      node.lines = {first, first};
    }
    arguments_[argument] = node.id;
    function_->nodes.push_back(std::move(node));
  }
}

void Builder::visitRegion(Region &region, int cluster, int dispatch) {
  bool isFunctionBody = isFunctionLike(region.getParentOp());
  for (Block &block : region) {
    addArguments(block, isFunctionBody && block.isEntryBlock(), cluster, dispatch);
    for (Operation &op : block)
      visitOp(&op, cluster, dispatch);
  }
}

/// The outlined dispatch function that a call goes to, or null.
Operation *Builder::outlinedCallee(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return nullptr;
  Operation *callee = symbols_.lookupNearestSymbolFrom(op, call.getCalleeAttr());
  return callee && callee->hasAttr(dispatchAttribute) ? callee : nullptr;
}

const OpCost &Builder::costOfOutlined(Operation *function) {
  auto [entry, added] = outlinedCosts_.try_emplace(function);
  if (added)
    entry->second = costOfDispatch(function);
  return entry->second;
}

void Builder::fillCosts(Operation *op, GraphNode &node) {
  OpCost cost;
  if (Operation *callee = outlinedCallee(op)) {
    cost = costOfOutlined(callee);
    node.kind = NodeKind::Dispatch;
    node.label = nameOfOutlined(callee);
    node.dispatch = addDispatch(node.label, classifyDispatch(callee), cost, findDispatchRoot(callee),
                                symbolName(callee));
  } else if (isDispatchRegion(op)) {
    cost = costOfDispatch(op);
    node.label = nameOfDispatch(op);
    node.dispatch = addDispatch(node.label, classifyDispatch(op), cost, findDispatchRoot(op));
  } else {
    cost = costOf(op);
  }
  node.flops = cost.flops;
  node.bytesRead = cost.bytesRead;
  node.bytesWritten = cost.bytesWritten;
}

void Builder::visitOp(Operation *op, int cluster, int dispatch) {
  if (auto found = group_.find(op); found != group_.end()) {
    dispatch = found->second;
    int &planned = groupCluster_[dispatch];
    if (planned < 0) {
      planned = function_->clusters.size();
      function_->clusters.push_back({.id = plannedClusterId(ids_.lookup(groups_[dispatch].root)),
                                     .parent = cluster,
                                     .label = function_->dispatches[dispatch].name,
                                     .kind = GraphCluster::Kind::Dispatch,
                                     .dispatch = dispatch,
                                     .yields = {},
                                     .entries = {}});
    }
    cluster = planned;
  }
  GraphNode node;
  node.id = ids_.lookup(op);
  node.op = asUtf8(op->getName().getStringRef().str());
  node.label = opLabel(op);
  node.kind = nodeKindOf(op);
  node.dispatch = dispatch;
  node.cluster = cluster;
  node.lines = printed_.linesOf(node.id);
  node.loc = locationOf(op->getLoc());
  for (Value result : op->getResults()) {
    node.results.push_back(nameOf(result));
    node.types.push_back(typeName(result.getType()));
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    node.iterators = llvm::join(
        llvm::map_range(linalgOp.getIteratorTypesArray(),
                        [](utils::IteratorType type) { return stringifyIteratorType(type); }),
        ", ");
    for (AffineMap map : linalgOp.getIndexingMapsArray())
      node.maps.push_back(printed(map));
  }
  fillCosts(op, node);
  node.label = asUtf8(std::move(node.label));
  if (node.dispatch >= 0)
    function_->dispatches[node.dispatch].nodes.push_back(node.id);
  dispatch = node.dispatch;
  nodes_.insert(op);
  inOrder_.push_back(op);
  function_->nodes.push_back(std::move(node));
  if (op->getNumRegions() > 0 && !hasPayloadRegion(op))
    openCluster(op, cluster, dispatch);
}

void Builder::openCluster(Operation *op, int parent, int dispatch) {
  bool hasBody = llvm::any_of(op->getRegions(), [](Region &region) { return !region.empty(); });
  if (!hasBody)
    return;
  int cluster = function_->clusters.size();
  bool isDispatch = isDispatchRegion(op);
  const GraphNode &node = function_->nodes.back();
  function_->clusters.push_back(
      {.id = node.id,
       .parent = parent,
       .label = node.label,
       .kind = isDispatch ? GraphCluster::Kind::Dispatch : GraphCluster::Kind::Region,
       .dispatch = isDispatch ? dispatch : -1,
       .yields = {},
       .entries = {}});
  for (Region &region : op->getRegions()) {
    // The second region of a dispatch only counts workgroups.
    if (isDispatch && region.getRegionNumber() > 0)
      break;
    visitRegion(region, cluster, dispatch);
  }
  connectBorder(op, function_->clusters[cluster]);
}

/// Finds which nodes inside stand behind the op's results, and where its operands go.
void Builder::connectBorder(Operation *op, GraphCluster &cluster) {
  if (op->getRegion(0).empty() || !op->getRegion(0).hasOneBlock())
    return;
  bool oneBody = op->getNumRegions() == 1 || isDispatchRegion(op);
  Block &body = op->getRegion(0).front();
  if (oneBody && !body.empty() && op->getNumResults() > 0) {
    Operation *last = &body.back();
    cluster.yields.assign(op->getNumResults(), {});
    if (last->getNumOperands() == op->getNumResults()) {
      for (auto [yield, value] : llvm::zip_equal(cluster.yields, last->getOperands()))
        if (op->getRegion(0).isAncestor(value.getParentRegion()))
          yield = {sourceOf(value), resultNumber(value)};
    } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      for (Operation &insert : forall.getTerminator().getYieldingOps())
        if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(insert))
          if (auto argument = dyn_cast<BlockArgument>(slice.getDest()))
            if (argument.getOwner() == &body && argument.getArgNumber() >= forall.getRank())
              cluster.yields[argument.getArgNumber() - forall.getRank()] = {ids_.lookup(&insert), 0};
    }
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    for (auto [init, argument] : llvm::zip(loop.getInitsMutable(), loop.getRegionIterArgs()))
      if (OpId node = sourceOf(argument); node != noNode)
        cluster.entries[init.getOperandNumber()] = node;
}

void Builder::addEdge(Value value, OpId to, unsigned operand) {
  OpId from = sourceOf(value);
  if (from == noNode || from == to)
    return;
  GraphEdge edge;
  edge.from = from;
  edge.to = to;
  edge.operand = operand;
  edge.result = resultNumber(value);
  edge.type = typeName(value.getType());
  edge.bytes = byteSize(value.getType()).value_or(-1);
  function_->edges.push_back(std::move(edge));
}

/// Edges come last: in a graph region a use may stand before its definition.
void Builder::addEdges() {
  for (Operation *op : inOrder_)
    addEdgesInto(op);
}

/// Edges into an op, and into its payload from outside.
void Builder::addEdgesInto(Operation *op) {
  OpId to = ids_.lookup(op);
  for (OpOperand &operand : op->getOpOperands())
    addEdge(operand.get(), to, operand.getOperandNumber());
  if (!hasPayloadRegion(op))
    return;
  unsigned next = op->getNumOperands();
  llvm::SmallDenseSet<Value> captured;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (sourceOf(value) != noNode && captured.insert(value).second)
          addEdge(value, to, next++);
    });
}

} // namespace

Graph buildGraph(ModuleOp module, const PrintedModule &printed) {
  return Builder(module, printed).build();
}

} // namespace fuselage
