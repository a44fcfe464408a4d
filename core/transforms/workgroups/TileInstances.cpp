#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

/// Product that counts dynamic factors as 1 and does not overflow.
static int64_t volume(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    if (!ShapedType::isDynamic(extent) && product < (int64_t(1) << 40))
      product *= extent;
  return product;
}

/// The map from loops to the dimensions of an operand or result of a tileable op.
static AffineMap mapOf(TilingInterface op, OpOperand &operand) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return structured.getMatchingIndexingMap(&operand);
  return AffineMap::getMultiDimIdentityMap(op.getLoopIteratorTypes().size(), op->getContext());
}

/// The map from loops to the dimensions of result `number`.
static AffineMap resultMap(TilingInterface op, unsigned number) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return structured.getIndexingMapMatchingResult(op->getResult(number));
  return AffineMap::getMultiDimIdentityMap(op.getLoopIteratorTypes().size(), op->getContext());
}

/// How far `expr` reaches for the given iterations by loop: 1 + the sum of coefficient times
/// (iterations - 1). kDynamic if unknown.
static int64_t reach(AffineExpr expr, ArrayRef<int64_t> extents) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return extents[dim.getPosition()];
  if (isa<AffineConstantExpr>(expr))
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return ShapedType::kDynamic;
  int64_t left = reach(binary.getLHS(), extents);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (ShapedType::isDynamic(left))
    return left;
  if (binary.getKind() == AffineExprKind::Mul && factor)
    return (left - 1) * std::abs(factor.getValue()) + 1;
  int64_t right = reach(binary.getRHS(), extents);
  if (binary.getKind() == AffineExprKind::Add && !ShapedType::isDynamic(right))
    return left + right - 1;
  return ShapedType::kDynamic;
}

/// Where one dimension of a consumer's operand lies: what it moves with and how far it reaches.
struct Demand {
  int follows;
  int64_t extent, step;
};

/// What `consumer` wants of dimension `dim` (of `size` elements) of `operand`.
static Demand demandOf(const TileInstance &consumer, OpOperand &operand, unsigned dim, int64_t size) {
  auto bounded = [&](int64_t reached) {
    if (ShapedType::isDynamic(reached) || ShapedType::isDynamic(size))
      return ShapedType::isDynamic(reached) ? size : reached;
    return std::min(reached, size);
  };
  AffineExpr expr = mapOf(consumer.tiling(), operand).getResult(dim);
  if (auto pad = dyn_cast<tensor::PadOp>(consumer.op)) {
    bool cut = !isConstantIntValue(pad.getMixedLowPad()[dim], 0) || !isConstantIntValue(pad.getMixedHighPad()[dim], 0);
    return {cut ? TileInstance::window : consumer.follows[dim], bounded(consumer.extent[dim]),
            bounded(consumer.step[dim])};
  }
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return {consumer.follows[loop.getPosition()], consumer.extent[loop.getPosition()],
            consumer.step[loop.getPosition()]};
  if (isa<AffineConstantExpr>(expr)) // the slice keeps the whole dimension
    return {TileInstance::whole, size, size};
  bool moves = false;
  for (auto [loop, root] : llvm::enumerate(consumer.follows))
    moves |= expr.isFunctionOfDim(loop) && root != TileInstance::whole;
  return {moves ? TileInstance::window : TileInstance::whole, bounded(reach(expr, consumer.extent)),
          bounded(reach(expr, consumer.step))};
}

/// True if `op` is computed for one other op only.
static bool hasOneConsumer(Operation *op) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) { return user == *op->user_begin(); });
}

/// Cuts the reduction loops of `instance` into its serial steps.
static void addCuts(TileInstance &instance, const llvm::SmallPtrSetImpl<Operation *> &roots,
                    const TargetStrategy &strategy) {
  bool hasFusedInput = llvm::any_of(instance.op->getOperands(), [&](Value operand) {
    TilingInterface producer = asTileable(operand.getDefiningOp());
    return producer && producer->getBlock() == instance.op->getBlock() && !roots.contains(producer) &&
           isAllParallel(producer) && !isa<linalg::FillOp>(producer.getOperation());
  });
  instance.cuts = strategy.reductionSteps(instance.tiling(), hasFusedInput);
  for (auto [loop, cut] : llvm::enumerate(instance.cuts))
    if (cut != 0)
      instance.step[loop] = cut;
}

