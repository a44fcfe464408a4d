#include "core/tuning/dispatch/DispatchSpace.h"
#include "core/codegen/Targets.h"
#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/Isolate.h"
#include "core/codegen/host/kernels/LoopPlan.h"
#include "core/codegen/host/tensors/RowBlocks.h"
#include "core/device/HostProcessor.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/support/Error.h"
#include "core/transforms/workgroups/RequestedTiles.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/reductions/ChooseSplitK.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "core/tuning/dispatch/AttentionSpace.h"
#include "core/tuning/dispatch/Sizes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage::tune {

namespace {

/// The reduction that workgroups may share, of an op that has one: the longest.
unsigned splitLoopOf(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return *llvm::max_element(reductions, [&](unsigned a, unsigned b) { return ranges[a] < ranges[b]; });
}

/// Makes the space of one op.
class SpaceBuilder {
public:
  SpaceBuilder(linalg::LinalgOp op, const DeviceModel &device)
      : op_(op), device_(device), ranges_(op.getStaticLoopRanges()) {}
  Space forGpu(const RequestedTiles &tiles, const TargetStrategy &strategy);
  Space forHost(func::FuncOp dispatch);
  Space forHostElementwise();

private:
  unsigned addKnob(KnobTarget sets, Domain domain) {
    space_.knobs.push_back({.name = nameOf(sets), .domain = std::move(domain), .selected = 0, .sets = sets});
    return space_.knobs.size() - 1;
  }
  /// Where one size is left to the pipeline, all are.
  void tieZeros();
  void addSplit();
  void limitPartialBytes(unsigned split);
  void addBlockRows(func::FuncOp dispatch, int64_t rows);
  void limitResults();
  /// The results of a tile, as a node.
  int resultsOf(Expression &e);
  /// Whether the last tile along some loop starts earlier, as a node.
  int overlaps(Expression &e);
  void limitWorkgroupBytes(const RequestedTiles &tiles, const TargetStrategy &strategy);
  /// The tile along a loop, as a node.
  int extent(Expression &e, unsigned loop) const;

  linalg::LinalgOp op_;
  const DeviceModel &device_;
  SmallVector<int64_t> ranges_;
  Space space_;
  llvm::SmallDenseMap<unsigned, unsigned> knobOf_; ///< by loop
};

} // namespace

void SpaceBuilder::tieZeros() {
  for (unsigned knob = 1; knob < space_.knobs.size(); ++knob) {
    Expression e;
    int zero = e.constant(0);
    int first = e.make(ExprOp::Equal, e.knob(0), zero), other = e.make(ExprOp::Equal, e.knob(knob), zero);
    space_.add(e, e.make(ExprOp::Equal, first, other), Origin::Op, {},
               space_.knobs[knob].name + " is set where " + space_.knobs[0].name + " is");
  }
}

int SpaceBuilder::extent(Expression &e, unsigned loop) const {
  auto knob = knobOf_.find(loop);
  return knob == knobOf_.end() ? e.constant(ranges_[loop]) : e.knob(knob->second);
}

/// Limits the memory of partial results; without split-K there are none.
void SpaceBuilder::limitPartialBytes(unsigned split) {
  int64_t bytes = 0;
  for (Type type : op_->getResultTypes())
    bytes += cast<RankedTensorType>(type).getNumElements() * elementBytes(getElementTypeOrSelf(type));
  int64_t most = std::max<int64_t>(1, mostPartialBytes / std::max<int64_t>(1, bytes));
  Expression e;
  space_.add(e, e.make(ExprOp::AtMost, e.knob(split), e.constant(most)), Origin::Device, {},
             "the partial results of the splits, of " + std::to_string(bytes) + " bytes each, take at most " +
                 std::to_string(mostPartialBytes) + " bytes of memory");
}

