#include "core/runtime/run/DefaultSizes.h"
#include "core/dialects/flow/Flow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <numeric>

using namespace mlir;

namespace fuselage {

std::string describeChosen(const ArgumentSizes &chosen) {
  std::string text = "sizes that were not given are chosen: ";
  bool isFirst = true;
  for (const auto &[name, size] : chosen) {
    text += (std::exchange(isFirst, false) ? "" : ", ") + name + " = " + std::to_string(size);
  }
  return text + "; '--size " + chosen.begin()->first + "=N', or its field in the window, gives another";
}

namespace {

/// A dimension of a tensor, or a whole number (dimension -1).
using Extent = std::pair<void *, int64_t>;

/// Which extents of a function are equal.
class Extents {
public:
  explicit Extents(func::FuncOp function) : function_(function) {
    function.walk([&](Operation *op) { read(op); });
  }
  /// Reads only what runs whenever the function does.
  static Extents certain(func::FuncOp function) { return Extents(function, function.getBody().front()); }
  ArgumentSizes choose(const ArgumentSizes &given);
  std::map<unsigned, int64_t> integers();

private:
  Extents(func::FuncOp function, Block &entry) : function_(function) {
    for (Operation &op : entry)
      if (auto region = dyn_cast<flow::DispatchRegionOp>(op))
        readRegion(region);
      else if (!isa<LoopLikeOpInterface>(op))
        read(&op);
  }
  void read(Operation *op);
  void readRegion(flow::DispatchRegionOp region) {
    for (Operation &op : region.getBody().front())
      read(&op);
    read(region);
  }
  void readLoops(linalg::LinalgOp op);
  void readReshape(Value wide, Value narrow, ArrayRef<ReassociationIndices> groups);
  void readSlice(OffsetSizeAndStrideOpInterface op, Value slice, const llvm::SmallBitVector &dropped);

  static int64_t sizeOf(Value tensor, int64_t dim) { return cast<RankedTensorType>(tensor.getType()).getDimSize(dim); }
  static Extent extentOf(Value value, int64_t dim = -1) { return {value.getAsOpaquePointer(), dim}; }
  void is(Extent extent, int64_t size) {
    classes_.insert(extent);
    known_.push_back({extent, size});
  }
  void same(Extent a, Extent b) { classes_.unionSets(a, b); }
  void same(Value a, int64_t dimA, Value b, int64_t dimB) {
    int64_t sizeA = sizeOf(a, dimA), sizeB = sizeOf(b, dimB);
    if (ShapedType::isDynamic(sizeA) && ShapedType::isDynamic(sizeB))
      same(extentOf(a, dimA), extentOf(b, dimB));
    else if (ShapedType::isDynamic(sizeA))
      is(extentOf(a, dimA), sizeB);
    else if (ShapedType::isDynamic(sizeB))
      is(extentOf(b, dimB), sizeA);
  }
  void same(Value a, Value b) {
    auto typeA = dyn_cast<RankedTensorType>(a.getType()), typeB = dyn_cast<RankedTensorType>(b.getType());
    if (!typeA || !typeB) {
      if (a.getType().isIntOrIndex() && b.getType().isIntOrIndex())
        same(extentOf(a), extentOf(b));
      return;
    }
    for (int64_t dim = 0; dim < typeA.getRank() && typeA.getRank() == typeB.getRank(); ++dim)
      same(a, dim, b, dim);
  }
  void same(ValueRange as, ValueRange bs) {
    for (auto [a, b] : llvm::zip(as, bs))
      same(a, b);
  }
  void same(Value tensor, int64_t dim, OpFoldResult size) {
    bool isDynamic = ShapedType::isDynamic(sizeOf(tensor, dim));
    auto constant = getConstantIntValue(size);
    if (constant && isDynamic)
      is(extentOf(tensor, dim), *constant);
    else if (auto value = dyn_cast_if_present<Value>(size); value && isDynamic)
      same(extentOf(tensor, dim), extentOf(value));
    else if (value)
      is(extentOf(value), sizeOf(tensor, dim));
  }

  func::FuncOp function_;
  /// `whole` is `factor` times `part`, or, where that is not one dimension, of something.
  struct Multiple {
    Extent whole;
    std::optional<Extent> part;
    int64_t factor;
  };
  Extent leader(Extent extent) {
    classes_.insert(extent);
    return classes_.getLeaderValue(extent);
  }
  void relateMultiples();
  bool spread(std::map<Extent, int64_t> &sizes);

