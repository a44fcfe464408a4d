#include "core/tuning/space/ScheduleDemands.h"
#include "core/ir/module/Diagnostics.h"
#include "core/tuning/space/OnlyMatch.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::tune {
namespace {

using namespace mlir;

/// A loop of a payload op, as nodes: how many iterations a full tile has, and how many the last one, where that is another number; 0: they
/// are the same, or it is not known.
struct Extent {
  int size = -1, rest = -1;
};

struct Tile {
  linalg::LinalgOp op; ///< that it is a tile of
  SmallVector<Extent> loops;
};

/// A forall that tiling made.
struct Grid {
  struct Dim {
    int trips = -1;
    int isKnown = -1;   ///< whether the number of them is the same in every tile
    std::string text{}; ///< what `trips` is, for people
    DeviceMappingAttrInterface mapping{};
  };
  SmallVector<Dim> dims;
  Operation *madeBy = nullptr;
};

/// One operand of a tile.
struct Slice {
  Tile tile;
  unsigned operand = 0;
};

class Demands {
public:
  Demands(ScriptSpace &read, func::FuncOp function, const DeviceModel &device) : space_(read.space), function_(function), device_(device) {
    for (auto &[constraint, results] : read.results)
      for (auto [value, expression] : llvm::zip(constraint->getResults(), results))
        given_[value] = &expression;
  }

  std::vector<std::string> run(ModuleOp script) {
    auto main = script.lookupSymbol<transform::NamedSequenceOp>(transform::TransformDialect::kTransformEntryPointSymbolName);
    if (!main || main.isExternal())
      return {"the whole schedule, which has no @__transform_main"};
    for (Operation &op : main.getBody().front())
      look(&op);
    if (!isUncertain_ && device_.language.value != "host") { // which runs no launch at all
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
  int isZero(int a) { return e_.make(ExprOp::Equal, a, number(0)); }
  int ceilDiv(int a, int b) { return e_.make(ExprOp::Div, e_.make(ExprOp::Sub, e_.make(ExprOp::Add, a, b), number(1)), b); }

  /// The number that a parameter has; -1: it is none that is known. Where it may be less than 1, nothing is asked then.
  int nodeOf(Value param) {
    if (auto given = given_.find(param); given != given_.end()) {
      int node = e_.append(*given->second, given->second->result(), [&](unsigned knob) { return e_.knob(knob); });
      positive_ = both(positive_, e_.make(ExprOp::AtMost, number(1), node));
      return node;
    }
    if (auto knob = param.getDefiningOp<transform::tune::KnobOp>()) {
      auto index = space_.find(knob.getName());
      bool counts = index && space_.knobs[*index].labels.empty() && !space_.knobs[*index].domain.empty() && space_.knobs[*index].domain.front() >= 1;
      return counts ? e_.knob(*index) : -1;
    }
    if (auto constant = param.getDefiningOp<transform::ParamConstantOp>())
      if (auto value = dyn_cast<IntegerAttr>(constant.getValue()); value && value.getInt() >= 1)
        return number(value.getInt());
    return -1;
  }

  /// By position; nullopt: some are not known. Loops that stay whole have the constant 0.
  std::optional<SmallVector<int>> nodesOf(ArrayRef<OpFoldResult> sizes) {
    SmallVector<int> nodes;
    for (OpFoldResult size : sizes) {
      auto value = dyn_cast<Value>(size);
      std::optional<int64_t> constant = value ? std::nullopt : getConstantIntValue(size);
      nodes.push_back(value ? nodeOf(value) : constant && *constant >= 0 ? number(*constant) : -1);
      if (nodes.back() < 0)
        return std::nullopt;
    }
    return nodes;
  }
  bool isWhole(int node) const { return e_.nodes()[node].op == ExprOp::Constant && e_.nodes()[node].number == 0; }

  void look(Operation *op) {
    isChanged_ |= !isa<transform::tune::KnobOp, transform::ParamConstantOp, transform::smt::ConstrainParamsOp, transform::MatchOp>(op);
    if (isUncertain_)
      return readsKnobs(op) ? leaveOut(op) : void();
    if (auto match = dyn_cast<transform::MatchOp>(op))
      return lookAtMatch(match);
    if (auto tile = dyn_cast<transform::TileUsingForallOp>(op))
      return lookAtForall(tile);
    if (auto tile = dyn_cast<transform::TileUsingForOp>(op))
      return lookAtFor(tile);
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
    if (isa<transform::tune::KnobOp, transform::ParamConstantOp, transform::YieldOp, transform::ApplyPatternsOp, transform::smt::ConstrainParamsOp,
            transform::ApplyCommonSubexpressionEliminationOp, transform::ApplyDeadCodeEliminationOp, transform::ApplyLoopInvariantCodeMotionOp,
            transform::FuseIntoContainingOp, transform::MapForallToBlocks, transform::OneShotBufferizeOp>(op))
      return true;
    if (auto include = dyn_cast<transform::IncludeOp>(op)) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(op, include.getTarget());
      return callee && !callee.isExternal() &&
             llvm::all_of(callee.getBody().front(), [&](Operation &inner) { return isa<transform::MatchOp>(inner) || isHarmless(&inner); });
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
          reads |= isa<transform::TransformParamTypeInterface>(operand.getType()) && (given_.count(operand) || operand.getDefiningOp<transform::tune::KnobOp>());
    });
    return reads && !op->getName().getStringRef().starts_with("transform.smt");
  }

