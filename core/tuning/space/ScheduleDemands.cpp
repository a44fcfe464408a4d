#include "core/tuning/space/ScheduleDemands.h"
#include "core/device/HostProcessor.h"
#include "core/ir/module/Diagnostics.h"
#include "core/tuning/space/GpuAttributes.h"
#include "core/tuning/space/OnlyMatch.h"
#include "core/tuning/space/ScheduleTiling.h"
#include "core/tuning/space/TileLoops.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::tune {
namespace {

using namespace mlir;

class Demands {
public:
  Demands(ScriptSpace &read, func::FuncOp function, const DeviceModel &device)
      : read_(read), space_(read.space), function_(function), device_(device) {}

  std::vector<std::string> run(ModuleOp script) {
    auto main =
        script.lookupSymbol<transform::NamedSequenceOp>(transform::TransformDialect::kTransformEntryPointSymbolName);
    if (!main || main.isExternal())
      return {"the whole schedule, which has no @__transform_main"};
    for (Operation &op : main.getBody().front())
      look(&op);
    if (!isUncertain_ && !isHost(device_)) { // which runs no launch at all
      addThreads();
      addWorkgroupBytes();
    }
    return std::move(unknown_);
  }

private:
  // Nodes.
  int number(int64_t value) { return e_.constant(value); }
  int both(int a, int b) { return e_.make(ExprOp::And, a, b); }
  int either(int a, int b) { return e_.make(ExprOp::Or, a, b); }
  int differ(int a, int b) { return e_.make(ExprOp::Not, e_.make(ExprOp::Equal, a, b)); }
  int isZero(int a) { return e_.make(ExprOp::Equal, a, number(0)); }
  int ceilDiv(int a, int b) {
    return e_.make(ExprOp::Div, e_.make(ExprOp::Sub, e_.make(ExprOp::Add, a, b), number(1)), b);
  }

  /// The number of a size; -1: it is none that is known. Where it may be less than 1, nothing is asked then; 0 is a
  /// loop that stays whole.
  int nodeOf(OpFoldResult size) {
    std::optional<Expression> number = numberOf(size, read_);
    if (!number)
      return -1;
    if (std::optional<int64_t> constant = constantOf(*number))
      return *constant >= 0 ? e_.constant(*constant) : -1;
    if (llvm::any_of(number->knobs(), [&](unsigned knob) {
          return !space_.knobs[knob].labels.empty() || space_.knobs[knob].domain.empty();
        }))
      return -1;
    int node = e_.append(*number, number->result(), [&](unsigned knob) { return e_.knob(knob); });
    const ExprNode &made = e_.nodes()[node];
    if (made.op != ExprOp::Knob || space_.knobs[made.number].domain.front() < 1)
      positive_ = both(positive_, e_.make(ExprOp::AtMost, e_.constant(1), node));
    return node;
  }

  /// By position; nullopt: some are not known.
  std::optional<SmallVector<int>> nodesOf(ArrayRef<OpFoldResult> sizes) {
    SmallVector<int> nodes;
    for (OpFoldResult size : sizes) {
      nodes.push_back(nodeOf(size));
      if (nodes.back() < 0)
        return std::nullopt;
    }
    return nodes;
  }
  bool isWhole(int node) const { return e_.nodes()[node].op == ExprOp::Constant && e_.nodes()[node].number == 0; }

