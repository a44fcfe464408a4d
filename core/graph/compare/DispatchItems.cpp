#include "core/graph/compare/DispatchItems.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/InductorOps.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/flow/Flow.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/ir/layers/EqualOps.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// Extents of an op's loops; empty: not known.
SmallVector<int64_t> loopExtents(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getStaticLoopRanges();
  if (std::optional<ForeignWork> work = xlaWork(op))
    return work->extents;
  // Others are as large as the largest tensor that they touch.
  SmallVector<int64_t> extents;
  int64_t most = -1;
  auto look = [&](Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (shaped && shaped.hasStaticShape() && shaped.getNumElements() > most) {
      most = shaped.getNumElements();
      extents = SmallVector<int64_t>(shaped.getShape());
    }
  };
  llvm::for_each(op->getOperandTypes(), look);
  llvm::for_each(op->getResultTypes(), look);
  return extents;
}

/// Files that the user wrote; places in a tool's log tell nothing.
void addPlaces(Location location, std::set<std::string> &marks) {
  location->walk([&](Location inner) {
    if (auto place = dyn_cast<FileLineColLoc>(inner); place && !place.getFilename().getValue().ends_with(".log"))
      marks.insert(
          (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str());
    else if (auto name = dyn_cast<NameLoc>(inner); name && name.getName().getValue().contains('.'))
      marks.insert(name.getName().str());
    return WalkResult::advance();
  });
}

/// Names with the modules around the op, such as those that JAX gives: XLA keeps them in its metadata. Payloads have
/// those of the ops that were fused into this one.
void addExporterNames(Operation *op, std::set<std::string> &names) {
  op->walk([&](Operation *part) {
    part->getLoc()->walk([&](Location inner) {
      if (auto name = dyn_cast<NameLoc>(inner); name && name.getName().getValue().contains('/'))
        names.insert(name.getName().str());
      return WalkResult::advance();
    });
  });
}

WorkItem::Kind kindOfItem(const ForeignWork &work) {
  switch (work.kind) {
  case ForeignWork::Kind::Move:
    return WorkItem::Kind::Move;
  case ForeignWork::Kind::Elementwise:
    return WorkItem::Kind::Elementwise;
  case ForeignWork::Kind::Reduction:
    return WorkItem::Kind::Reduction;
  case ForeignWork::Kind::Contraction:
    return WorkItem::Kind::Contraction;
  case ForeignWork::Kind::Convolution:
    return WorkItem::Kind::Convolution;
  case ForeignWork::Kind::Other:
    return WorkItem::Kind::Other;
  }
  return WorkItem::Kind::Other;
}

WorkItem::Kind kindOfItem(Operation *op) {
  if (std::optional<ForeignWork> work = xlaWork(op))
    return kindOfItem(*work);
  if (!isComputeOp(op))
    return WorkItem::Kind::Other;
  switch (kindOf(op)) {
  case DispatchKind::Contraction:
    return WorkItem::Kind::Contraction;
  case DispatchKind::Convolution:
    return WorkItem::Kind::Convolution;
  case DispatchKind::Reduction:
    return WorkItem::Kind::Reduction;
  case DispatchKind::Elementwise:
    break;
  case DispatchKind::Other:
    return WorkItem::Kind::Other;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool moves = isCheapProducer(op) || isa<linalg::TransposeOp, linalg::BroadcastOp, linalg::CopyOp>(op) ||
               (linalgOp && findMovedInput(linalgOp));
  return moves ? WorkItem::Kind::Move : WorkItem::Kind::Elementwise;
}

/// Of an iteration domain; a dynamic one has no size.
void setExtents(WorkItem &item, ArrayRef<int64_t> extents) {
  item.size = -1;
  item.extents.clear();
  if (extents.empty() || llvm::any_of(extents, ShapedType::isDynamic))
    return;
  item.size = 1;
  for (int64_t extent : extents) {
    item.size *= extent;
    if (extent != 1)
      item.extents.push_back(extent);
  }
  llvm::sort(item.extents);
}

/// Adds an item, unless it goes on with the elementwise work before it: data that moves in between, such as a scalar
/// that is spread, is no other work.
void append(WorkItem item, std::vector<WorkItem> &items) {
  auto last =
      llvm::find_if(llvm::reverse(items), [](const WorkItem &each) { return each.kind != WorkItem::Kind::Move; });
  bool isElementwise = item.kind == WorkItem::Kind::Elementwise;
  if (last != items.rend() && isElementwise && last->kind == item.kind && last->size == item.size)
    last->marks.merge(item.marks);
  else
    items.push_back(std::move(item));
}

/// As others have it: the scores, their softmax (the largest, exp of what is left, the sum, the quotient), the product
/// with the values.
void addAttention(flow::AttentionOp op, WorkItem item, std::vector<WorkItem> &items) {
  using Kind = WorkItem::Kind;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), scores, first, second;
  AffineMap written = op.getIndexingMapsArray().back();
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    bool isScore = int64_t(loop) < op.getScoreRank();
    if (isScore)
      scores.push_back(range);
    if (isScore || !written.isFunctionOfDim(loop))
      first.push_back(range);
    if (isScore || written.isFunctionOfDim(loop))
      second.push_back(range);
  }
  auto add = [&](Kind kind, ArrayRef<int64_t> extents) {
    item.kind = kind;
    setExtents(item, extents);
    items.push_back(item);
  };
  add(Kind::Contraction, first);
  for (Kind kind : {Kind::Reduction, Kind::Elementwise, Kind::Reduction, Kind::Elementwise})
    add(kind, scores);
  add(Kind::Contraction, second);
}

