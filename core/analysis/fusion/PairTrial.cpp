#include "core/analysis/fusion/PairTrial.h"
#include "core/transforms/tile_and_fuse/TileAndFuse.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

//===-- The function ------------------------------------------------------------------------===//

/// Whether `op` computes tensors that have elements, by loops of its own or along those of others.
static bool canShareLoops(Operation *op) {
  auto isTile = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !llvm::is_contained(tensor.getShape(), 0);
  };
  auto isWhole = [&](Type type) { return !isa<TensorType>(type) || isTile(type); };
  return op->getNumResults() > 0 && op->getNumSuccessors() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         isa<TilingInterface, FusableOpInterface>(op) && !isa<LoopLikeOpInterface>(op) &&
         llvm::all_of(op->getResultTypes(), isTile) && llvm::all_of(op->getOperandTypes(), isWhole);
}

/// What an op reads, in its operands and in its payload.
static llvm::SetVector<Value> valuesOf(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

/// Copies an op into a function that begins with `body`; what it reads and nobody there computes, becomes
/// an argument.
static Operation *cloneInto(OpBuilder &builder, Operation *op, IRMapping &mapping) {
  Block *body = builder.getBlock();
  for (Value read : valuesOf(op)) {
    if (mapping.contains(read))
      continue;
    // Sizes and scalars that are known stay known.
    Operation *source = read.getDefiningOp();
    if (source && source->hasTrait<OpTrait::ConstantLike>() && !isa<ShapedType>(read.getType()))
      builder.clone(*source, mapping);
    else
      mapping.map(read, body->addArgument(read.getType(), builder.getUnknownLoc()));
  }
  return builder.clone(*op, mapping);
}

/// A view has no loops of its own.
static bool isView(Operation *op) { return !isa<TilingInterface>(op); }

PairTrial::PairTrial(OpResult value, OpOperand &use) {
  Operation *producer = value.getOwner(), *consumer = use.getOwner();
  isInserted_ = isa<tensor::InsertSliceOp>(consumer) && use.getOperandNumber() == 0;
  if (!canShareLoops(producer) || !(isInserted_ || canShareLoops(consumer)) || value.getType() != use.get().getType())
    return;
  MLIRContext *context = producer->getContext();
  context->loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
  Location loc = UnknownLoc::get(context);
  module_ = ModuleOp::create(loc);
  auto builder = OpBuilder::atBlockEnd(module_->getBody());
  auto function = func::FuncOp::create(builder, loc, "pair", builder.getFunctionType({}, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  Ops ops;
  ops.producer = cloneInto(builder, producer, mapping);
  // Across the border of a dispatch, the consumer reads what the dispatch hands on.
  mapping.map(use.get(), ops.producer->getResult(value.getResultNumber()));
  ops.consumer = cloneInto(builder, consumer, mapping);
  func::ReturnOp::create(builder, loc, ops.consumer->getResults());
  function.setFunctionType(builder.getFunctionType(body->getArgumentTypes(), ops.consumer->getResultTypes()));
  addCopies(ops);
  module_->walk([&](Operation *op) { op->setLoc(loc); });
  for (auto [number, op] : llvm::enumerate(*body)) {
    producer_ = &op == ops.producer ? number : producer_;
    consumer_ = &op == ops.consumer ? number : consumer_;
    front_ = &op == ops.front ? number : front_;
    back_ = &op == ops.back ? number : back_;
  }
  if (failed(verify(*module_)))
    module_ = {};
}

/// A linalg.generic that copies `value` at the builder's insertion point; null if it would have another type.
static Operation *buildCopy(OpBuilder &builder, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getEncoding())
    return nullptr;
  Location loc = value.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, value, dim));
  Value init = tensor::EmptyOp::create(builder, loc, type, sizes);
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, TypeRange(type), ValueRange(value), ValueRange(init),
                                   ArrayRef<AffineMap>{map, map}, loops,
                                   [](OpBuilder &nested, Location at, ValueRange arguments) {
                                     linalg::YieldOp::create(nested, at, arguments.front());
                                   });
}