  void look(Operation *op) {
    isChanged_ |= !isa<transform::tune::KnobOp, transform::ParamConstantOp, transform::smt::ConstrainParamsOp,
                       transform::MatchOp>(op);
    if (isUncertain_)
      return readsKnobs(op) ? leaveOut(op) : void();
    if (auto match = dyn_cast<transform::MatchOp>(op))
      return lookAtMatch(match);
    if (isa<transform::TileUsingForallOp, transform::TileUsingForOp, transform::FuseOp>(op))
      return lookAtTiling(op);
    if (std::optional<ScheduleReorder> reorder = reorderOf(op))
      return lookAtReorder(op, *reorder);
    if (auto pad = dyn_cast<transform::PadOp>(op))
      return lookAtPad(pad);
    if (auto bufferize = dyn_cast<transform::BufferizeToAllocationOp>(op))
      return lookAtAllocation(bufferize);
    if (auto get = dyn_cast<transform::GetOperandOp>(op))
      return lookAtOperand(get);
    if (auto promote = dyn_cast<transform::PromoteTensorOp>(op))
      return lookAtPromotion(promote);
    if (auto vectorize = dyn_cast<transform::VectorizeOp>(op))
      return lookAtVectorize(vectorize);
    if (auto map = dyn_cast<transform::MapNestedForallToThreads>(op)) {
      isMapped_ = maps_++ == 0;
      blockDims_.assign(map.getBlockDims().begin(), map.getBlockDims().end());
      mappedAt_ = placeOf(op);
      return;
    }
    isUncertain_ |= !isHarmless(op);
    if (readsKnobs(op))
      leaveOut(op);
  }

  /// It makes and takes no loops, and cuts none into other parts.
  bool isHarmless(Operation *op) {
    if (isa<transform::tune::KnobOp, transform::ParamConstantOp, transform::YieldOp, transform::ApplyPatternsOp,
            transform::smt::ConstrainParamsOp, transform::ApplyCommonSubexpressionEliminationOp,
            transform::ApplyDeadCodeEliminationOp, transform::ApplyLoopInvariantCodeMotionOp,
            transform::FuseIntoContainingOp, transform::MapForallToBlocks, transform::OneShotBufferizeOp>(op))
      return true;
    if (auto include = dyn_cast<transform::IncludeOp>(op)) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(op, include.getTarget());
      return callee && !callee.isExternal() && llvm::all_of(callee.getBody().front(), [&](Operation &inner) {
               return isa<transform::MatchOp>(inner) || isHarmless(&inner);
             });
    }
    return false;
  }

  static Place placeOf(Operation *op) {
    SourcePosition position = positionOf(op->getLoc());
    return {.file = position.file, .line = position.line, .column = position.column};
  }

  bool readsKnobs(Operation *op) {
    bool reads = false;
    op->walk([&](Operation *inner) {
      reads |= isa<transform::tune::KnobOp>(inner) && inner != op;
      if (!inner->getName().getStringRef().starts_with("transform.smt"))
        for (Value operand : inner->getOperands())
          reads |= isa<transform::TransformParamTypeInterface>(operand.getType()) && hasKnobs(operand);
    });
    return reads && !op->getName().getStringRef().starts_with("transform.smt");
  }

  bool hasKnobs(Value param) const {
    auto found = read_.numbers.find(param);
    return found == read_.numbers.end() ? param.getDefiningOp<transform::tune::KnobOp>() != nullptr
                                        : !found->second.knobs().empty();
  }

  void leaveOut(Operation *op) {
    std::string line = std::to_string(positionOf(op->getLoc()).line);
    unknown_.push_back(op->getName().getStringRef().str() + " (line " + line + ")");
  }

  void lookAtMatch(transform::MatchOp match) {
    auto found =
        dyn_cast_if_present<linalg::LinalgOp>(isChanged_ ? nullptr : onlyMatch(match, function_->getParentOp()));
    if (!found)
      return;
    Tile tile = wholeOf(found);
    for (int64_t range : found.getStaticLoopRanges()) {
      if (ShapedType::isDynamic(range) || range <= 0)
        return;
      tile.loops.push_back({.size = number(range), .rest = number(0), .isDynamic = number(0)});
    }
    tiles_[match.getResults()] = std::move(tile);
  }

  /// The most that a knob or a constant is; nullopt: it is computed.
  std::optional<int64_t> mostOf(int node) const {
    const ExprNode &of = e_.nodes()[node];
    if (of.op == ExprOp::Constant)
      return of.number;
    return of.op == ExprOp::Knob ? std::optional(space_.knobs[of.number].domain.back()) : std::nullopt;
  }