/// The instance of `producer` that `operand` of `consumer` asks for.
static TileInstance instanceFor(TilingInterface producer, const TileInstance &consumer, OpOperand &operand) {
  TileInstance instance;
  instance.op = producer;
  instance.extent = loopRanges(producer);
  instance.step = instance.extent;
  instance.follows.assign(instance.extent.size(), TileInstance::whole);
  auto result = cast<OpResult>(operand.get());
  bool movesIntoLoop = isAllParallel(producer) && hasOneConsumer(producer);
  AffineMap map = resultMap(producer, result.getResultNumber());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    Demand demand = demandOf(consumer, operand, dim, shape[dim]);
    instance.follows[loop] = demand.follows;
    instance.extent[loop] = demand.extent;
    instance.step[loop] = movesIntoLoop ? demand.step : demand.extent;
  }
  auto destination = dyn_cast<DestinationStyleOpInterface>(consumer.op);
  instance.inPlace = destination && destination.isDpsInit(&operand);
  return instance;
}

std::vector<TileInstance> tileInstances(TilingInterface root, ArrayRef<int64_t> rootTile,
                                        ArrayRef<TilingInterface> candidates,
                                        const llvm::SmallPtrSetImpl<Operation *> &roots,
                                        const TargetStrategy &strategy) {
  TileInstance first;
  first.op = root;
  first.extent = loopRanges(root);
  SmallVector<utils::IteratorType> iterators = root.getLoopIteratorTypes();
  for (auto [loop, iterator] : llvm::enumerate(iterators)) {
    first.follows.push_back(iterator == utils::IteratorType::parallel ? int(loop) : TileInstance::whole);
    if (loop < rootTile.size() && rootTile[loop] > 0)
      first.extent[loop] = rootTile[loop];
  }
  first.step = first.extent;
  addCuts(first, roots, strategy);
  std::vector<TileInstance> instances{first};
  DenseMap<Operation *, SmallVector<unsigned>> instancesOf{{root.getOperation(), {0}}};
  for (TilingInterface producer : llvm::reverse(candidates)) {
    if (producer == root || roots.contains(producer) || producer->getBlock() != root->getBlock() ||
        !producer->isBeforeInBlock(root))
      continue;
    std::vector<TileInstance> wanted;
    for (OpOperand &operand : producer->getUses()) {
      auto consumers = instancesOf.find(operand.getOwner());
      if (consumers == instancesOf.end())
        continue;
      for (unsigned consumer : consumers->second) {
        TileInstance instance = instanceFor(producer, instances[consumer], operand);
        auto same = llvm::find_if(wanted, [&](const TileInstance &other) {
          return other.follows == instance.follows && other.extent == instance.extent;
        });
        if (same == wanted.end())
          wanted.push_back(instance);
        else
          same->inPlace &= instance.inPlace;
      }
    }
    for (TileInstance &instance : wanted) {
      addCuts(instance, roots, strategy);
      instancesOf[producer].push_back(instances.size());
      instances.push_back(std::move(instance));
    }
  }
  return instances;
}

int64_t TileInstance::resultBytes() const {
  if (inPlace)
    return 0;
  int64_t bytes = 0;
  for (OpResult result : op->getResults()) {
    SmallVector<int64_t> extents;
    for (AffineExpr expr : resultMap(tiling(), result.getResultNumber()).getResults())
      extents.push_back(step[cast<AffineDimExpr>(expr).getPosition()]);
    bytes += volume(extents) * elementBytes(cast<RankedTensorType>(result.getType()).getElementType());
  }
  return bytes;
}

bool hasFusedInput(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(), [&](Value input) {
    TilingInterface producer = asTileable(input.getDefiningOp());
    return producer && producer->getBlock() == op->getBlock() && isAllParallel(producer);
  });
}

bool isReused(OpOperand &input, ArrayRef<int64_t> tile) {
  auto op = cast<linalg::LinalgOp>(input.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&input);
  for (auto [loop, extent] : llvm::enumerate(tile))
    if (extent != 1 && !map.isFunctionOfDim(loop))
      return true;
  return false;
}

int64_t TileInstance::promotedBytes(llvm::function_ref<bool(Operation *)> isInKernel) const {
  if (workKindOf(tiling()) != WorkKind::Contraction)
    return 0;
  auto structured = cast<linalg::LinalgOp>(op);
  int64_t bytes = 0;
  for (OpOperand *input : structured.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !isReused(*input, step) || isInKernel(input->get().getDefiningOp()))
      continue;
    SmallVector<int64_t> extents;
    for (AffineExpr expr : structured.getMatchingIndexingMap(input).getResults())
      extents.push_back(reach(expr, step));
    bytes += volume(extents) * elementBytes(type.getElementType());
  }
  return bytes;
}

} // namespace fuselage
