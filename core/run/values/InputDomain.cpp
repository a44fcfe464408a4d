#include "core/run/values/InputDomain.h"
#include "core/ir/ops/ElementBounds.h"
#include "core/ir/ops/Parameters.h"
#include "core/run/values/Positions.h"
#include "core/run/values/SignDemands.h"
#include "core/transforms/attention/TileAttention.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

constexpr double leastPositive = 0.05;
constexpr int64_t smallCount = 8; ///< of trips, of sizes that nothing else bounds

namespace {

/// Follows one argument to its readers.
class Readers {
public:
  /// `wantsSign`: what takes a root of something computed from it, if anything does.
  InputDomain of(BlockArgument argument, Operation *wantsSign) {
    argument_ = argument;
    if (wantsSign)
      between(leastPositive, std::numeric_limits<double>::infinity(), "positive", wantsSign);
    follow(argument, false);
    while (!pending_.empty()) {
      auto [value, isDerived] = pending_.pop_back_val();
      for (OpOperand &use : value.getUses())
        read(use, isDerived);
    }
    if (becomesPosition_)
      countUp();
    if (becomesIndex_ && !domain_.bounded)
      limit(0, 1, "index"); // of what, nobody can tell: small tables have two rows
    if (std::optional<ElementBounds> bounds = elementBounds(argument))
      limit(bounds->least, bounds->greatest, "what the program asserts");
    if (comparesWithZero_ && !domain_.bounded)
      limitNumber(0, 1, "0 or 1, as a mask,", comparesWithZero_);
    if (isParameter(argument))
      scaleParameter();
    if (domain_.bounded)
      domain_.last = std::max(domain_.first, domain_.last);
    if (domain_.most < domain_.least) // readers that contradict each other
      domain_.most = domain_.least + 1;
    return domain_;
  }

private:
  void follow(Value value, bool isDerived) {
    if (seen_.insert({value, isDerived}).second)
      pending_.push_back({value, isDerived});
  }

  void note(const std::string &text) {
    if (StringRef(domain_.note).contains(text))
      return;
    domain_.note += (domain_.note.empty() ? "" : ", ") + text;
  }
  static std::string since(const char *what, Operation *reader) {
    return std::string(what) + " since " + reader->getName().getStringRef().str() + " reads it";
  }

  void between(double least, double most, const char *what, Operation *reader) {
    domain_.least = std::max(domain_.least, least);
    domain_.most = std::min(domain_.most, most);
    note(since(what, reader));
  }
  void limit(int64_t first, int64_t last, const char *what) {
    domain_.bounded = true;
    domain_.first = std::max(domain_.first, first);
    domain_.last = std::min(domain_.last, std::max(first, last));
    note(llvm::formatv("within its bounds as {0}", what));
  }
  /// A position in `size` elements; arithmetic on the way makes only the first ones safe.
  void limitIndex(int64_t size, bool isDerived) {
    int64_t last = ShapedType::isDynamic(size) ? 1 : size - 1;
    limit(0, isDerived ? std::min<int64_t>(last, 1) : last, "an index");
  }

  void read(OpOperand &use, bool isDerived) {
    Operation *op = use.getOwner();
    if (auto structured = llvm::dyn_cast<linalg::LinalgOp>(op)) {
      scaleForSums(structured, use);
      follow(structured.getMatchingBlockArgument(&use), isDerived);
      return;
    }
    if (llvm::isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
      return readTensor(use, isDerived);
    if (auto call = llvm::dyn_cast<func::CallOp>(op)) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
      if (callee && !callee.isExternal())
        follow(callee.getArgument(use.getOperandNumber()), isDerived);
      return;
    }
    if (auto loop = llvm::dyn_cast<scf::ForOp>(op)) {
      if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
        follow(carried, isDerived);
      else
        limit(use.getOperandNumber() == 0 ? 0 : 1, use.getOperandNumber() == 1 ? smallCount : 1, "a bound of a loop");
      return;
    }
    if (op->hasTrait<OpTrait::IsTerminator>() && !llvm::isa<func::ReturnOp>(op)) {
      Operation *parent = op->getParentOp(); // what a payload or a region yields unchanged
      if (parent && parent->getNumResults() == op->getNumOperands())
        follow(parent->getResult(use.getOperandNumber()), isDerived);
      return;
    }
    readNumber(use, isDerived);
  }

