#include "core/graph/build/GraphBuilder.h"
#include "core/analysis/costs/OperandAccess.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/graph/build/DispatchSummary.h"
#include "core/graph/build/OpKind.h"
#include "core/graph/build/OpLabel.h"
#include "core/graph/build/PartNodes.h"
#include "core/graph/build/RegionBorder.h"
#include "core/graph/build/RepeatedCosts.h"
#include "core/graph/build/ScopeHints.h"
#include "core/graph/model/FlowIndex.h"
#include "core/graph/model/GraphNames.h"
#include "core/graph/model/Repeats.h"
#include "core/graph/model/Scopes.h"
#include "core/graph/model/StepScopes.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/ops/Payload.h"
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
  Builder(ModuleOp module, const PrintedModule *printed, const std::atomic<bool> *cancelled = nullptr)
      : module_(module), printed_(printed), cancelled_(cancelled), names_(module), partNodes_(ids_, names_, cancelled) {
    OpId next = 0;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { ids_[op] = next++; });
  }

  /// Prints the module, for lines and names.
  void wantText() { wantsText_ = true; }
  /// Leaves out what names of layers do without: bytes, types of edges, names and costs of planned dispatches.
  void wantNamesOnly(DispatchPlans &known) { plans_ = &known; }
  Graph build();

private:
  bool stopped() const { return cancelled_ && cancelled_->load(std::memory_order_relaxed); }
  void chooseEntry();
  void prepare();
  void makeNodes();
  void nameValues();
  void build(Part &part, PartPlan plan);
  void buildFunction(Operation *function);
  void startFunction(const Part &part);
  void visitRegion(Region &region, int cluster, int dispatch);
  void visitOp(Operation *op, int cluster, int dispatch);
  int clusterOfGroup(int group, int parent);
  void fillCosts(Operation *op, const DecodedOp &decoded, GraphNode &node);
  void openCluster(Operation *op, const DecodedOp &decoded, const GraphNode &node, int cluster, int dispatch);
  void addEdges();
  void addEdgesInto(Operation *op, int shape);
  void addEdge(Value value, OpId to, unsigned operand, Bytes bytes);
  int addDispatch(GraphDispatch dispatch);
  OpId sourceOf(Value value) const;

  ModuleOp module_;
  const PrintedModule *printed_; // or null
  bool wantsText_ = false;
  PrintedNames textNames_;
  std::optional<PrintedModule> text_;  // if it is wanted
  const std::atomic<bool> *cancelled_; // or null
  GraphNames names_;
  PartNodes partNodes_;
  std::vector<Part> parts_;
  std::vector<PartPlan> planOf_; // by part
  DispatchSummaries summaries_;
  RepeatedCosts costs_;
  llvm::DenseMap<Operation *, OpId> ids_;
  llvm::DenseMap<Value, OpId> arguments_;
  llvm::DenseSet<Operation *> nodes_;
  std::vector<std::pair<Operation *, int>> inOrder_; // the function's nodes, with their shapes
  std::vector<std::string> places_;                  // by node: its place in the model, or empty
  llvm::StringSet<> called_;                         // symbols that are called somewhere
  std::vector<char> isPublic_;                       // by function
  Graph graph_;
  FunctionGraph *function_ = nullptr;
  size_t next_ = 0; // the first of its nodes that was not visited
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

void Builder::startFunction(const Part &part) {
  graph_.functions.emplace_back();
  isPublic_.push_back(0);
  function_ = &graph_.functions.back();
  if (part.isFunction)
    function_->name = functionName(part.holder);
  function_->id = ids_.lookup(part.holder);
  function_->clusters = part.path;
  arguments_.clear();
  nodes_.clear();
  inOrder_.clear();
  places_.clear();
  next_ = 0;
}

void Builder::makeNodes() {
  for (Part &part : parts_)
    partNodes_.make(part);
}

/// By the text, if there is one.
void Builder::nameValues() {
  if (wantsText_) {
    printed_ = &text_.emplace(module_, &textNames_);
    names_.know(*textNames_.state);
  } else if (printed_) {
    names_.numberAll();
  }
}

/// Plans the dispatches, sums them up, makes the nodes and prints; then the nodes get what the text says. Of a large
/// module two threads share both. Nobody changes the ops, and tables are apart: of what both use, only
/// `ids_` is written before.
void Builder::prepare() {
  constexpr size_t many = 1500;
  auto plan = [&] {
    PartPlanner planner(plans_);
    for (const Part &part : parts_)
      planOf_.push_back(stopped() ? PartPlan() : planner.planOf(part));
  };
  auto sumUp = [&](bool first) {
    if (!plans_) // names need neither bytes nor names of dispatches
      summarize(planOf_, first);
  };
  auto addDetails = [&](bool first) { partNodes_.addDetails(parts_, printed_, first); };
  if (ids_.size() >= many && !plans_ && hasTwoProcessors()) {
    // Printing takes as long as all the rest.
    auto planAndMore = [&] {
      plan();
      if (!wantsText_)
        return;
      makeNodes();
      sumUp(true);
      sumUp(false);
    };
    auto nameAndMore = [&] {
      if (!wantsText_)
        makeNodes();
      nameValues();
    };
    auto finish = [&](bool first) {
      if (!wantsText_)
        sumUp(first);
      addDetails(first);
    };
    runBoth(*module_.getContext(), planAndMore, nameAndMore);
    runBoth(
        *module_.getContext(), [&] { finish(true); }, [&] { finish(false); });
  } else {
    makeNodes();
    nameValues();
    plan();
    for (bool first : {true, false}) {
      sumUp(first);
      addDetails(first);
    }
  }
  for (Part &part : parts_)
    part.sources = {};
}