/// Adds the split-K knob: how many workgroups share the longest reduction loop, 1 for no split. Steps divide the
/// iterations of each.
void SpaceBuilder::addSplit() {
  constexpr int64_t mostSplits = 64, leastLength = 32;
  unsigned loop = splitLoopOf(op_);
  SmallVector<unsigned> reductions;
  op_.getReductionDims(reductions);
  std::vector<int64_t> splits = {0};
  for (int64_t count = 1; count <= mostSplits && ranges_[loop] / count >= leastLength; ++count)
    if (ranges_[loop] % count == 0)
      splits.push_back(count);
  if (splits.back() <= 1)
    return;
  unsigned knob = addKnob({KnobRole::Split}, Domain::of(std::move(splits)));
  limitPartialBytes(knob);
  auto step = knobOf_.find(loop);
  if (step == knobOf_.end())
    return;
  Expression e;
  int product = e.make(ExprOp::Mul, e.knob(knob), e.knob(step->second));
  int divides = e.make(ExprOp::Equal, e.make(ExprOp::Mod, e.constant(ranges_[loop]), product), e.constant(0));
  space_.add(e, e.make(ExprOp::Or, e.make(ExprOp::Equal, e.knob(knob), e.constant(0)), divides), Origin::Op, {},
             "step divides the " + std::to_string(ranges_[loop]) + " iterations of a reduction by split");
}

int SpaceBuilder::resultsOf(Expression &e) {
  int results = e.constant(1);
  for (auto [loop, iterator] : llvm::enumerate(op_.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel)
      results = e.make(ExprOp::Mul, results, extent(e, loop));
  return results;
}

int SpaceBuilder::overlaps(Expression &e) {
  int any = e.constant(0), zero = e.constant(0);
  for (auto [loop, iterator] : llvm::enumerate(op_.getIteratorTypesArray())) {
    auto knob = knobOf_.find(loop);
    if (knob == knobOf_.end() || iterator != utils::IteratorType::parallel)
      continue;
    int size = e.knob(knob->second);
    int isAsked = e.make(ExprOp::Less, zero, size), rest = e.make(ExprOp::Mod, e.constant(ranges_[loop]), size);
    any = e.make(ExprOp::Or, any, e.make(ExprOp::And, isAsked, e.make(ExprOp::Less, zero, rest)));
  }
  return any;
}

/// A workgroup's threads have registers for so many results.
void SpaceBuilder::limitResults() {
  constexpr int64_t mostOfThread = 128;
  Expression e;
  int results = resultsOf(e);
  int64_t most = device_.maxThreads.value * mostOfThread;
  space_.add(e, e.make(ExprOp::AtMost, results, e.constant(most)), Origin::Device, {},
             "a tile has at most " + std::to_string(most) + " results: " + std::to_string(device_.maxThreads.value) +
                 " threads with " + std::to_string(mostOfThread) + " registers for them");
}

/// What a kernel has in workgroup memory, exactly: copies of the operands of a product, and what is computed there for
/// the rest of the kernel, or again where tiles overlap; each is the product of the tiles of the loops that index it. A
/// tile that needs more is made smaller by the pipeline. Lanes of a processor read operands into registers, and threads
/// with 8 by 8 results hand them on there.
void SpaceBuilder::limitWorkgroupBytes(const RequestedTiles &tiles, const TargetStrategy &strategy) {
  Expression e;
  int bytes = e.constant(0);
  auto count = [&](OpOperand &operand) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    AffineMap map = op_.getMatchingIndexingMap(&operand);
    if (!type || !map.isProjectedPermutation())
      return;
    int of = e.constant(elementBytes(type.getElementType()));
    for (AffineExpr expr : map.getResults())
      of = e.make(ExprOp::Mul, of, extent(e, cast<AffineDimExpr>(expr).getPosition()));
    bytes = e.make(ExprOp::Add, bytes, of);
  };
  bool hasCopies =
      strategy.promotesOperands() && workKindOf(cast<TilingInterface>(op_.getOperation())) == WorkKind::Contraction;
  bool handsOn = !tiles.rule.keepsResultsInRegisters && !tiles.isRoot && op_.getNumReductionLoops() > 0;
  if (hasCopies)
    for (OpOperand *input : op_.getDpsInputOperands())
      count(*input);
  if (handsOn)
    for (OpOperand &init : op_.getDpsInitsMutable())
      count(init);
  bool mayOverlap = !tiles.rule.keepsResultsInRegisters && tiles.rule.last >= LastTile::Overlapping;
  if (mayOverlap) {
    int again = e.make(ExprOp::Mul, e.constant(tiles.rootBytes), resultsOf(e));
    bytes = e.make(ExprOp::Add, bytes, e.make(ExprOp::Choose, overlaps(e), again, e.constant(0)));
  }
  if (e.part(bytes).knobs().empty())
    return;
  std::vector<std::string> what;
  if (hasCopies)
    what.push_back("tiles of the operands");
  if (handsOn)
    what.push_back("results for the rest of the kernel");
  if (mayOverlap)
    what.push_back("results of tiles that overlap");
  space_.add(e, e.make(ExprOp::AtMost, bytes, e.constant(strategy.workgroupBytes())), Origin::Device, {},
             llvm::join(what, " and ") + " have at most " + std::to_string(strategy.workgroupBytes()) +
                 " bytes of workgroup memory");
}