/// Gives views somebody whose loops they can follow.
void PairTrial::addCopies(Ops &ops) {
  OpBuilder builder(ops.consumer);
  if (isInserted_ && isView(ops.producer)) {
    ops.back = buildCopy(builder, ops.producer->getResult(0));
  } else if (isView(ops.consumer) && !isInserted_) {
    builder.setInsertionPointAfter(ops.consumer);
    Value shown = ops.consumer->getResult(0);
    ops.back = buildCopy(builder, shown);
    if (ops.back)
      shown.replaceUsesWithIf(ops.back->getResult(0),
                              [](OpOperand &use) { return isa<func::ReturnOp>(use.getOwner()); });
  }
  if (isView(ops.producer) && ops.producer->getNumOperands() > 0) {
    builder.setInsertionPoint(ops.producer);
    ops.front = buildCopy(builder, ops.producer->getOperand(0));
    if (ops.front)
      ops.producer->setOperand(0, ops.front->getResult(0));
  }
}

PairTrial::Ops PairTrial::opsOf(ModuleOp module) const {
  Ops ops;
  for (auto [number, op] : llvm::enumerate(cast<func::FuncOp>(module.getBody()->front()).getBody().front())) {
    int place = number;
    ops.producer = place == producer_ ? &op : ops.producer;
    ops.consumer = place == consumer_ ? &op : ops.consumer;
    ops.front = place == front_ ? &op : ops.front;
    ops.back = place == back_ ? &op : ops.back;
  }
  return ops;
}

std::string PairTrial::key() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  module_.get()->print(os, OpPrintingFlags().elideLargeElementsAttrs().useLocalScope());
  return text;
}

//===-- What is tried -----------------------------------------------------------------------===//

/// The op whose loops the other is to join.
TilingInterface PairTrial::rootOf(const Ops &ops, Start start) {
  Operation *own = start == Start::Consumer ? ops.consumer : ops.producer;
  Operation *copy = start == Start::Consumer ? ops.back : ops.front;
  return dyn_cast_or_null<TilingInterface>(isView(own) ? copy : own);
}

/// Tiles of a loop: the most that divides it, one iteration, half of it.
static SmallVector<int64_t, 3> tilesOf(int64_t extent) {
  if (ShapedType::isDynamic(extent))
    return {4, 1};
  SmallVector<int64_t, 3> tiles;
  int64_t divisor = extent / 2;
  // A prime has none but 1; so has, in effect, what has none among these.
  for (int64_t by = 2; by <= 64 && by <= extent; ++by)
    if (extent % by == 0) {
      divisor = extent / by;
      break;
    }
  for (int64_t tile : {divisor, int64_t(1), (extent + 1) / 2})
    if (tile > 0 && tile < extent && !llvm::is_contained(tiles, tile))
      tiles.push_back(tile);
  return tiles;
}

std::vector<PairTrial::TileSizes> PairTrial::sizesToTry(Start start) const {
  OwningOpRef<ModuleOp> scratch(module_.get().clone());
  TilingInterface root = rootOf(opsOf(*scratch), start);
  if (!root)
    return {};
  OpBuilder builder(root);
  SmallVector<Range> domain = root.getIterationDomain(builder);
  SmallVector<utils::IteratorType> iterators = root.getLoopIteratorTypes();
  std::vector<TileSizes> all;
  std::vector<SmallVector<int64_t, 3>> tiles;
  for (const Range &range : domain)
    tiles.push_back(tilesOf(getConstantIntValue(range.size).value_or(ShapedType::kDynamic)));
  // All parallel loops at once, then each loop by itself.
  for (bool byLargest : {true, false}) {
    TileSizes sizes(domain.size(), 0);
    for (unsigned loop = 0; loop < domain.size(); ++loop)
      if (iterators[loop] == utils::IteratorType::parallel && !tiles[loop].empty())
        sizes[loop] = byLargest ? tiles[loop].front() : 1;
    all.push_back(std::move(sizes));
  }
  for (unsigned loop = 0; loop < domain.size(); ++loop)
    for (int64_t tile : tiles[loop]) {
      TileSizes sizes(domain.size(), 0);
      sizes[loop] = tile;
      all.push_back(std::move(sizes));
    }
  // Where no loop has a second iteration, one round of each.
  if (llvm::all_of(tiles, [](const auto &each) { return each.empty(); }))
    all = {TileSizes(domain.size(), 1)};
  return all;
}