Graph Builder::build() {
  parts_ = findParts(module_, ids_);
  prepare();
  for (size_t number = 0; number < parts_.size() && !stopped(); ++number)
    build(parts_[number], std::move(planOf_[number]));
  chooseEntry();
  return std::move(graph_);
}

int Builder::addDispatch(GraphDispatch dispatch) {
  dispatch.id = function_->dispatches.size();
  function_->dispatches.push_back(std::move(dispatch));
  return function_->dispatches.back().id;
}

void Builder::build(Part &part, PartPlan plan) {
  startFunction(part);
  function_->nodes = std::move(part.nodes);
  planned_ = std::move(plan.groups);
  buffers_ = std::move(plan.buffers);
  groupCluster_.assign(planned_.groups().size(), -1);
  for (GraphDispatch &dispatch : plan.dispatches)
    addDispatch(std::move(dispatch));
  if (part.isFunction)
    buildFunction(part.holder);
  for (Operation *op : part.loose)
    visitOp(op, static_cast<int>(part.path.size()) - 1, -1);
  addEdges();
}

void Builder::buildFunction(Operation *function) {
  isPublic_.back() = SymbolTable::getSymbolVisibility(function) == SymbolTable::Visibility::Public;
  int cluster = function_->clusters.size(), dispatch = -1;
  function_->clusters.push_back({.id = ids_.lookup(function),
                                 .parent = cluster - 1,
                                 .label = "@" + function_->name,
                                 .kind = GraphCluster::Kind::Function,
                                 .yields = {},
                                 .entries = {}});
  if (DispatchSummaries::isDispatchFunction(function)) {
    function_->outlined = true;
    dispatch = addDispatch(summaries_.ofFunction(function));
    function_->clusters.back().dispatch = dispatch;
  }
  for (Region &region : function->getRegions())
    visitRegion(region, cluster, dispatch);
}

void Builder::visitRegion(Region &region, int cluster, int dispatch) {
  for (Block &block : region) {
    for (BlockArgument argument : shownArguments(block)) {
      GraphNode &node = function_->nodes[next_++];
      node.dispatch = dispatch;
      node.cluster = cluster;
      arguments_[argument] = node.id;
      places_.emplace_back();
    }
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

void Builder::fillCosts(Operation *op, const DecodedOp &decoded, GraphNode &node) {
  OpCost cost;
  if (std::optional<GraphDispatch> dispatch = summaries_.ofOp(op, decoded)) {
    cost = {dispatch->flops, dispatch->bytesRead, dispatch->bytesWritten, dispatch->bytesAtMost};
    node.kind = NodeKind::Dispatch;
    node.label = asUtf8(dispatchLabel(op, *dispatch));
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
  GraphNode &node = function_->nodes[next_++];
  if (buffers_.carriers.contains(op))
    node.kind = NodeKind::Empty;
  node.dispatch = dispatch;
  node.cluster = cluster;
  fillCosts(op, decoded, node);
  if (node.dispatch >= 0)
    function_->dispatches[node.dispatch].nodes.push_back(node.id);
  dispatch = node.dispatch;
  if (auto callee = op->getAttrOfType<SymbolRefAttr>("callee"))
    called_.insert(callee.getLeafReference());
  nodes_.insert(op);
  inOrder_.emplace_back(op, node.shape);
  places_.push_back(placeInModel(op->getLoc()));
  if (!shownRegions(op, decoded).empty())
    openCluster(op, decoded, node, cluster, dispatch);
}

void Builder::openCluster(Operation *op, const DecodedOp &decoded, const GraphNode &node, int parent, int dispatch) {
  int cluster = function_->clusters.size();
  bool isDispatch = decoded.role == OpRole::DispatchRegion;
  function_->clusters.push_back({.id = node.id,
                                 .parent = parent,
                                 .label = node.label.str(),
                                 .kind = isDispatch ? GraphCluster::Kind::Dispatch : GraphCluster::Kind::Region,
                                 .dispatch = isDispatch ? dispatch : -1,
                                 .yields = {},
                                 .entries = {}});
  for (Region &region : shownRegions(op, decoded))
    visitRegion(region, cluster, dispatch);
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
  size_t operands = 0;
  for (auto [op, shape] : inOrder_)
    operands += op->getNumOperands();
  function_->edges.reserve(operands);
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
Graph buildGraphWithText(ModuleOp module) {
  Builder builder(module, nullptr);
  builder.wantText();
  return builder.build();
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