  void leaveOut(Operation *op) {
    std::string line = std::to_string(positionOf(op->getLoc()).line);
    unknown_.push_back(op->getName().getStringRef().str() + " (line " + line + ")");
  }

  void lookAtMatch(transform::MatchOp match) {
    auto found = dyn_cast_if_present<linalg::LinalgOp>(isChanged_ ? nullptr : onlyMatch(match, function_->getParentOp()));
    if (!found)
      return;
    Tile tile{.op = found, .loops = {}};
    for (int64_t range : found.getStaticLoopRanges()) {
      if (ShapedType::isDynamic(range) || range <= 0)
        return;
      tile.loops.push_back({.size = number(range), .rest = number(0)});
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
    int rest = isWhole(loop.rest) ? over : e_.make(ExprOp::Choose, isZero(over), e_.make(ExprOp::Mod, loop.rest, size), over);
    const ExprNode &whole = e_.nodes()[loop.size];
    if (auto most = mostOf(size); most && whole.op == ExprOp::Constant && *most <= whole.number)
      return {.size = size, .rest = rest};
    int isCut = e_.make(ExprOp::Less, size, loop.size);
    return {.size = e_.make(ExprOp::Choose, isCut, size, loop.size), .rest = e_.make(ExprOp::Choose, isCut, rest, loop.rest)};
  }

  void lookAtFor(transform::TileUsingForOp op) {
    auto tile = tiles_.find(op.getTarget());
    bool isPlain = tile != tiles_.end() && !llvm::is_contained(op.getScalableSizes(), true);
    auto sizes = isPlain ? nodesOf(op.getMixedSizes()) : std::nullopt;
    if (!sizes || sizes->size() > tile->second.loops.size())
      return forget(op);
    Tile part = tile->second;
    for (auto [loop, size] : llvm::zip(part.loops, *sizes))
      if (!isWhole(size))
        loop = cut(loop, size);
    tiles_.erase(op.getTarget());
    tiles_[op.getTiledLinalgOp()] = std::move(part);
  }

  void lookAtForall(transform::TileUsingForallOp op) {
    auto tile = tiles_.find(op.getTarget());
    bool isPlain = tile != tiles_.end() && !op.getPackedNumThreads() && !op.getPackedTileSizes();
    bool byThreads = isPlain && !op.getMixedNumThreads().empty();
    auto sizes = isPlain ? nodesOf(byThreads ? op.getMixedNumThreads() : op.getMixedTileSizes()) : std::nullopt;
    if (!sizes || sizes->size() > tile->second.loops.size())
      return forget(op);
    Tile part = tile->second;
    Grid grid{.dims = {}, .madeBy = op};
    for (auto [loop, size] : llvm::zip(part.loops, *sizes)) {
      if (isWhole(size))
        continue;
      Extent whole = loop;
      if (byThreads) {
        loop = {.size = ceilDiv(whole.size, size), .rest = number(0)};
        grid.dims.push_back({.trips = size, .isKnown = number(1), .text = spelled(size)});
        continue;
      }
      loop = cut(whole, size);
      // Of a whole that is sometimes shorter, unless one part is enough for both.
      int isKnown = either(isZero(whole.rest), e_.make(ExprOp::AtMost, whole.size, size));
      grid.dims.push_back({.trips = ceilDiv(whole.size, size), .isKnown = isKnown, .text = "ceil(" + spelled(whole.size) + " / " + spelled(size) + ")"});
    }
    if (op.getMapping() && op.getMapping()->size() == grid.dims.size())
      for (auto [dim, mapping] : llvm::zip(grid.dims, *op.getMapping()))
        dim.mapping = dyn_cast<DeviceMappingAttrInterface>(mapping);
    tiles_.erase(op.getTarget());
    tiles_[op.getTiledOp()] = std::move(part);
    grids_[op.getForallOp()] = std::move(grid);
  }

  void forget(Operation *op) {
    if (readsKnobs(op))
      leaveOut(op);
    tiles_.erase(op->getOperand(0));
  }

  void lookAtOperand(transform::GetOperandOp op) {
    auto tile = tiles_.find(op.getTarget());
    ArrayRef<int64_t> positions = op.getRawPositionList();
    if (tile != tiles_.end() && positions.size() == 1 && positions[0] >= 0 && positions[0] < tile->second.op->getNumOperands() && !op.getIsInverted() &&
        !op.getIsAll())
      slices_[op.getResult()] = {.tile = tile->second, .operand = static_cast<unsigned>(positions[0])};
  }

  static bool isWorkgroup(Attribute space) {
    auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
    auto number = dyn_cast_or_null<IntegerAttr>(space);
    return (gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Workgroup) || (number && number.getInt() == 3);
  }

  void lookAtPromotion(transform::PromoteTensorOp op) {
    if (!isWorkgroup(op.getMemorySpaceAttr()))
      return;
    auto slice = slices_.find(op.getTensor());
    if (slice == slices_.end())
      return leaveOut(op);
    Tile &tile = slice->second.tile;
    OpOperand &operand = tile.op->getOpOperand(slice->second.operand);
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    AffineMap map = tile.op.getMatchingIndexingMap(&operand);
    if (!type || !type.getElementType().isIntOrFloat() || !map.isProjectedPermutation())
      return leaveOut(op);
    // A tile that is sometimes shorter has no size that is known, and fails or not for that.
    int bytes = number(llvm::divideCeil(type.getElementTypeBitWidth(), 8)), isPart = number(0);
    SmallVector<int64_t> ranges = tile.op.getStaticLoopRanges();
    for (AffineExpr dim : map.getResults()) {
      unsigned position = cast<AffineDimExpr>(dim).getPosition();
      const Extent &loop = tile.loops[position];
      bytes = e_.make(ExprOp::Mul, bytes, loop.size);
      isPart = either(isPart, e_.make(ExprOp::Less, loop.size, number(ranges[position])));
      isExact_ = isExact_ < 0 ? isZero(loop.rest) : both(isExact_, isZero(loop.rest));
    }
    promotedText_ += (promotedText_.empty() ? "" : " + ") + spelled(bytes);
    bytes = e_.make(ExprOp::Choose, isPart, bytes, number(0)); // the whole is copied where it is made, which is not in the kernel
    promotedBytes_ = promotedBytes_ < 0 ? bytes : e_.make(ExprOp::Add, promotedBytes_, bytes);
    promotedAt_ = placeOf(op);
  }

  void lookAtVectorize(transform::VectorizeOp op) {
    auto tile = tiles_.find(op.getTarget());
    if (tile == tiles_.end() || !op.getMixedVectorSizes().empty())
      return readsKnobs(op) ? leaveOut(op) : void();
    for (auto [number, loop] : llvm::enumerate(tile->second.loops)) {
      std::string name = tile->second.op->getName().getStringRef().str() + "." + std::to_string(number);
      add(isZero(loop.rest), Origin::Op, placeOf(op), "tiles divide " + name + ", as vectors have one size");
    }
  }

  /// Adds what knobs have a say in.
  void add(int node, Origin origin, const Place &place, std::string text) {
    Expression holds = e_.part(node);
    bool isTrue = holds.knobs().empty() && holds.holds({});
    if (!isTrue)
      space_.add(e_, e_.make(ExprOp::Implies, positive_, node), origin, place, std::move(text));
  }

  static bool isOf(const Grid &grid, llvm::function_ref<bool(DeviceMappingAttrInterface)> test) {
    return !grid.dims.empty() && llvm::all_of(grid.dims, [&](const Grid::Dim &dim) { return dim.mapping && test(dim.mapping); });
  }
  static bool isThread(DeviceMappingAttrInterface mapping) {
    auto thread = dyn_cast<gpu::GPUThreadMappingAttr>(mapping);
    return thread && !thread.isLinearMapping() && thread.getRelativeIndex() < 3;
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
          "a block has at most " + std::to_string(device_.maxThreads.value) + " threads, and this one " + std::to_string(threads));
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
        ask(dim.isKnown, Origin::Op, place, "blocks divide what they share, so that each has " + dim.text + " threads along " + "xyz"[index]);
        all = all < 0 ? dim.trips : e_.make(ExprOp::Mul, all, dim.trips);
        text += (text.empty() ? "" : " * ") + dim.text;
      }
      ask(e_.make(ExprOp::AtMost, all, number(threads)), Origin::Op, place, text + " <= " + std::to_string(threads) + " threads of a block");
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

  Space &space_;
  func::FuncOp function_;
  const DeviceModel &device_;
  Expression e_;
  llvm::DenseMap<Value, const Expression *> given_; ///< by constraints
  llvm::DenseMap<Value, Tile> tiles_;
  llvm::MapVector<Value, Grid> grids_;
  llvm::DenseMap<Value, Slice> slices_;
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

std::vector<std::string> addDemands(ScriptSpace &read, ModuleOp script, func::FuncOp function, const DeviceModel &device) {
  return Demands(read, function, device).run(script);
}

std::string describeUnknownDemands(llvm::ArrayRef<std::string> unknown) {
  return unknown.empty() ? "" : "only a trial tells whether a point suits " + llvm::join(unknown, ", ");
}

} // namespace fuselage::tune