Space SpaceBuilder::forGpu(const RequestedTiles &tiles, const TargetStrategy &strategy) {
  SmallVector<utils::IteratorType> iterators = op_.getIteratorTypesArray();
  WorkKind kind = workKindOf(cast<TilingInterface>(op_.getOperation()));
  for (auto [loop, range] : llvm::enumerate(ranges_))
    if (iterators[loop] == utils::IteratorType::parallel && range > 1 && tiles.rule.ranges[loop] > 0)
      knobOf_[loop] = addKnob({KnobRole::WorkgroupTile, unsigned(loop)},
                              sizesFor(range, mostTile, /*onlyDivisors=*/false, [&tiles, range = range](int64_t size) {
                                return tiles.rule.tileOf(range, size);
                              }));
  SmallVector<unsigned> reductions;
  op_.getReductionDims(reductions);
  bool isProduct = kind == WorkKind::Contraction || kind == WorkKind::Convolution;
  if (isProduct && !reductions.empty() && ranges_[reductions.back()] > 1 && !knobOf_.empty())
    knobOf_[reductions.back()] =
        addKnob({KnobRole::ReductionStep}, sizesFor(ranges_[reductions.back()], mostTile, /*onlyDivisors=*/true));
  if (kind == WorkKind::Contraction && !knobOf_.empty() && !device_.isSoftware() && canSplitReduction(op_))
    addSplit();
  tieZeros();
  limitResults();
  limitWorkgroupBytes(tiles, strategy);
  return std::move(space_);
}

/// The blocks that a host makes of the dispatch if its shaping op requests some. Nullopt: it makes none.
static std::optional<RowBlocks> rowBlocksOf(func::FuncOp dispatch, const DeviceModel &host) {
  OwningOpRef<ModuleOp> alone = isolateFunction(dispatch);
  setDevice(*alone, host); // which the passes of the preparation read, too
  auto copy = alone->lookupSymbol<func::FuncOp>(dispatch.getName());
  if (!copy || !requestSizes(copy, {{nameOf(KnobTarget{KnobRole::BlockRows}), 1}}))
    return std::nullopt;
  inlineDispatchRegions(*alone);
  if (llvm::Error error = prepareTensors(*alone, {.kernels = true})) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  std::vector<RowBlocks> requested;
  blockRows(*alone, HostTarget::of(host), &requested);
  return requested.empty() ? std::nullopt : std::optional(std::move(requested.front()));
}

