#include "core/graph/build/GraphBuilder.h"
#include "core/analysis/buffers/BufferFlow.h"
#include "core/analysis/costs/OperandAccess.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/graph/build/DispatchSummary.h"
#include "core/graph/build/OpKind.h"
#include "core/graph/build/OpLabel.h"
#include "core/graph/build/PlannedGroups.h"
#include "core/graph/build/RegionBorder.h"
#include "core/graph/build/RepeatedCosts.h"
#include "core/graph/build/ScopeHints.h"
#include "core/graph/build/WeightArguments.h"
#include "core/graph/model/FlowIndex.h"
#include "core/graph/model/GraphNames.h"
#include "core/graph/model/Repeats.h"
#include "core/graph/model/Scopes.h"
#include "core/graph/model/StepScopes.h"
#include "core/ir/ops/NodeForms.h"
#include "core/ir/ops/NodeShapes.h"
#include "core/ir/ops/Parameters.h"
#include "core/ir/ops/Payload.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringSet.h"
#include <tuple>

using namespace mlir;

namespace fuselage {
namespace {

unsigned resultNumber(Value value) {
  auto result = dyn_cast<OpResult>(value);
  return result ? result.getResultNumber() : 0;
}

class Builder {
public:
  Builder(ModuleOp module, const PrintedModule *printed, const std::atomic<bool> *cancelled = nullptr,
          AsmState *names = nullptr)
      : module_(module), printed_(printed), cancelled_(cancelled), names_(module, names) {
    OpId next = 0;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { ids_[op] = next++; });
  }

  /// Leaves out what names of layers do without: bytes, types of edges, names and costs of planned dispatches.
  void wantNamesOnly(DispatchPlans &known) { plans_ = &known; }
  Graph build() {
    visitContainer(module_);
    chooseEntry();
    return std::move(graph_);
  }

private:
  bool stopped() const { return cancelled_ && cancelled_->load(std::memory_order_relaxed); }
  void chooseEntry();
  void visitContainer(Operation *container);
  void buildFunction(Operation *function);
  void buildLoose(Operation *container, ArrayRef<Operation *> ops, bool mayPlan);
  void startFunction(std::string name, OpId id);
  void planGroups(Operation *function, Region &body);
  void visitRegion(Region &region, int cluster, int dispatch);
  void visitOp(Operation *op, int cluster, int dispatch);
  int clusterOfGroup(int group, int parent);
  GraphNode nodeOf(Operation *op, const DecodedOp &decoded);
  std::string labelOf(Operation *op, const DecodedOp &decoded, int shape);
  void addDetails(Operation *op, GraphNode &node);
  void fillCosts(Operation *op, const DecodedOp &decoded, GraphNode &node);
  void openCluster(Operation *op, const DecodedOp &decoded, int cluster, int dispatch);
  void addArguments(Block &block, bool all, int cluster, int dispatch);
  void addEdges();
  void addEdgesInto(Operation *op, int shape);
  void addEdge(Value value, OpId to, unsigned operand, Bytes bytes);
  int addDispatch(GraphDispatch dispatch);
  OpId sourceOf(Value value) const;

