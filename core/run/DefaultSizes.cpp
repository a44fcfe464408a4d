#include "core/run/DefaultSizes.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/MathExtras.h"
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
  /// Of ops that run whatever happens, and of what they cannot run without.
  static Extents required(func::FuncOp function);
  /// Of what runs whenever the function does.
  static Extents certain(func::FuncOp function) { return Extents(function, function.getBody().front()); }
  ArgumentSizes choose(const ArgumentSizes &given);
  /// What contradicts these sizes: "arg0.0 is 3, and 'tensor.expand_shape' (a.mlir:2:8) takes 4";
  /// empty if nothing does.
  std::string contradiction(const ArgumentSizes &given);
  /// What integer arguments have to be, by their numbers; see argumentsThatAreSizes().
  std::map<unsigned, int64_t> integers();

private:
  struct Required {};
  Extents(func::FuncOp function, Required) : function_(function) {}
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
  void readLoops(Operation *op, ArrayRef<AffineMap> maps);
  void readReshape(Value wide, Value narrow, ArrayRef<ReassociationIndices> groups);
  void readSlice(OffsetSizeAndStrideOpInterface op, Value slice, const llvm::SmallBitVector &dropped);

  static int64_t sizeOf(Value tensor, int64_t dim) { return cast<RankedTensorType>(tensor.getType()).getDimSize(dim); }
  static Extent extentOf(Value value, int64_t dim = -1) { return {value.getAsOpaquePointer(), dim}; }
  void is(Extent extent, int64_t size) {
    is(extent, size, "'" + current_->getName().getStringRef().str() + "'" + placeOf(current_));
  }
  void is(Extent extent, int64_t size, std::string source) {
    classes_.insert(extent);
    known_.push_back({extent, size, std::move(source)});
  }
  static std::string placeOf(Operation *op) {
    std::string place = formatPosition(positionOf(op->getLoc()));
    return place.empty() ? place : " (" + place + ")";
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
  /// `whole` is `factor` times the product of `parts`.
  struct Multiple {
    Extent whole;
    SmallVector<Extent> parts;
    int64_t factor;
    Operation *op;
  };
  struct Known {
    Extent extent;
    int64_t size;
    std::string source; ///< who says so
  };
  struct Size {
    int64_t size;
    std::string source;
  };
  using Sizes = std::map<Extent, Size>;
  Extent leader(Extent extent) {
    classes_.insert(extent);
    return classes_.getLeaderValue(extent);
  }
  void relateMultiples();
  int64_t factorOf(const Multiple &multiple, const Sizes &sizes, SmallVectorImpl<Extent> &unknown);
  /// Both return what contradicts; empty if nothing does.
  std::string spread(Sizes &sizes);
  std::string collect(const ArgumentSizes &given, Sizes &sizes);

  Operation *current_ = nullptr; ///< that is read
  llvm::EquivalenceClasses<Extent> classes_;
  std::vector<Known> known_;
  std::vector<Multiple> multiples_;
};

void Extents::readLoops(Operation *op, ArrayRef<AffineMap> maps) {
  std::vector<std::pair<Value, int64_t>> first(maps.empty() ? 0 : maps.front().getNumDims(), {Value(), 0});
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
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
    else if (opens > 0) {
      Multiple multiple{.whole = extentOf(narrow, dim), .parts = {}, .factor = product, .op = current_};
      for (int64_t part : group)
        if (ShapedType::isDynamic(sizeOf(wide, part)))
          multiple.parts.push_back(extentOf(wide, part));
      if (!ShapedType::isDynamic(whole))
        is(multiple.whole, whole);
      multiples_.push_back(std::move(multiple));
    }
  }
}

void Extents::readSlice(OffsetSizeAndStrideOpInterface op, Value slice, const llvm::SmallBitVector &dropped) {
  int64_t kept = 0;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(dim))
      same(slice, kept++, size);
}

Extents Extents::required(func::FuncOp function) {
  Extents extents(function, Required());
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || isa<flow::DispatchRegionOp>(op))
      return WalkResult::advance();
    if (op->getNumRegions() == 0 || isa<linalg::LinalgOp, flow::AttentionOp>(op))
      if (!isa<cf::AssertOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
              op))
        extents.read(op);
    return WalkResult::skip();
  });
  return extents;
}

void Extents::read(Operation *op) {
  current_ = op;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return readLoops(op, structured.getIndexingMapsArray());
  if (auto attention = dyn_cast<flow::AttentionOp>(op)) {
    readLoops(op, attention.getIndexingMapsArray());
    return same(attention.getInit(), attention.getResult());
  }
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
      if (multiple.parts.size() == 1) {
        join(wholes, multiple.parts.front(), multiple.factor, multiple.whole);
        join(parts, multiple.whole, multiple.factor, multiple.parts.front());
      }
  }
}

/// What the parts of unknown size are multiplied by.
int64_t Extents::factorOf(const Multiple &multiple, const Sizes &sizes, SmallVectorImpl<Extent> &unknown) {
  int64_t factor = multiple.factor;
  for (Extent part : multiple.parts) {
    if (auto known = sizes.find(leader(part)); known != sizes.end())
      factor = llvm::MulOverflow(factor, known->second.size, factor) ? 0 : factor;
    else
      unknown.push_back(leader(part));
  }
  return factor;
}