/// Rows of a block, where ops of the dispatch share them; `rows` are those of the shaping op's longest loop. Sizes
/// without the knob mean no blocks.
void SpaceBuilder::addBlockRows(func::FuncOp dispatch, int64_t rows) {
  std::optional<RowBlocks> blocks = rowBlocksOf(dispatch, device_);
  if (!blocks || blocks->sizes.size() < 2)
    return;
  std::vector<int64_t> sizes = {0};
  llvm::append_range(sizes, blocks->sizes);
  unsigned knob = addKnob({KnobRole::BlockRows}, Domain::of(std::move(sizes)));
  space_.knobs[knob].absent = blocks->rows;
  Expression e;
  int size = e.knob(knob), all = e.constant(blocks->rows);
  int bytes = e.make(ExprOp::Mul, size, e.constant(blocks->bytesOfRow));
  int fits = e.make(ExprOp::AtMost, bytes, e.constant(blocks->mostBytes));
  space_.add(e, e.make(ExprOp::Or, e.make(ExprOp::Equal, size, all), fits), Origin::Device, {},
             "a block of rows, of " + std::to_string(blocks->bytesOfRow) + " bytes each, has at most " +
                 std::to_string(blocks->mostBytes) + " bytes: half of the L2 cache");
  int isLeft = e.make(ExprOp::Or, e.make(ExprOp::Equal, size, e.constant(0)), e.make(ExprOp::Equal, size, all));
  int isOneTask = e.make(ExprOp::Equal, e.knob(*space_.find({KnobRole::TaskRows})), e.constant(rows));
  int hasRows = e.make(ExprOp::AtMost, e.knob(*space_.find({KnobRole::Rows})), size);
  space_.add(e, e.make(ExprOp::Or, isLeft, e.make(ExprOp::And, isOneTask, hasRows)), Origin::Op, {},
             "a block of rows is one task: task_rows is " + std::to_string(rows) + ", and rows is at most block_rows");
}