  /// A loop in parts of `size`.
  Extent cut(const Extent &loop, int size) {
    int over = e_.make(ExprOp::Mod, loop.size, size);
    int rest =
        isWhole(loop.rest) ? over : e_.make(ExprOp::Choose, isZero(over), e_.make(ExprOp::Mod, loop.rest, size), over);
    const ExprNode &whole = e_.nodes()[loop.size];
    int isSeveral = differ(size, number(1)), isUneven = either(loop.isDynamic, differ(over, number(0)));
    if (auto most = mostOf(size); most && whole.op == ExprOp::Constant && *most <= whole.number)
      return {.size = size, .rest = rest, .isDynamic = both(isSeveral, isUneven)};
    int isCut = e_.make(ExprOp::Less, size, loop.size);
    return {.size = e_.make(ExprOp::Choose, isCut, size, loop.size),
            .rest = e_.make(ExprOp::Choose, isCut, rest, loop.rest),
            .isDynamic = both(isSeveral, e_.make(ExprOp::Choose, isCut, isUneven, loop.isDynamic))};
  }

  void lookAtTiling(Operation *op) {
    std::optional<ScheduleTiling> tiling = tilingOf(op);
    auto tile = tiling ? tiles_.find(tiling->target) : tiles_.end();
    auto sizes = tile == tiles_.end() ? std::nullopt : nodesOf(tiling->sizes);
    if (!sizes || sizes->size() > tile->second.loops.size())
      return forget(op);
    Tile part = tile->second;
    Grid grid{.dims = {}, .madeBy = op};
    for (auto [own, size] : llvm::enumerate(*sizes)) {
      if (isWhole(size))
        continue;
      Extent &loop = part.at(own);
      Extent whole = loop;
      if (tiling->areCounts) {
        loop = {.size = ceilDiv(whole.size, size), .rest = number(0), .isDynamic = whole.isDynamic};
        grid.dims.push_back({.trips = size, .isKnown = number(1), .text = spelled(size)});
        continue;
      }
      loop = cut(whole, size);
      // Of a whole that is sometimes shorter, unless one part is enough for both.
      int isKnown = either(isZero(whole.rest), e_.make(ExprOp::AtMost, whole.size, size));
      grid.dims.push_back({.trips = ceilDiv(whole.size, size),
                           .isKnown = isKnown,
                           .text = "ceil(" + spelled(whole.size) + " / " + spelled(size) + ")"});
    }
    if (tiling->mapping && tiling->mapping.size() == grid.dims.size())
      for (auto [dim, mapping] : llvm::zip(grid.dims, tiling->mapping))
        dim.mapping = dyn_cast<DeviceMappingAttrInterface>(mapping);
    if (isa<transform::FuseOp>(op)) // which takes whatever it can of the others
      tiles_.clear();
    tiles_.erase(tiling->target);
    tiles_[tiling->tiled] = std::move(part);
    if (tiling->loops)
      grids_[tiling->loops] = std::move(grid);
  }

  /// The same tiles, with their loops in another order.
  void lookAtReorder(Operation *op, const ScheduleReorder &reorder) {
    auto tile = tiles_.find(reorder.target);
    if (tile == tiles_.end())
      return;
    Tile moved = tile->second;
    bool isKnown = reorder.isGeneralized || moved.isGeneric; // others are refused
    moved.isGeneric = true;
    if (!isKnown || !moved.interchange(reorder.order))
      return forget(op);
    tiles_.erase(reorder.target);
    tiles_[reorder.result] = std::move(moved);
  }

  /// Tiles that are padded have one size, and what pads them may be where a kernel has it.
  void lookAtPad(transform::PadOp op) {
    auto tile = tiles_.find(op.getTarget());
    auto multiples = tile == tiles_.end() ? std::nullopt : nodesOf(op.getMixedPadToMultipleOf());
    if (!multiples || op.getUsePrescribedTensorShapes())
      return forget(op);
    Padding padding{.before = tile->second, .after = tile->second, .isKept = {}};
    for (auto [number, dimension] : llvm::enumerate(op.getPaddingDimensions().getAsValueRange<IntegerAttr>())) {
      uint64_t position = dimension.getZExtValue();
      if (position >= padding.after.loops.size())
        return forget(op);
      Extent &loop = padding.after.at(position);
      if (number < multiples->size() && !isWhole((*multiples)[number]))
        loop.size = e_.make(ExprOp::Mul, ceilDiv(loop.size, (*multiples)[number]), (*multiples)[number]);
      loop.rest = loop.isDynamic = e_.constant(0);
    }
    for (const APInt &flag : op.getNofoldFlags().getAsValueRange<IntegerAttr>())
      padding.isKept.push_back(!flag.isZero());
    padding.isKept.resize(padding.after.op->getNumOperands(), false);
    tiles_.erase(op.getTarget());
    tiles_[op.getPadded()] = padding.after;
    pads_[op.getPad()] = std::move(padding);
  }