  llvm::EquivalenceClasses<Extent> classes_;
  std::vector<std::pair<Extent, int64_t>> known_;
  std::vector<Multiple> multiples_;
};

void Extents::readLoops(linalg::LinalgOp op) {
  std::vector<std::pair<Value, int64_t>> first(op.getNumLoops(), {Value(), 0});
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      auto &seen = first[loop.getPosition()];
      if (seen.first)
        same(seen.first, seen.second, operand.get(), dim);
      else
        seen = {operand.get(), int64_t(dim)};
    }
  }
}

/// A dimension of `narrow` is a group of `wide`'s: the same as the one that is not 1, or a multiple of what is static.
void Extents::readReshape(Value wide, Value narrow, ArrayRef<ReassociationIndices> groups) {
  for (auto [dim, group] : llvm::enumerate(groups)) {
    int64_t product = 1, open = -1, opens = 0;
    for (int64_t part : group)
      if (ShapedType::isDynamic(sizeOf(wide, part)))
        open = part, ++opens;
      else
        product *= std::max<int64_t>(sizeOf(wide, part), 1);
    int64_t whole = sizeOf(narrow, dim);
    if (opens == 1 && product == 1)
      same(wide, open, narrow, dim);
    else if (opens == 1 && !ShapedType::isDynamic(whole))
      is(extentOf(wide, open), whole / product);
    else if (ShapedType::isDynamic(whole) && opens == 0)
      is(extentOf(narrow, dim), product);
    else if (ShapedType::isDynamic(whole))
      multiples_.push_back({.whole = extentOf(narrow, dim),
                            .part = opens == 1 ? std::optional(extentOf(wide, open)) : std::nullopt,
                            .factor = product});
  }
}

void Extents::readSlice(OffsetSizeAndStrideOpInterface op, Value slice, const llvm::SmallBitVector &dropped) {
  int64_t kept = 0;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(dim))
      same(slice, kept++, size);
}

void Extents::read(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return readLoops(structured);
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    if (index && isa<RankedTensorType>(dim.getSource().getType()) && *index >= 0 &&
        *index < cast<RankedTensorType>(dim.getSource().getType()).getRank())
      same(dim.getSource(), *index, OpFoldResult(dim.getResult()));
  } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    for (auto [dim, size] : llvm::enumerate(empty.getMixedSizes()))
      same(empty, dim, size);
  } else if (isa<tensor::CastOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp,
                 arith::TruncIOp>(op)) {
    same(op->getOperand(0), op->getResult(0));
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    readReshape(expand.getResult(), expand.getSrc(), expand.getReassociationIndices());
    for (auto [dim, size] : llvm::enumerate(expand.getMixedOutputShape()))
      same(expand, dim, size);
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    readReshape(collapse.getSrc(), collapse.getResult(), collapse.getReassociationIndices());
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    readSlice(slice, slice.getResult(), slice.getDroppedDims());
  } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    readSlice(slice, slice.getSource(), slice.getDroppedDims());
    same(slice.getDest(), slice.getResult());
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    for (Value input : concat.getInputs())
      for (int64_t dim = 0; dim < concat.getResultType().getRank(); ++dim)
        if (dim != int64_t(concat.getDim()))
          same(input, dim, concat.getResult(), dim);
  } else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
    same(softmax.getInput(), softmax.getOutput());
  } else if (auto region = dyn_cast<flow::DispatchRegionOp>(op)) {
    same(region.getReturn()->getOperands(), region.getResults());
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op); loop && loop.getLoopResults()) {
    same(loop.getInits(), *loop.getLoopResults());
    same(loop.getInits(), ValueRange(loop.getRegionIterArgs()));
  } else if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
    if (compare && compare.getPredicate() == arith::CmpIPredicate::eq)
      same(compare.getLhs(), compare.getRhs());
  } else if (APInt number; op->getNumResults() == 1 && matchPattern(op, m_ConstantInt(&number)) &&
                           number.getSignificantBits() <= 64) {
    is(extentOf(op->getResult(0)), number.getSExtValue());
  } else if (op->getNumResults() > 0 && isa<DestinationStyleOpInterface>(op)) {
    auto destination = cast<DestinationStyleOpInterface>(op);
    if (destination.getNumDpsInits() == int64_t(op->getNumResults()))
      same(destination.getDpsInits(), op->getResults());
  }
}