Space SpaceBuilder::forHost(func::FuncOp dispatch) {
  int64_t rows = 1;
  for (auto [range, iterator] : llvm::zip_equal(ranges_, op_.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel)
      rows = std::max(rows, range);
  if (op_.getNumReductionLoops() == 0)
    return forHostElementwise();
  addKnob({KnobRole::Rows}, Domain::multiples(0, std::min(rows, mostTileRows)));
  addKnob({KnobRole::Vectors}, Domain::multiples(0, mostTileVectors));
  addKnob({KnobRole::TaskRows}, sizesFor(rows, rows, /*onlyDivisors=*/false));
  addBlockRows(dispatch, rows);
  tieZeros();
  TileRegisters takes(op_.getNumDpsInits());
  Expression e;
  int results = e.make(ExprOp::Mul, e.knob(0), e.knob(1));
  int held = e.make(ExprOp::Mul, results, e.constant(takes.perResult)),
      loaded = e.make(ExprOp::Mul, e.knob(1), e.constant(takes.perVector));
  int needed = e.make(ExprOp::Add, e.make(ExprOp::Add, held, loaded), e.constant(takes.others));
  unsigned registers = HostTarget::of(device_).vectorRegisters;
  space_.add(e, e.make(ExprOp::AtMost, needed, e.constant(registers)), Origin::Device, {},
             "rows * vectors results and what they are made of fit into " + std::to_string(registers) +
                 " vector registers");
  return std::move(space_);
}

std::optional<unsigned> denseLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

/// What is written lies along the columns. An input that lies along another loop is turned tile by tile, and that loop
/// has the rows.
Space SpaceBuilder::forHostElementwise() {
  std::optional<unsigned> column = denseLoop(op_.getMatchingIndexingMap(op_.getDpsInitOperand(0)));
  if (!column)
    return {};
  std::optional<unsigned> row;
  bool isTurned = false;
  for (OpOperand *input : op_.getDpsInputOperands()) {
    AffineMap map = op_.getMatchingIndexingMap(input);
    std::optional<unsigned> dense = denseLoop(map);
    if (isTurned || !dense || dense == column || !map.isFunctionOfDim(*column))
      continue;
    isTurned = true;
    row = dense;
  }
  for (unsigned loop = ranges_.size(); loop-- > 0 && !row;)
    if (loop != *column && ranges_[loop] > 1)
      row = loop;
  if (ranges_[*column] == 1 && (!row || ranges_[*row] == 1))
    return {};
  addKnob({KnobRole::TaskColumns}, sizesFor(ranges_[*column], ranges_[*column], /*onlyDivisors=*/false));
  if (row)
    addKnob({KnobRole::TaskRows}, sizesFor(ranges_[*row], ranges_[*row], /*onlyDivisors=*/false));
  constexpr int64_t mostVectors = 8;
  if (!isTurned)
    addKnob({KnobRole::Vectors}, Domain::of({0, 1, 2, 3, 4, 6, mostVectors}));
  tieZeros();
  return std::move(space_);
}

llvm::Expected<Space> dispatchSpace(func::FuncOp dispatch, const DeviceModel &device) {
  if (auto attention = attentionIn(dispatch)) {
    auto space = attentionSpace(*attention, device);
    return space ? std::move(space)
                 : fail("@" + dispatch.getName().str() + ": " + takeFailure(space.takeError()).message);
  }
  linalg::LinalgOp op = shapingOp(dispatch);
  if (!op)
    return fail("@" + dispatch.getName().str() + " has no structured op of known sizes: there is nothing to choose");
  SpaceBuilder builder(op, device);
  Space space;
  if (isHost(device)) {
    space = builder.forHost(dispatch);
  } else {
    auto target = targetFor(device);
    if (!target)
      return target.takeError();
    const std::unique_ptr<TargetStrategy> strategy = strategyFor(*target);
    std::optional<RequestedTiles> tiles = requestedTiles(dispatch, *strategy);
    if (!tiles)
      return fail("@" + dispatch.getName().str() + ": on this device the pipeline makes another op of " +
                  op->getName().getStringRef().str() + ", whose sizes it chooses itself");
    space = builder.forGpu(*tiles, *strategy);
  }
  if (space.knobs.empty())
    return fail("@" + dispatch.getName().str() + ": the pipeline has nothing to choose for " +
                op->getName().getStringRef().str() + " on this device");
  return space;
}

/// Writes one size into `config`. False: `op` has no such size.
static bool setSize(TilingConfig &config, linalg::LinalgOp op, KnobTarget target, int64_t size) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  auto setAt = [](SmallVectorImpl<int64_t> &sizes, unsigned place, int64_t size, unsigned least) {
    sizes.resize(std::max<size_t>({sizes.size(), least, place + 1}), 0);
    sizes[place] = size;
    return true;
  };
  auto setOfLoop = [&](SmallVectorImpl<int64_t> &sizes, unsigned loop, int64_t size) {
    return loop < op.getNumLoops() && setAt(sizes, loop, size, op.getNumLoops());
  };
  auto setOfHost = [&](HostSize place) { return setAt(config.host, place, size, HostTaskColumns + 1); };
  switch (target.role) {
  case KnobRole::WorkgroupTile:
    return setOfLoop(config.workgroup, target.loop, size);
  case KnobRole::ReductionStep:
    return !reductions.empty() && setOfLoop(config.reduction, reductions.back(), size);
  case KnobRole::Split:
    return !reductions.empty() &&
           setOfLoop(config.split, splitLoopOf(op), size > 1 ? op.getStaticLoopRanges()[splitLoopOf(op)] / size : 0);
  case KnobRole::Rows:
    return setOfHost(HostRows);
  case KnobRole::Vectors:
    return setOfHost(HostVectors);
  case KnobRole::TaskRows:
    return setOfHost(HostTaskRows);
  case KnobRole::TaskColumns:
    return setOfHost(HostTaskColumns);
  case KnobRole::BlockRows:
    return setOfHost(HostBlockRows);
  case KnobRole::Queries:
  case KnobRole::Keys:
    return false; // of fused attention
  }
  return false;
}

bool requestSizes(func::FuncOp dispatch, const RequestedSizes &sizes) {
  if (auto attention = attentionIn(dispatch))
    return requestTiles(*attention, sizes);
  linalg::LinalgOp op = shapingOp(dispatch);
  if (!op)
    return false;
  TilingConfig config;
  for (const auto &[name, size] : sizes) {
    std::optional<KnobTarget> target = knobTargetOf(name);
    if (!target || size < 0 || !setSize(config, op, *target, size))
      return false;
  }
  bool asks = llvm::any_of(sizes, [](const auto &size) { return size.second != 0; });
  writeTilingConfig(op, asks ? config : TilingConfig());
  return true;
}

std::string describeShapingOp(func::FuncOp dispatch) {
  if (auto attention = attentionIn(dispatch))
    return describeAttention(*attention);
  linalg::LinalgOp op = shapingOp(dispatch);
  if (!op)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << ' ';
  llvm::interleave(op.getStaticLoopRanges(), os, "x");
  for (Value input : op.getDpsInputs())
    os << ", " << input.getType();
  os << " -> ";
  llvm::interleaveComma(op->getResultTypes(), os);
  return text;
}

} // namespace fuselage::tune