  /// What is known of a parameter beyond its readers: its shape, and what it is an operand of.
  void scaleParameter() {
    auto type = llvm::dyn_cast<RankedTensorType>(argument_.getType());
    if (!type || !llvm::isa<FloatType>(type.getElementType()) || !type.hasStaticShape())
      return;
    bool isBounded = std::isfinite(domain_.least) || std::isfinite(domain_.most);
    if (isBounded) {
      // A variance, most often: what is near 0 would be blown up by its root.
      if (domain_.least > 0 && !std::isfinite(domain_.most))
        domain_.least = 0.5, domain_.most = 1.5, note("around 1, as a variance");
      return;
    }
    double fanIn = 1;
    for (int64_t size : type.getShape().drop_front(std::min<size_t>(type.getRank(), 1)))
      fanIn *= std::max<int64_t>(size, 1);
    bool isMatrix = fanIn > 1 && llvm::count_if(type.getShape(), [](int64_t size) { return size > 1; }) > 1;
    if (domain_.deviation < 1 || domain_.awayFromZero)
      return;
    if (isMatrix) {
      domain_.deviation = 1 / std::sqrt(fanIn);
      return note(llvm::formatv("scaled by 1/sqrt({0}), its fan-in", int64_t(fanIn)));
    }
    if (multiplies_ && !adds_) {
      domain_.mean = 1, domain_.deviation = 0.1;
      return note("near 1, as a scale");
    }
    domain_.deviation = 0.1;
    note("small, as a bias");
  }

  /// A number that is known, through conversions of its type.
  static std::optional<double> constantOf(Value value) {
    while (auto *op = value.getDefiningOp())
      if (llvm::isa<arith::TruncFOp, arith::ExtFOp>(op))
        value = op->getOperand(0);
      else
        break;
    APFloat number(0.0);
    if (matchPattern(value, m_ConstantFloat(&number)))
      return number.convertToDouble();
    // The scalar of a payload that stands for a whole tensor.
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    auto owner = argument ? llvm::dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp()) : linalg::LinalgOp();
    DenseFPElementsAttr elements;
    if (owner && matchPattern(owner->getOperand(argument.getArgNumber()), m_Constant(&elements)) && elements.isSplat())
      return elements.getSplatValue<APFloat>().convertToDouble();
    return std::nullopt;
  }

  /// What is added to, or multiplied by, a positive number is as positive as it was; who reads it then tells about
  /// signs and no more.
  void followSigns(Operation *op, unsigned position) {
    multiplies_ |= llvm::isa<arith::MulFOp>(op);
    adds_ |= llvm::isa<arith::AddFOp, arith::SubFOp>(op);
    if (!llvm::isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp, arith::MaxNumFOp>(op) ||
        (llvm::isa<arith::DivFOp>(op) && position != 0))
      return;
    std::optional<double> other = constantOf(op->getOperand(1 - position));
    if (other && (*other > 0 || (*other == 0 && llvm::isa<arith::AddFOp>(op))))
      follow(op->getResult(0), true);
  }