/// Takes known sizes from parts to wholes and back.
std::string Extents::spread(Sizes &sizes) {
  for (size_t round = 0; round <= multiples_.size(); ++round) {
    bool changed = false;
    for (const Multiple &multiple : multiples_) {
      SmallVector<Extent> unknown;
      int64_t factor = factorOf(multiple, sizes, unknown);
      auto whole = sizes.find(leader(multiple.whole));
      std::string source = "'" + multiple.op->getName().getStringRef().str() + "'" + placeOf(multiple.op);
      if (whole == sizes.end() && unknown.empty()) {
        sizes[leader(multiple.whole)] = {factor, source};
        changed = true;
      } else if (whole != sizes.end() && unknown.empty() && whole->second.size != factor) {
        return whole->second.source + " makes it " + std::to_string(whole->second.size) + ", and " + source +
               " takes " + std::to_string(factor);
      } else if (whole != sizes.end() && unknown.size() == 1 && factor != 0) {
        if (whole->second.size % factor != 0)
          return whole->second.source + " makes it " + std::to_string(whole->second.size) + ", and " + source +
                 " takes a multiple of " + std::to_string(factor);
        sizes[unknown.front()] = {whole->second.size / factor, source};
        changed = true;
      }
    }
    if (!changed)
      break;
  }
  return "";
}

/// The sizes that are given or known.
std::string Extents::collect(const ArgumentSizes &given, Sizes &sizes) {
  for (auto [index, argument] : llvm::enumerate(function_.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (auto found = given.find("arg" + std::to_string(index));
        found != given.end() && argument.getType().isIntOrIndex())
      is(extentOf(argument), found->second, found->first);
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (auto found = given.find(sizeName(index, dim)); type.isDynamicDim(dim) && found != given.end())
        is(extentOf(argument, dim), found->second, found->first);
  }
  relateMultiples();
  for (const Known &known : llvm::reverse(known_)) { // what is given first
    auto [place, isNew] = sizes.try_emplace(leader(known.extent), Size{known.size, known.source});
    if (!isNew && place->second.size != known.size)
      return place->second.source + " is " + std::to_string(place->second.size) + ", and " + known.source + " takes " +
             std::to_string(known.size);
  }
  return spread(sizes);
}

std::string Extents::contradiction(const ArgumentSizes &given) {
  Sizes sizes;
  return collect(given, sizes);
}

/// Whether a dimension counts examples rather than what one example is made of.
bool isBatch(RankedTensorType type, int64_t dim) {
  return dim == 0 && (type.getRank() > 2 || (type.getRank() == 2 && type.getElementType().isInteger()));
}

ArgumentSizes Extents::choose(const ArgumentSizes &given) {
  constexpr int64_t batch = 2, usual = 32, large = 1 << 16;
  Sizes sizes;
  if (!collect(given, sizes).empty())
    return {};
  std::map<Extent, int64_t> factors;
  for (const Multiple &multiple : multiples_) {
    SmallVector<Extent> unknown;
    int64_t &product = factors.try_emplace(leader(multiple.whole), 1).first->second;
    product = std::lcm(product, std::max<int64_t>(factorOf(multiple, sizes, unknown), 1));
    if (product > large)
      return {};
  }
  ArgumentSizes chosen;
  for (auto [index, argument] : llvm::enumerate(function_.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      std::string name = sizeName(index, dim);
      if (!type.isDynamicDim(dim) || given.count(name))
        continue;
      Extent key = leader(extentOf(argument, dim));
      int64_t factor = factors.count(key) ? factors[key] : 1, wanted = isBatch(type, dim) ? batch : usual;
      auto [place, isNew] = sizes.try_emplace(key, Size{(wanted + factor - 1) / factor * factor, name});
      if (place->second.size < 0 || place->second.size % factor != 0)
        return {};
      chosen[name] = place->second.size;
      if (!spread(sizes).empty())
        return {};
    }
  }
  return chosen;
}

std::map<unsigned, int64_t> Extents::integers() {
  Sizes sizes;
  if (!collect({}, sizes).empty())
    return {};
  std::map<unsigned, int64_t> found;
  for (BlockArgument argument : function_.getArguments())
    if (auto size = sizes.find(leader(extentOf(argument))); argument.getType().isIntOrIndex() && size != sizes.end())
      found[argument.getArgNumber()] = size->second.size;
  return found;
}

} // namespace

std::map<unsigned, int64_t> argumentsThatAreSizes(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), [](Type type) { return type.isIntOrIndex(); })
             ? Extents::certain(function).integers()
             : std::map<unsigned, int64_t>();
}

ArgumentSizes defaultSizes(func::FuncOp function, const ArgumentSizes &given) {
  return Extents(function).choose(given);
}

llvm::Error checkSizes(func::FuncOp function, const ArgumentSizes &sizes) {
  std::string contradiction = Extents::required(function).contradiction(sizes);
  if (contradiction.empty())
    return llvm::Error::success();
  SourcePosition position = positionOf(function.getLoc());
  std::string message = "@" + function.getName().str() + " cannot run with these sizes: " + contradiction;
  return fail(
      message,
      {{.message = message, .file = position.file, .line = position.line, .column = position.column, .notes = {}}});
}

} // namespace fuselage