/// Equal parts make equal wholes, and the other way round.
void Extents::relateMultiples() {
  bool changed = true;
  auto join = [&](std::map<std::pair<Extent, int64_t>, Extent> &known, Extent key, int64_t factor, Extent other) {
    auto [place, isNew] = known.try_emplace({leader(key), factor}, other);
    if (isNew || leader(place->second) == leader(other))
      return;
    same(place->second, other);
    changed = true;
  };
  while (std::exchange(changed, false)) {
    std::map<std::pair<Extent, int64_t>, Extent> wholes, parts;
    for (const Multiple &multiple : multiples_)
      if (multiple.part) {
        join(wholes, *multiple.part, multiple.factor, multiple.whole);
        join(parts, multiple.whole, multiple.factor, *multiple.part);
      }
  }
}

/// Takes known sizes from parts to wholes and back; false if they contradict each other.
bool Extents::spread(std::map<Extent, int64_t> &sizes) {
  for (size_t round = 0; round <= multiples_.size(); ++round) {
    bool changed = false;
    for (const Multiple &multiple : multiples_) {
      if (!multiple.part)
        continue;
      auto whole = sizes.find(leader(multiple.whole)), part = sizes.find(leader(*multiple.part));
      if (whole == sizes.end() && part == sizes.end())
        continue;
      changed |= whole == sizes.end() || part == sizes.end();
      if (whole == sizes.end())
        sizes[leader(multiple.whole)] = part->second * multiple.factor;
      else if (part == sizes.end())
        sizes[leader(*multiple.part)] = whole->second / multiple.factor;
      else if (whole->second != part->second * multiple.factor)
        return false;
    }
    if (!changed)
      break;
  }
  return true;
}

/// Whether a dimension counts examples rather than what one example is made of.
bool isBatch(RankedTensorType type, int64_t dim) {
  return dim == 0 && (type.getRank() > 2 || (type.getRank() == 2 && type.getElementType().isInteger()));
}

ArgumentSizes Extents::choose(const ArgumentSizes &given) {
  constexpr int64_t batch = 2, usual = 32, large = 1 << 16;
  struct Open {
    std::string name;
    Extent extent;
    bool isBatch;
  };
  std::vector<Open> open;
  for (auto [index, argument] : llvm::enumerate(function_.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (auto found = given.find("arg" + std::to_string(index)); found != given.end() && argument.getType().isIntOrIndex())
      is(extentOf(argument), found->second);
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      std::string name = sizeName(index, dim);
      if (!type.isDynamicDim(dim))
        continue;
      if (auto found = given.find(name); found != given.end())
        is(extentOf(argument, dim), found->second);
      else
        open.push_back({name, extentOf(argument, dim), isBatch(type, dim)});
    }
  }
  relateMultiples();
  std::map<Extent, int64_t> sizes, factors;
  for (auto [extent, size] : known_)
    if (auto [place, isNew] = sizes.try_emplace(leader(extent), size); !isNew && place->second != size)
      return {};
  if (!spread(sizes))
    return {};
  for (const Multiple &multiple : multiples_) {
    int64_t &product = factors.try_emplace(leader(multiple.whole), 1).first->second;
    product = std::lcm(product, multiple.factor);
    if (product > large)
      return {};
  }
  ArgumentSizes chosen;
  for (const Open &dimension : open) {
    Extent key = leader(dimension.extent);
    int64_t factor = factors.count(key) ? factors[key] : 1;
    int64_t wanted = dimension.isBatch ? batch : usual;
    auto [place, isNew] = sizes.try_emplace(key, (wanted + factor - 1) / factor * factor);
    if (place->second <= 0 || place->second % factor != 0)
      return {};
    chosen[dimension.name] = place->second;
    if (!spread(sizes))
      return {};
  }
  return chosen;
}

std::map<unsigned, int64_t> Extents::integers() {
  relateMultiples();
  std::map<Extent, int64_t> sizes;
  for (auto [extent, size] : known_)
    if (auto [place, isNew] = sizes.try_emplace(leader(extent), size); !isNew && place->second != size)
      return {};
  if (!spread(sizes))
    return {};
  std::map<unsigned, int64_t> found;
  for (BlockArgument argument : function_.getArguments())
    if (auto size = sizes.find(leader(extentOf(argument))); argument.getType().isIntOrIndex() && size != sizes.end())
      found[argument.getArgNumber()] = size->second;
  return found;
}

} // namespace

std::map<unsigned, int64_t> argumentsThatAreSizes(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), [](Type type) { return type.isIntOrIndex(); }) ? Extents::certain(function).integers()
                                                                                                  : std::map<unsigned, int64_t>();
}

ArgumentSizes defaultSizes(func::FuncOp function, const ArgumentSizes &given) {
  return Extents(function).choose(given);
}

} // namespace fuselage