  /// The function's argument whose elements these are, moved at most; null if they are computed.
  static BlockArgument sourceArgument(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      auto structured = llvm::dyn_cast<linalg::LinalgOp>(op);
      bool copies = structured && structured.getNumDpsInputs() == 1 && structured.getNumDpsInits() == 1 &&
                    op->getRegion(0).front().getTerminator()->getOperand(0) == op->getRegion(0).front().getArgument(0);
      if (!copies && !llvm::isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp,
                                tensor::PadOp>(op))
        return nullptr;
      value = op->getOperand(0);
    }
    auto argument = llvm::cast<BlockArgument>(value);
    return llvm::isa<func::FuncOp>(argument.getOwner()->getParentOp()) ? argument : nullptr;
  }

  /// Weights are what a learning framework starts with deviation 1 / sqrt(terms): an argument that is
  /// multiplied, in a sum of so many terms, with something computed or with an argument before it.
  void scaleForSums(linalg::LinalgOp op, OpOperand &use) {
    double terms = 1;
    for (auto [range, iterator] : llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction && !ShapedType::isDynamic(range))
        terms *= std::max<int64_t>(range, 1);
    double deviation = 1 / std::sqrt(terms);
    if (terms <= 1 || deviation >= domain_.deviation || !isWeight(op, op.getMatchingBlockArgument(&use)))
      return;
    domain_.deviation = deviation;
    note(llvm::formatv("scaled by 1/sqrt({0}) since {1} adds that many terms", int64_t(terms),
                       op->getName().getStringRef()));
  }

  bool isWeight(linalg::LinalgOp op, Value element) {
    for (Operation *user : element.getUsers()) {
      if (llvm::isa<arith::ExtFOp, arith::TruncFOp>(user) && isWeight(op, user->getResult(0)))
        return true;
      if (!llvm::isa<arith::MulFOp>(user))
        continue;
      Value other = user->getOperand(user->getOperand(0) == element ? 1 : 0);
      auto factor = llvm::dyn_cast<BlockArgument>(other);
      if (other == element) // squares
        continue;
      BlockArgument behind = factor && factor.getOwner() == op.getBlock()
                                 ? sourceArgument(op->getOperand(factor.getArgNumber()))
                                 : BlockArgument();
      if (!behind || (behind != argument_ && behind.getArgNumber() < argument_.getArgNumber()))
        return true;
    }
    return false;
  }

  void readTensor(OpOperand &use, bool isDerived) {
    Operation *op = use.getOwner();
    if (!use.get().getType().isIndex()) { // the data: moved, or picked from
      bool moves = llvm::isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp,
                             tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ExtractOp, tensor::InsertOp,
                             tensor::PadOp, tensor::FromElementsOp, tensor::SplatOp, tensor::ConcatOp>(op);
      if (moves && op->getNumResults() == 1)
        follow(op->getResult(0), isDerived);
      if (auto gather = llvm::dyn_cast<tensor::GatherOp>(op); gather && use.get() == gather.getIndices())
        for (int64_t dim : gather.getGatherDims())
          limitIndex(gather.getSourceType().getDimSize(dim), isDerived);
      return;
    }
    if (llvm::isa<tensor::FromElementsOp>(op) ||
        (llvm::isa<tensor::InsertOp, tensor::SplatOp>(op) && use.getOperandNumber() == 0))
      return follow(op->getResult(0), isDerived); // data of type index
    if (auto extract = llvm::dyn_cast<tensor::ExtractOp>(op))
      return limitIndex(extract.getTensor().getType().getDimSize(use.getOperandNumber() - 1), isDerived);
    if (auto insert = llvm::dyn_cast<tensor::InsertOp>(op))
      return limitIndex(insert.getDest().getType().getDimSize(use.getOperandNumber() - 2), isDerived);
    if (auto dim = llvm::dyn_cast<tensor::DimOp>(op)) {
      auto shaped = llvm::dyn_cast<RankedTensorType>(dim.getSource().getType());
      return limitIndex(shaped ? shaped.getRank() : 1, isDerived);
    }
    if (auto slice = llvm::dyn_cast<tensor::ExtractSliceOp>(op))
      return readSlice(slice, slice.getSourceType(), use);
    if (auto slice = llvm::dyn_cast<tensor::InsertSliceOp>(op))
      return readSlice(slice, slice.getDestType(), use);
    if (llvm::isa<tensor::PadOp>(op))
      return limit(0, 3, "padding");
    // A size of something new: what is written into it has to fit.
    int64_t least = op->getNumResults() == 1 ? leastSize(op->getResult(0)) : 1;
    limit(least, least + smallCount - 1, "a size");
  }

  /// Offsets and sizes of a slice of a tensor of type `whole`.
  void readSlice(OffsetSizeAndStrideOpInterface slice, RankedTensorType whole, OpOperand &use) {
    for (int64_t dim = 0; dim < whole.getRank(); ++dim) {
      bool isOffset = slice.isDynamicOffset(dim) && &slice->getOpOperand(slice.getIndexOfDynamicOffset(dim)) == &use;
      bool isSize = slice.isDynamicSize(dim) && &slice->getOpOperand(slice.getIndexOfDynamicSize(dim)) == &use;
      bool isStride = slice.isDynamicStride(dim) && &slice->getOpOperand(slice.getIndexOfDynamicStride(dim)) == &use;
      int64_t extent = whole.isDynamicDim(dim) ? 1 : whole.getDimSize(dim);
      if (isStride)
        limit(1, 1, "a stride");
      if (isOffset && !slice.isDynamicSize(dim))
        limit(0, extent - std::min(extent, slice.getStaticSize(dim) * strideOf(slice, dim)), "an offset");
      else if (isOffset)
        limit(0, extent / 2, "an offset");
      if (isSize && !slice.isDynamicOffset(dim))
        limit(1, (extent - slice.getStaticOffset(dim)) / strideOf(slice, dim), "a size");
      else if (isSize)
        limit(1, (extent - extent / 2) / strideOf(slice, dim), "a size");
    }
  }
  static int64_t strideOf(OffsetSizeAndStrideOpInterface slice, int64_t dim) {
    return slice.isDynamicStride(dim) ? 1 : std::max<int64_t>(slice.getStaticStride(dim), 1);
  }

  /// How large a new tensor has to be in its dynamic dimensions for the static slices that go into it.
  static int64_t leastSize(Value tensor) {
    int64_t least = 1;
    for (Operation *user : tensor.getUsers()) {
      auto slice = llvm::dyn_cast<OffsetSizeAndStrideOpInterface>(user);
      if (!slice || !llvm::isa<tensor::InsertSliceOp, tensor::ExtractSliceOp>(user))
        continue;
      for (unsigned dim = 0; dim < slice.getStaticSizes().size(); ++dim)
        if (!slice.isDynamicSize(dim) && !slice.isDynamicOffset(dim))
          least = std::max(least, slice.getStaticOffset(dim) + slice.getStaticSize(dim) * strideOf(slice, dim));
    }
    return least;
  }

  /// Whether the value is multiplied by something close to the largest number: a mask, of which 0 and 1 make
  /// sense, and what is beyond them becomes infinite.
  static bool becomesPenalty(Value value, unsigned depth = 8) {
    constexpr double huge = 1e30;
    return depth > 0 && llvm::any_of(value.getUses(), [&](OpOperand &use) {
             Operation *op = use.getOwner();
             if (llvm::isa<arith::MulFOp>(op)) {
               APFloat factor(0.0);
               return matchPattern(op->getOperand(1 - use.getOperandNumber()), m_ConstantFloat(&factor)) &&
                      std::abs(factor.convertToDouble()) >= huge;
             }
             if (auto structured = llvm::dyn_cast<linalg::LinalgOp>(op))
               return becomesPenalty(structured.getMatchingBlockArgument(&use), depth - 1);
             if (llvm::isa<linalg::YieldOp>(op))
               return use.getOperandNumber() < op->getParentOp()->getNumResults() &&
                      becomesPenalty(op->getParentOp()->getResult(use.getOperandNumber()), depth - 1);
             bool moves = llvm::isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op);
             bool complements = llvm::isa<arith::SubFOp>(op);
             return (moves || complements) && becomesPenalty(op->getResult(0), depth - 1);
           });
  }

  /// As many positions as the argument has along its last dimension; a lone one is anywhere near
  /// the start.
  void countUp() {
    constexpr int64_t few = 16;
    auto shaped = llvm::dyn_cast<ShapedType>(argument_.getType());
    int64_t count = shaped && shaped.hasStaticShape() && shaped.getRank() > 0 ? shaped.getShape().back() : 1;
    domain_.countsUp = count > 1;
    limitNumber(0, (count > 1 ? count : few) - 1, "as a position", becomesPosition_);
  }

  /// A scalar, or all elements of a tensor, in an op that computes.
  void readNumber(OpOperand &use, bool isDerived) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Operation *op = use.getOwner();
    unsigned position = use.getOperandNumber();
    if (llvm::isa<FloatType>(getElementTypeOrSelf(use.get().getType()))) {
      followSigns(op, position);
      bool wantsSign = llvm::isa<math::SqrtOp, math::RsqrtOp, math::LogOp, math::Log2Op, math::Log10Op, math::PowFOp,
                                 arith::ExtFOp, arith::TruncFOp, arith::SelectOp>(op) ||
                       (llvm::isa<arith::DivFOp>(op) && position == 1);
      if (isDerived && !wantsSign)
        return;
    }
    if (auto compare = llvm::dyn_cast<arith::CmpIOp>(op); compare && !isDerived) {
      APInt other;
      if (matchPattern(op->getOperand(1 - position), m_ConstantInt(&other)) && other.isZero())
        comparesWithZero_ = op;
      if (isIota(op->getOperand(1 - position)))
        becomesPosition_ = op;
    }
    bool isMask = llvm::isa<arith::SubFOp>(op) && becomesPenalty(op->getResult(0));
    if (isMask || (llvm::isa<arith::MulFOp>(op) && becomesPenalty(use.get(), 1)))
      return between(0, 1, "between 0 and 1, as a mask,", op);
    if (llvm::isa<math::SqrtOp, math::RsqrtOp, math::LogOp, math::Log2Op, math::Log10Op>(op))
      return between(leastPositive, infinity, "positive", op);
    if (llvm::isa<math::Log1pOp>(op))
      return between(-0.9, infinity, "above -1", op);
    if (auto power = llvm::dyn_cast<math::PowFOp>(op); power && position == 0 && !isWholePower(power.getRhs()))
      return between(leastPositive, infinity, "positive", op);
    if (llvm::isa<math::AcosOp, math::AsinOp, math::AtanhOp>(op))
      return between(-0.95, 0.95, "between -1 and 1", op);
    if (llvm::isa<math::AcoshOp>(op))
      return between(1.05, infinity, "above 1", op);
    if (llvm::isa<arith::FPToUIOp>(op))
      return between(0, infinity, "not negative", op);
    if (llvm::isa<arith::DivFOp, arith::RemFOp>(op) && position == 1) {
      domain_.awayFromZero = true;
      return note(since("not near 0", op));
    }
    if (llvm::isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
                  arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
        position == 1) {
      domain_.isDivisor = true;
      return note(since("neither 0 nor -1", op));
    }
    if (llvm::isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op) && position == 1) {
      Type type = getElementTypeOrSelf(use.get().getType());
      return limitNumber(0, (type.isIndex() ? 64 : type.getIntOrFloatBitWidth()) - 1, "below the width", op);
    }
    if (llvm::isa<math::IPowIOp, math::FPowIOp>(op) && position == 1)
      return limitNumber(0, 3, "small", op);
    if (llvm::isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
      if (!isDerived && becomesPenalty(op->getResult(0)))
        return limitNumber(0, 1, "0 or 1, as a mask,", op);
      if (Operation *angle = angleOf(op->getResult(0)))
        becomesPosition_ = angle;
      auto to = llvm::cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
      if (to.getWidth() <= 16 && !to.isBF16() && !isDerived) // larger ones are infinite there
        limitNumber(to.getWidth() == 16 ? -1024 : -8, to.getWidth() == 16 ? 1024 : 8, "small", op);
      return;
    }
    if (llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) && op->getResult(0).getType().isIndex())
      becomesIndex_ = true;
    if (llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
                  arith::ExtUIOp, arith::TruncIOp>(op) ||
        (llvm::isa<arith::SelectOp>(op) && position > 0))
      return follow(op->getResult(0), isDerived);
    bool isWhole = op->getNumResults() == 1 && getElementTypeOrSelf(op->getResult(0).getType()).isIntOrIndex() &&
                   getElementTypeOrSelf(use.get().getType()).isIntOrIndex();
    if (isWhole && !llvm::isa<arith::CmpIOp>(op) && !wrapsNegative(op, use.get()))
      follow(op->getResult(0), true); // arithmetic on what may become an index
  }

  void limitNumber(int64_t first, int64_t last, const char *what, Operation *reader) {
    domain_.bounded = true;
    domain_.first = std::max(domain_.first, first);
    domain_.last = std::min(domain_.last, last);
    note(since(what, reader));
  }

  /// select(i < 0, i + n, i): the sum is for negative indices only.
  static bool wrapsNegative(Operation *op, Value index) {
    return llvm::isa<arith::AddIOp>(op) && op->hasOneUse() && [&] {
      auto select = llvm::dyn_cast<arith::SelectOp>(*op->getUsers().begin());
      return select && (select.getTrueValue() == index || select.getFalseValue() == index);
    }();
  }

  BlockArgument argument_;
  InputDomain domain_;
  bool becomesIndex_ = false, multiplies_ = false, adds_ = false;
  Operation *comparesWithZero_ = nullptr, *becomesPosition_ = nullptr;
  SmallVector<std::pair<Value, bool>> pending_; ///< with whether arithmetic is in between
  llvm::DenseSet<std::pair<Value, unsigned>> seen_;
};

} // namespace

std::vector<InputDomain> inputDomainsOf(func::FuncOp function) {
  OwningOpRef<ModuleOp> withLoops = copyWithTiledAttention(function);
  std::vector<InputDomain> domains;
  llvm::DenseMap<BlockArgument, Operation *> demands = signDemandsOf(function);
  for (BlockArgument argument : function.getArguments())
    domains.push_back(Readers().of(argument, demands.lookup(argument)));
  return domains;
}

} // namespace fuselage