/// Makes items of a module's ops.
class Itemizer {
public:
  explicit Itemizer(ModuleOp module) : graph_(buildGraph(module)) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops_.push_back(op); });
    for (const FunctionGraph &function : graph_.functions)
      functions_[function.name] = &function;
  }

  ItemizedProgram run() {
    ItemizedProgram program;
    for (const FunctionGraph &function : graph_.functions) {
      if (function.outlined)
        continue;
      std::vector<const GraphDispatch *> inOrder;
      for (const GraphDispatch &dispatch : function.dispatches)
        if (!dispatch.nodes.empty())
          inOrder.push_back(&dispatch);
      // By their last ops: planned ones interleave.
      llvm::stable_sort(inOrder,
                        [](const GraphDispatch *a, const GraphDispatch *b) { return lastOf(*a) < lastOf(*b); });
      size_t first = program.dispatches.size();
      for (const GraphDispatch *dispatch : inOrder) {
        program.planned |= isPlanned(function, *dispatch);
        program.dispatches.push_back(itemize(function, *dispatch, program.dispatches.size()));
      }
      addReaders(function, program, first);
    }
    return program;
  }

private:
  static OpId lastOf(const GraphDispatch &dispatch) { return *llvm::max_element(dispatch.nodes); }

  static bool isPlanned(const FunctionGraph &function, const GraphDispatch &dispatch) {
    return llvm::any_of(function.clusters, [&](const GraphCluster &cluster) {
      return cluster.kind == GraphCluster::Kind::Dispatch && cluster.dispatch == dispatch.id &&
             isPlannedCluster(cluster.id);
    });
  }

  /// Of the function's dispatches, which are those from number `first` on.
  static void addReaders(const FunctionGraph &function, ItemizedProgram &program, size_t first) {
    std::map<OpId, unsigned> dispatchOf;
    for (unsigned index = first; index < program.dispatches.size(); ++index) {
      const ItemizedDispatch &dispatch = program.dispatches[index];
      dispatchOf[dispatch.op] = index;
      for (OpId node : dispatch.summary.nodes)
        dispatchOf[node] = index;
    }
    for (const GraphEdge &edge : function.edges) {
      auto from = dispatchOf.find(edge.from), to = dispatchOf.find(edge.to);
      if (from != dispatchOf.end() && to != dispatchOf.end() && from->second != to->second)
        program.dispatches[from->second].readers.push_back(to->second);
    }
  }

  ItemizedDispatch itemize(const FunctionGraph &function, const GraphDispatch &dispatch, unsigned index) {
    ItemizedDispatch itemized{
        .op = lastOf(dispatch), .summary = dispatch, .items = {}, .names = {}, .readers = {}, .forms = {}};
    std::vector<const GraphNode *> nodes = nodesOf(function, dispatch, itemized.op);
    for (const GraphNode *node : nodes) {
      add(*node, index, itemized.items);
      if (node->id >= 0 && node->kind != NodeKind::Argument)
        itemized.forms.push_back(equal_.of(ops_[node->id]));
      if (node->id >= 0)
        addExporterNames(ops_[node->id], itemized.names);
    }
    // Data that only moves tells two dispatches apart where there is nothing else.
    if (llvm::any_of(itemized.items, [](const WorkItem &item) { return item.kind != WorkItem::Kind::Move; }))
      llvm::erase_if(itemized.items, [](const WorkItem &item) { return item.kind == WorkItem::Kind::Move; });
    if (itemized.items.empty())
      itemized.items.push_back({.kind = WorkItem::Kind::Other,
                                .size = -1,
                                .extents = {},
                                .marks = {},
                                .label = dispatch.name,
                                .dispatch = index,
                                .company = 0});
    std::string company;
    for (const WorkItem &item : itemized.items)
      company += std::to_string(int(item.kind)) + ":" + std::to_string(item.size) + ",";
    for (WorkItem &item : itemized.items)
      item.company = llvm::xxh3_64bits(company);
    return itemized;
  }

  /// The ops that make it up, wherever its body stands; `op` becomes what holds it.
  std::vector<const GraphNode *> nodesOf(const FunctionGraph &function, const GraphDispatch &dispatch, OpId &op) {
    std::vector<const GraphNode *> nodes;
    const FunctionGraph *body = &function;
    if (auto outlined = functions_.find(dispatch.function);
        !dispatch.function.empty() && outlined != functions_.end()) {
      body = outlined->second;
      for (const GraphNode &node : body->nodes)
        nodes.push_back(&node);
      return nodes;
    }
    std::set<OpId> inside(dispatch.nodes.begin(), dispatch.nodes.end());
    for (const GraphNode &node : body->nodes)
      if (inside.count(node.id))
        nodes.push_back(&node);
    for (const GraphCluster &cluster : function.clusters)
      if (cluster.kind == GraphCluster::Kind::Dispatch && cluster.dispatch == dispatch.id && cluster.id >= 0)
        op = cluster.id;
    return nodes;
  }

  void add(const GraphNode &node, unsigned dispatch, std::vector<WorkItem> &items) {
    if (node.id < 0)
      return;
    Operation *op = ops_[node.id];
    if (node.kind != NodeKind::Compute && !xlaWork(op))
      return;
    WorkItem item{.kind = kindOfItem(op),
                  .size = -1,
                  .extents = {},
                  .marks = {},
                  .label = node.label.str(),
                  .dispatch = dispatch,
                  .company = 0};
    addPlaces(op->getLoc(), item.marks);
    SmallVector<ForeignWork> pieces = inductorWork(op);
    for (const ForeignWork &piece : pieces) {
      WorkItem part = item;
      part.kind = kindOfItem(piece);
      setExtents(part, piece.extents);
      append(std::move(part), items);
    }
    if (!pieces.empty())
      return;
    setExtents(item, loopExtents(op));
    if (isa<linalg::SoftmaxOp>(op)) {
      // As others have it: the largest, exp of what is left, the sum, the quotient.
      using Kind = WorkItem::Kind;
      for (Kind kind : {Kind::Reduction, Kind::Elementwise, Kind::Reduction, Kind::Elementwise}) {
        item.kind = kind;
        items.push_back(item);
      }
      return;
    }
    if (auto attention = dyn_cast<flow::AttentionOp>(op)) {
      addAttention(attention, item, items);
      return;
    }
    if (item.kind == WorkItem::Kind::Elementwise)
      return append(std::move(item), items);
    // Contractions of one input that became one op are still that many.
    unsigned count = isSiblingContraction(op) ? std::max(op->getNumResults(), 1u) : 1;
    items.insert(items.end(), count, item);
  }

  Graph graph_;
  std::vector<Operation *> ops_; // by OpId
  EqualOps equal_;
  std::map<std::string, const FunctionGraph *> functions_;
};

} // namespace

bool ItemizedDispatch::onlyMoves() const {
  return llvm::all_of(items, [](const WorkItem &item) { return item.kind == WorkItem::Kind::Move; });
}

ItemizedProgram itemize(ModuleOp module) { return Itemizer(module).run(); }

} // namespace fuselage