bool PairTrial::tryOurs(Start start, const TileSizes &sizes) const {
  OwningOpRef<ModuleOp> module(module_.get().clone());
  Ops ops = opsOf(*module);
  bool fromConsumer = start == Start::Consumer;
  TileAndFuseOptions options;
  options.setTileSizes(sizes).setFuseProducers(fromConsumer).setFuseConsumers(!fromConsumer);
  options.setControl(
      [&](const FusionCandidate &candidate) { return candidate.op == ops.producer || candidate.op == ops.consumer; });
  TilingInterface root = rootOf(ops, start);
  size_t wanted = root == ops.producer || root == ops.consumer ? 1 : 2;
  IRRewriter rewriter(module->getContext());
  FailureOr<TileAndFuseResult> result = tileAndFuse(rewriter, root, options);
  return succeeded(result) && (fromConsumer ? result->producers : result->consumers).size() >= wanted &&
         succeeded(verify(*module));
}

/// Upstream fuses ops with loops only.
bool PairTrial::tryUpstream(Start start, const TileSizes &sizes) const {
  OwningOpRef<ModuleOp> module(module_.get().clone());
  Ops ops = opsOf(*module);
  if (isView(ops.producer) || isView(ops.consumer))
    return false;
  TilingInterface root = rootOf(ops, start);
  // One round of loops that have no second is a fusion, too.
  std::string problem = whyNotTiled(root, TileAndFuseOptions().setTileSizes(sizes));
  if (!problem.empty() && !llvm::StringRef(problem).starts_with("no loop is cut"))
    return false;
  // It makes a mess of reductions that are cut.
  for (auto [size, iterator] : llvm::zip_equal(sizes, root.getLoopIteratorTypes()))
    if (size > 0 && iterator != utils::IteratorType::parallel)
      return false;
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(getAsIndexOpFoldResult(module->getContext(), sizes));
  IRRewriter rewriter(module->getContext());
  rewriter.setInsertionPoint(root);
  if (start == Start::Consumer) {
    scf::SCFTileAndFuseOptions options;
    options.setTilingOptions(tiling);
    FailureOr<scf::SCFTileAndFuseResult> result = scf::tileConsumerAndFuseProducersUsingSCF(rewriter, root, options);
    return succeeded(result) && !result->loops.empty() && result->fusedProducers.contains(ops.producer);
  }
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(rewriter, root, tiling);
  if (failed(tiled) || tiled->loops.empty())
    return false;
  rewriter.replaceOp(root, tiled->replacements);
  return succeeded(scf::tileAndFuseConsumer(rewriter, ops.consumer, tiled->loops));
}

/// The producer, in loops of its own, or in those of what it shows or of what shows it.
bool PairTrial::tryTilesOfProducer(Start start, const TileSizes &sizes) const {
  OwningOpRef<ModuleOp> module(module_.get().clone());
  Ops ops = opsOf(*module);
  TilingInterface root = rootOf(ops, start);
  TileAndFuseOptions options;
  options.setTileSizes(sizes);
  options.setControl([&](const FusionCandidate &candidate) { return candidate.op == ops.producer; });
  size_t wanted = root == ops.producer ? 0 : 1;
  IRRewriter rewriter(module->getContext());
  FailureOr<TileAndFuseResult> result = tileAndFuse(rewriter, root, options);
  return succeeded(result) && result->consumers.size() + result->producers.size() == wanted;
}

bool PairTrial::run() const {
  for (Start start : {Start::Consumer, Start::Producer})
    for (const TileSizes &sizes : sizesToTry(start))
      if (isInserted_ ? tryTilesOfProducer(start, sizes) : tryOurs(start, sizes) || tryUpstream(start, sizes))
        return true;
  return false;
}

} // namespace fuselage