  ModuleOp module_;
  const PrintedModule *printed_;       // or null
  const std::atomic<bool> *cancelled_; // or null
  GraphNames names_;
  DispatchSummaries summaries_;
  NodeShapes shapes_;
  NodeForms forms_;
  RepeatedCosts costs_;
  llvm::DenseMap<int, std::string> labels_; // of linalg ops that their names describe, by shape
  llvm::DenseMap<Operation *, OpId> ids_;
  llvm::DenseMap<Value, OpId> arguments_;
  llvm::DenseSet<Value> weightArguments_; // that nobody calls so
  llvm::DenseSet<Operation *> nodes_;
  std::vector<std::pair<Operation *, int>> inOrder_; // the function's nodes, with their shapes
  std::vector<std::string> places_;                  // by node: its place in the model, or empty
  llvm::StringSet<> called_;                         // symbols that are called somewhere
  std::vector<char> isPublic_;                       // by function
  OpId nextArgument_ = -1;
  Graph graph_;
  FunctionGraph *function_ = nullptr;
  std::vector<GraphCluster> path_; // containers around the function, without the module
  PlannedGroups planned_;
  DispatchPlans *plans_ = nullptr; // those that are known; null: the graph is not for names alone
  BufferFlow buffers_;             // of a function that calls dispatches
  std::vector<int> groupCluster_;  // planned dispatch -> cluster, -1 before its first op
};

/// The node that a value comes from; noNode for values of payloads.
OpId Builder::sourceOf(Value value) const {
  if (Operation *def = value.getDefiningOp())
    return nodes_.contains(def) ? ids_.lookup(def) : noNode;
  auto found = arguments_.find(value);
  return found == arguments_.end() ? noNode : found->second;
}

/// Where a program begins: of the functions that others may call and none in here does, the one that does most. Where
/// there is none, the one that does most of all.
void Builder::chooseEntry() {
  auto weight = [&](const FunctionGraph &function) {
    size_t index = &function - graph_.functions.data();
    bool begins = isPublic_[index] && !called_.contains(function.name);
    return std::tuple(!function.outlined, begins, function.nodes.size());
  };
  auto entry = llvm::max_element(graph_.functions,
                                 [&](const FunctionGraph &a, const FunctionGraph &b) { return weight(a) < weight(b); });
  if (entry != graph_.functions.end())
    entry->isEntry = true;
}

void Builder::startFunction(std::string name, OpId id) {
  graph_.functions.emplace_back();
  isPublic_.push_back(0);
  function_ = &graph_.functions.back();
  function_->name = std::move(name);
  function_->id = id;
  function_->clusters = path_;
  arguments_.clear();
  nodes_.clear();
  inOrder_.clear();
  places_.clear();
  planned_ = {};
  buffers_ = BufferFlow();
  groupCluster_.clear();
}

void Builder::visitContainer(Operation *container) {
  std::vector<Operation *> loose;
  bool holdsFunctions = false;
  for (Region &region : container->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        if (stopped())
          return;
        // The nameless module inside an executable says nothing.
        bool isSilent =
            isa<ModuleOp>(op) && !cast<ModuleOp>(op).getName() && decode(container).role == OpRole::Executable;
        if (isSilent) {
          visitContainer(&op);
          holdsFunctions = true;
        } else if (isContainer(&op)) {
          path_.push_back({.id = ids_.lookup(&op),
                           .parent = static_cast<int>(path_.size()) - 1,
                           .label = asUtf8(opLabel(&op)),
                           .kind = GraphCluster::Kind::Region,
                           .yields = {},
                           .entries = {}});
          visitContainer(&op);
          path_.pop_back();
          holdsFunctions = true;
        } else if (isFunctionLike(&op)) {
          buildFunction(&op);
          holdsFunctions = true;
        } else if (isShownAlone(&op)) {
          loose.push_back(&op);
        }
      }
  if (!loose.empty())
    buildLoose(container, loose, !holdsFunctions);
}

/// Ops outside of any function: a fragment of a function's body, if there is nothing else.
void Builder::buildLoose(Operation *container, ArrayRef<Operation *> ops, bool mayPlan) {
  startFunction("", ids_.lookup(container));
  if (mayPlan && container->getNumRegions() == 1)
    planGroups(container, container->getRegion(0));
  for (Operation *op : ops)
    visitOp(op, static_cast<int>(path_.size()) - 1, -1);
  addEdges();
}

int Builder::addDispatch(GraphDispatch dispatch) {
  dispatch.id = function_->dispatches.size();
  function_->dispatches.push_back(std::move(dispatch));
  return function_->dispatches.back().id;
}

/// Groups the ops of a function that are in no dispatch yet as the pass would.
void Builder::planGroups(Operation *function, Region &body) {
  bool formed = function
                    ->walk([&](Operation *inner) {
                      return summaries_.runsDispatch(inner) ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (formed)
    buffers_ = findBufferFlow(function);
  if (formed && !isPartlyFormed(function))
    return;
  bool isKnown = plans_ && plans_->contains(&body);
  planned_ = PlannedGroups(isKnown ? std::move(plans_->find(&body)->second) : planDispatches(body));
  for (const DispatchGroup &group : planned_.groups())
    addDispatch(plans_ ? GraphDispatch() : DispatchSummaries::ofGroup(group));
  groupCluster_.assign(planned_.groups().size(), -1);
}

void Builder::buildFunction(Operation *function) {
  if (llvm::all_of(function->getRegions(), [](Region &region) { return region.empty(); }))
    return;
  std::string name = functionName(function);
  startFunction(name, ids_.lookup(function));
  isPublic_.back() = SymbolTable::getSymbolVisibility(function) == SymbolTable::Visibility::Public;
  int cluster = function_->clusters.size(), dispatch = -1;
  function_->clusters.push_back({.id = ids_.lookup(function),
                                 .parent = cluster - 1,
                                 .label = "@" + name,
                                 .kind = GraphCluster::Kind::Function,
                                 .yields = {},
                                 .entries = {}});
  if (DispatchSummaries::isDispatchFunction(function)) {
    function_->outlined = true;
    dispatch = addDispatch(summaries_.ofFunction(function));
    function_->clusters.back().dispatch = dispatch;
  } else {
    planGroups(function, function->getRegion(0));
  }
  weightArguments_ = findWeightArguments(function);
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
    node.label = names_.nameOf(argument);
    node.kind = NodeKind::Argument;
    node.results = {node.label};
    node.types = {names_.nameOf(argument.getType())};
    node.loc = locationName(argument.getLoc());
    node.dispatch = dispatch;
    node.cluster = cluster;
    if (Operation *parent = block.getParentOp(); parent && printed_) {
      unsigned first = printed_->linesOf(ids_.lookup(parent)).first;
      node.lines = {first, first};
    }
    node.parameter = asUtf8(parameterName(argument));
    if (node.parameter.empty() && weightArguments_.contains(argument))
      node.parameter = llvm::StringRef(node.label).drop_front().str();
    arguments_[argument] = node.id;
    function_->nodes.push_back(std::move(node));
    places_.emplace_back();
  }
}

void Builder::visitRegion(Region &region, int cluster, int dispatch) {
  bool isFunctionBody = isFunctionLike(region.getParentOp());
  for (Block &block : region) {
    addArguments(block, isFunctionBody && block.isEntryBlock(), cluster, dispatch);
    for (Operation &op : block) {
      if (stopped())
        return;
      visitOp(&op, cluster, dispatch);
    }
  }
}

/// The cluster of a planned dispatch, made when its first op comes.
int Builder::clusterOfGroup(int group, int parent) {
  int &cluster = groupCluster_[group];
  if (cluster < 0) {
    cluster = function_->clusters.size();
    OpId root = ids_.lookup(planned_.groups()[group].root);
    function_->clusters.push_back({.id = plannedClusterId(root),
                                   .parent = parent,
                                   .label = function_->dispatches[group].name,
                                   .kind = GraphCluster::Kind::Dispatch,
                                   .dispatch = group,
                                   .yields = {},
                                   .entries = {}});
  }
  return cluster;
}

/// The labels of linalg ops take time, and most of them are those of all ops that look alike.
std::string Builder::labelOf(Operation *op, const DecodedOp &decoded, int shape) {
  bool isNamed = isa<linalg::LinalgOp>(op) && !isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op);
  if (!isNamed)
    return opLabel(op, decoded);
  auto [entry, isNew] = labels_.try_emplace(shape);
  if (isNew)
    entry->second = opLabel(op, decoded);
  return entry->second;
}

/// What an op is by itself.
GraphNode Builder::nodeOf(Operation *op, const DecodedOp &decoded) {
  GraphNode node;
  node.id = ids_.lookup(op);
  node.op = asUtf8(displayName(op));
  node.kind = nodeKindOf(op, decoded);
  node.shape = shapes_.of(op);
  node.form = forms_.of(op, node.shape);
  node.label = labelOf(op, decoded, node.shape);
  node.parameter = parameterOf(op, decoded);
  if (buffers_.carriers.contains(op))
    node.kind = NodeKind::Empty;
  for (Type type : op->getResultTypes())
    node.types.push_back(names_.nameOf(type));
  if (printed_)
    addDetails(op, node);
  return node;
}

/// What a picture does without.
void Builder::addDetails(Operation *op, GraphNode &node) {
  node.lines = printed_->linesOf(node.id);
  node.loc = locationName(op->getLoc());
  for (Value result : op->getResults())
    node.results.push_back(names_.nameOf(result));
  node.iterators = iteratorsOf(op);
  for (AffineMap map : indexingMapsOf(op))
    node.maps.push_back(names_.nameOf(map));
}

void Builder::fillCosts(Operation *op, const DecodedOp &decoded, GraphNode &node) {
  OpCost cost;
  if (std::optional<GraphDispatch> dispatch = summaries_.ofOp(op, decoded)) {
    cost = {dispatch->flops, dispatch->bytesRead, dispatch->bytesWritten, dispatch->bytesAtMost};
    node.kind = NodeKind::Dispatch;
    node.label = dispatch->name;
    node.dispatch = addDispatch(std::move(*dispatch));
  } else if (plans_) {
    cost.flops = flopsOf(op);
  } else {
    cost = costs_.of(op, node.shape);
  }
  node.flops = cost.flops;
  node.bytesRead = cost.bytesRead;
  node.bytesWritten = cost.bytesWritten;
  node.bytesAtMost = cost.bytesAtMost;
}

void Builder::visitOp(Operation *op, int cluster, int dispatch) {
  if (int group = planned_.groupOf(op); group >= 0) {
    dispatch = group;
    cluster = clusterOfGroup(group, cluster);
  }
  DecodedOp decoded = decode(op);
  GraphNode node = nodeOf(op, decoded);
  node.dispatch = dispatch;
  node.cluster = cluster;
  fillCosts(op, decoded, node);
  node.label = asUtf8(std::move(node.label));
  if (node.dispatch >= 0)
    function_->dispatches[node.dispatch].nodes.push_back(node.id);
  dispatch = node.dispatch;
  if (auto callee = op->getAttrOfType<SymbolRefAttr>("callee"))
    called_.insert(callee.getLeafReference());
  nodes_.insert(op);
  inOrder_.emplace_back(op, node.shape);
  function_->nodes.push_back(std::move(node));
  places_.push_back(placeInModel(op->getLoc()));
  if (op->getNumRegions() > 0 && !hasPayloadRegion(op))
    openCluster(op, decoded, cluster, dispatch);
}

void Builder::openCluster(Operation *op, const DecodedOp &decoded, int parent, int dispatch) {
  bool hasBody = llvm::any_of(op->getRegions(), [](Region &region) { return !region.empty(); });
  if (!hasBody)
    return;
  int cluster = function_->clusters.size();
  bool isDispatch = decoded.role == OpRole::DispatchRegion;
  const GraphNode &node = function_->nodes.back();
  function_->clusters.push_back({.id = node.id,
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
  connectBorder(
      op, decoded, function_->clusters[cluster],
      [&](Value value) {
        return GraphValue{sourceOf(value), resultNumber(value)};
      },
      [&](Operation *inner) { return ids_.lookup(inner); });
}

void Builder::addEdge(Value value, OpId to, unsigned operand, Bytes bytes) {
  OpId from = sourceOf(value);
  if (from == noNode || from == to)
    return;
  GraphEdge edge;
  edge.from = from;
  edge.to = to;
  edge.operand = operand;
  edge.result = resultNumber(value);
  if (!plans_)
    edge.type = names_.nameOf(value.getType());
  edge.bytes = bytes.count;
  edge.bytesAtMost = bytes.atMost;
  function_->edges.push_back(std::move(edge));
}

/// Edges come last: in a graph region a use may stand before its definition.
void Builder::addEdges() {
  for (auto [op, shape] : inOrder_) {
    if (stopped())
      return;
    addEdgesInto(op, shape);
  }
  FlowIndex flow(*function_);
  for (size_t n = 0; n < function_->nodes.size(); ++n) {
    function_->nodes[n].isWeight = flow.isWeight(static_cast<int>(n));
    function_->nodes[n].isLeaf = flow.leafOf(static_cast<int>(n)) >= 0;
  }
  findScopes(*function_, flow, places_);
  std::vector<GraphRepeat> repeats = findRepeats(flow);
  addStepScopes(*function_, repeats);
  function_->repeats = repeatsBesides(*function_, std::move(repeats));
  llvm::append_range(function_->repeats, repeatsOfLayers(*function_));
}

/// Edges into an op, and into its payload from outside. Between a binding and an access to it, only
/// the tile moves; what is stored into hands nothing on.
void Builder::addEdgesInto(Operation *op, int shape) {
  OpId to = ids_.lookup(op);
  DecodedOp decoded = decode(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Bytes bytes{.count = plans_ ? 0 : names_.bytesOf(operand.get().getType())};
    if (decoded.tile.tileType && operand.get() == decoded.tile.source)
      bytes.count = decoded.role == OpRole::TileLoad ? names_.bytesOf(decoded.tile.tileType) : -1;
    else if (decoded.tile.tileType && operand.get() == decoded.tile.stored)
      bytes.count = names_.bytesOf(decoded.tile.tileType);
    else if (bytes.count > 0)
      bytes = costs_.accessOf(operand, shape);
    addEdge(operand.get(), to, operand.getOperandNumber(), bytes);
    if (Operation *writer = buffers_.writers.lookup(&operand); writer && nodes_.contains(writer))
      function_->edges.push_back({.from = ids_.lookup(writer),
                                  .to = to,
                                  .operand = operand.getOperandNumber(),
                                  .result = 0,
                                  .type = names_.nameOf(operand.get().getType()),
                                  .bytes = bytes.count,
                                  .bytesAtMost = bytes.atMost});
  }
  if (!hasPayloadRegion(op))
    return;
  unsigned next = op->getNumOperands();
  llvm::SmallDenseSet<Value> captured;
  auto accesses = payloadAccesses(op);
  auto bytesOf = [&](Value value) {
    auto access = accesses.find(value);
    return access == accesses.end() ? Bytes{.count = names_.bytesOf(value.getType())} : access->second.bytes;
  };
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (sourceOf(value) != noNode && captured.insert(value).second)
          addEdge(value, to, next++, bytesOf(value));
    });
}

} // namespace

Graph buildGraph(ModuleOp module, const PrintedModule &printed) { return Builder(module, &printed).build(); }
Graph buildGraph(ModuleOp module, const PrintedModule &printed, PrintedNames &names) {
  return Builder(module, &printed, nullptr, &*names.state).build();
}

Graph buildGraph(ModuleOp module) { return Builder(module, nullptr).build(); }
Graph buildGraphForNames(ModuleOp module, DispatchPlans plans) {
  Builder builder(module, nullptr);
  builder.wantNamesOnly(plans);
  return builder.build();
}
std::optional<Graph> buildGraph(ModuleOp module, const std::atomic<bool> &cancelled) {
  Graph graph = Builder(module, nullptr, &cancelled).build();
  if (cancelled)
    return std::nullopt;
  return graph;
}

} // namespace fuselage