  /// The buffers that are made of pads, or of what an op writes.
  void lookAtAllocation(transform::BufferizeToAllocationOp op) {
    auto tile = tiles_.find(op.getTarget());
    auto padding = pads_.find(op.getTarget());
    bool counts = isWorkgroup(op.getMemorySpaceAttr());
    if (tile == tiles_.end() && padding == pads_.end())
      return counts ? leaveOut(op) : void();
    if (counts && padding != pads_.end()) {
      auto &[before, after, isKept] = padding->second;
      for (OpOperand &operand : after.op->getOpOperands()) {
        int isMade = e_.constant(isKept[operand.getOperandNumber()]);
        for (unsigned loop = 0; loop < after.loops.size(); ++loop)
          if (after.op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop))
            isMade = either(isMade, either(differ(before.loops[loop].size, after.loops[loop].size),
                                           differ(before.loops[loop].rest, after.loops[loop].rest)));
        if (!addPromoted(op, after, operand, isMade))
          return;
      }
    }
    if (counts && tile != tiles_.end())
      for (OpOperand &init : tile->second.op.getDpsInitsMutable())
        if (!addPromoted(op, tile->second, init, e_.constant(1)))
          return;
    tiles_.erase(op.getTarget());
    pads_.erase(op.getTarget());
  }

  void forget(Operation *op) {
    if (readsKnobs(op))
      leaveOut(op);
    tiles_.erase(op->getOperand(0));
  }

  void lookAtOperand(transform::GetOperandOp op) {
    auto tile = tiles_.find(op.getTarget());
    ArrayRef<int64_t> positions = op.getRawPositionList();
    if (tile != tiles_.end() && positions.size() == 1 && positions[0] >= 0 &&
        positions[0] < tile->second.op->getNumOperands() && !op.getIsInverted() && !op.getIsAll())
      slices_[op.getResult()] = {.tile = tile->second, .operand = static_cast<unsigned>(positions[0])};
  }

  void lookAtPromotion(transform::PromoteTensorOp op) {
    if (!isWorkgroup(op.getMemorySpaceAttr()))
      return;
    auto slice = slices_.find(op.getTensor());
    if (slice == slices_.end())
      return leaveOut(op);
    Tile &tile = slice->second.tile;
    OpOperand &operand = tile.op->getOpOperand(slice->second.operand);
    // The whole is copied where it is made, which is not in the kernel.
    SmallVector<int64_t> ranges = tile.op.getStaticLoopRanges();
    int isPart = number(0);
    for (auto [position, loop] : llvm::enumerate(tile.loops))
      if (tile.op.getMatchingIndexingMap(&operand).isFunctionOfDim(position))
        isPart = either(isPart, e_.make(ExprOp::Less, loop.size, number(ranges[position])));
    addPromoted(op, tile, operand, isPart);
  }

  /// What `op` has of a tile's operand in workgroup memory where `isMade`. A tile that is sometimes shorter has no size
  /// that is known, and fails or not for that. False: it is not known at all.
  bool addPromoted(Operation *op, Tile &tile, OpOperand &operand, int isMade) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    AffineMap map = tile.op.getMatchingIndexingMap(&operand);
    if (!type || !type.getElementType().isIntOrFloat() || !map.isProjectedPermutation())
      return leaveOut(op), false;
    int bytes = number(llvm::divideCeil(type.getElementTypeBitWidth(), 8)), isExact = number(1);
    for (AffineExpr dim : map.getResults()) {
      const Extent &loop = tile.loops[cast<AffineDimExpr>(dim).getPosition()];
      bytes = e_.make(ExprOp::Mul, bytes, loop.size);
      isExact = both(isExact, isZero(loop.rest));
    }
    promotedText_ += (promotedText_.empty() ? "" : " + ") + spelled(bytes);
    bytes = e_.make(ExprOp::Choose, isMade, bytes, number(0));
    promotedBytes_ = promotedBytes_ < 0 ? bytes : e_.make(ExprOp::Add, promotedBytes_, bytes);
    isExact_ = isExact_ < 0 ? isExact : both(isExact_, isExact);
    promotedAt_ = placeOf(op);
    return true;
  }

  void lookAtVectorize(transform::VectorizeOp op) {
    auto tile = tiles_.find(op.getTarget());
    std::optional<SmallVector<int>> sizes = tile == tiles_.end() ? std::nullopt : nodesOf(op.getMixedVectorSizes());
    if (!sizes || (!sizes->empty() && sizes->size() != tile->second.loops.size()) ||
        llvm::any_of(*sizes, [&](int size) { return isWhole(size); }))
      return readsKnobs(op) ? leaveOut(op) : void();
    Tile vectors = tile->second;
    for (unsigned number = 0; number < vectors.loops.size(); ++number) {
      Extent &loop = vectors.at(number);
      std::string name = tile->second.op->getName().getStringRef().str() + "." + std::to_string(vectors.order[number]);
      if (sizes->empty()) {
        add(isZero(loop.isDynamic), Origin::Op, placeOf(op), "tiles divide " + name + ", as vectors have one size");
        continue;
      }
      // Too short ones are refused, or, of a tile without one size, leave some of it out.
      int size = (*sizes)[number];
      add(e_.make(ExprOp::AtMost, loop.size, size), Origin::Op, placeOf(op),
          "vectors are as long as the tile along " + name + ", or longer");
      loop.size = size;
    }
    limitRegisters(op, vectors);
  }

  /// What a thread adds up or makes is in registers, or some of it in memory.
  void limitRegisters(transform::VectorizeOp op, Tile &tile) {
    int64_t most = device_.registersPerThread.value;
    int bytes = -1;
    for (OpOperand &init : tile.op.getDpsInitsMutable()) {
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      AffineMap map = tile.op.getMatchingIndexingMap(&init);
      if (most <= 0 || !type || !type.getElementType().isIntOrFloat() || !map.isProjectedPermutation())
        return;
      int of = number(llvm::divideCeil(type.getElementTypeBitWidth(), 8));
      for (AffineExpr dim : map.getResults())
        of = e_.make(ExprOp::Mul, of, tile.loops[cast<AffineDimExpr>(dim).getPosition()].size);
      bytes = bytes < 0 ? of : e_.make(ExprOp::Add, bytes, of);
    }
    int fits = e_.make(ExprOp::AtMost, bytes, number(4 * most));
    if (!e_.part(fits).knobs().empty())
      space_.addBound(e_, e_.make(ExprOp::Implies, positive_, fits), Origin::Device, placeOf(op),
                      "results in vectors have " + spelled(bytes) + " <= " + std::to_string(4 * most) +
                          " bytes of a thread's registers");
  }

  /// Adds what knobs have a say in.
  void add(int node, Origin origin, const Place &place, std::string text) {
    Expression holds = e_.part(node);
    bool isTrue = holds.knobs().empty() && holds.holds({});
    if (!isTrue)
      space_.add(e_, e_.make(ExprOp::Implies, positive_, node), origin, place, std::move(text));
  }

  static bool isOf(const Grid &grid, llvm::function_ref<bool(DeviceMappingAttrInterface)> test) {
    return !grid.dims.empty() &&
           llvm::all_of(grid.dims, [&](const Grid::Dim &dim) { return dim.mapping && test(dim.mapping); });
  }

  /// Whether there are several blocks, so that there is a launch. -1: it is not known.
  int manyBlocks() {
    int many = -1;
    for (auto &[handle, grid] : grids_)
      if (isOf(grid, [](DeviceMappingAttrInterface mapping) { return isa<gpu::GPUBlockMappingAttr>(mapping); })) {
        for (const Grid::Dim &dim : grid.dims) {
          int isMore = e_.make(ExprOp::Less, number(1), dim.trips);
          many = many < 0 ? isMore : either(many, isMore);
        }
      }
    return many;
  }

  void addThreads() {
    int many = manyBlocks();
    if (!isMapped_ || blockDims_.size() != 3 || many < 0)
      return;
    int64_t threads = blockDims_[0] * blockDims_[1] * blockDims_[2];
    auto ask = [&](int node, Origin origin, const Place &place, std::string text) {
      add(e_.make(ExprOp::Implies, many, node), origin, place, std::move(text));
    };
    if (threads > device_.maxThreads.value)
      ask(number(0), Origin::Device, mappedAt_,
          "a block has at most " + std::to_string(device_.maxThreads.value) + " threads, and this one " +
              std::to_string(threads));
    for (auto &[handle, grid] : grids_) {
      if (!isOf(grid, isThread))
        continue;
      Place place = placeOf(grid.madeBy);
      int all = -1;
      std::string text;
      for (const Grid::Dim &dim : grid.dims) {
        auto index = cast<gpu::GPUThreadMappingAttr>(dim.mapping).getRelativeIndex();
        ask(e_.make(ExprOp::AtMost, dim.trips, number(blockDims_[index])), Origin::Op, place,
            dim.text + " <= " + std::to_string(blockDims_[index]) + " threads of a block along " + "xyz"[index]);
        ask(dim.isKnown, Origin::Op, place,
            "blocks divide what they share, so that each has " + dim.text + " threads along " + "xyz"[index]);
        all = all < 0 ? dim.trips : e_.make(ExprOp::Mul, all, dim.trips);
        text += (text.empty() ? "" : " * ") + dim.text;
      }
      ask(e_.make(ExprOp::AtMost, all, number(threads)), Origin::Op, place,
          text + " <= " + std::to_string(threads) + " threads of a block");
    }
  }

  void addWorkgroupBytes() {
    int many = manyBlocks();
    if (promotedBytes_ < 0 || many < 0)
      return;
    int64_t most = device_.usableWorkgroupBytes();
    int fits = e_.make(ExprOp::AtMost, promotedBytes_, number(most));
    add(e_.make(ExprOp::Implies, both(many, isExact_), fits), Origin::Device, promotedAt_,
        "tiles in workgroup memory have " + promotedText_ + " <= " + std::to_string(most) + " bytes");
  }

  std::string spelled(int node) {
    return e_.part(node).text([&](unsigned knob) { return space_.knobs[knob].name; });
  }

  const ScriptSpace &read_;
  Space &space_;
  func::FuncOp function_;
  const DeviceModel &device_;
  Expression e_;
  llvm::DenseMap<Value, Tile> tiles_;
  llvm::MapVector<Value, Grid> grids_;
  llvm::DenseMap<Value, Slice> slices_;
  llvm::DenseMap<Value, Padding> pads_;
  SmallVector<int64_t> blockDims_;
  unsigned maps_ = 0;
  bool isMapped_ = false; ///< once
  Place mappedAt_, promotedAt_;
  std::string promotedText_;
  int promotedBytes_ = -1, isExact_ = -1;
  int positive_ = e_.constant(1); ///< numbers that constraints give are 1 at least
  bool isChanged_ = false;        ///< the payload may be another one than at first
  bool isUncertain_ = false;      ///< what became of loops is not known
  std::vector<std::string> unknown_;
};

} // namespace

std::vector<std::string> addDemands(ScriptSpace &read, ModuleOp script, func::FuncOp function,
                                    const DeviceModel &device) {
  return Demands(read, function, device).run(script);
}

std::string describeUnknownDemands(llvm::ArrayRef<std::string> unknown) {
  return unknown.empty() ? "" : "only a trial tells whether a point suits " + llvm::join(unknown, ", ");
}

} // namespace fuselage::tune
