// Contractions: a named op of linalg where one fits, linalg.generic elsewhere.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Dimensions of both operands that are paired.
struct DotDimensions {
  SmallVector<int64_t> leftBatch, rightBatch, leftReduced, rightReduced;
};

std::optional<DotDimensions> dotDimensions(HloOp op) {
  DotDimensions dims;
  if (HloText text = HloText::of(op.attribute({"dot_dimension_numbers"})); !text.empty()) {
    dims.leftBatch = text.integers("lhs_batching_dimensions");
    dims.rightBatch = text.integers("rhs_batching_dimensions");
    dims.leftReduced = text.integers("lhs_contracting_dimensions");
    dims.rightReduced = text.integers("rhs_contracting_dimensions");
    return dims;
  }
  if (op.text().empty())
    return std::nullopt;
  HloText text(op.text());
  if (auto batch = text.pair("batching_dims"))
    std::tie(dims.leftBatch, dims.rightBatch) = *batch;
  if (auto reduced = text.pair("contracting_dims"))
    std::tie(dims.leftReduced, dims.rightReduced) = *reduced;
  return dims;
}

bool fit(const DotDimensions &dims, RankedTensorType left, RankedTensorType right) {
  auto agree = [&](ArrayRef<int64_t> ofLeft, ArrayRef<int64_t> ofRight) {
    if (ofLeft.size() != ofRight.size())
      return false;
    for (auto [l, r] : llvm::zip_equal(ofLeft, ofRight))
      if (l < 0 || l >= left.getRank() || r < 0 || r >= right.getRank() ||
          (left.getDimSize(l) != right.getDimSize(r) && !left.isDynamicDim(l) && !right.isDynamicDim(r)))
        return false;
    return true;
  };
  auto areUnique = [](ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
    llvm::SmallDenseSet<int64_t> all(first.begin(), first.end());
    all.insert(second.begin(), second.end());
    return all.size() == first.size() + second.size();
  };
  return agree(dims.leftBatch, dims.rightBatch) && agree(dims.leftReduced, dims.rightReduced) &&
         areUnique(dims.leftBatch, dims.leftReduced) && areUnique(dims.rightBatch, dims.rightReduced);
}

SmallVector<int64_t> othersOf(int64_t rank, ArrayRef<int64_t> batch, ArrayRef<int64_t> reduced) {
  SmallVector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(reduced, dim))
      others.push_back(dim);
  return others;
}

/// Loops of a contraction: batch, left, right, reduced; the result's are the first three.
struct Contraction {
  SmallVector<int64_t> leftOthers, rightOthers;
  int64_t batch, loops;
  AffineMap left, right, result;

  Contraction(MLIRContext *context, const DotDimensions &dims, int64_t leftRank, int64_t rightRank)
      : leftOthers(othersOf(leftRank, dims.leftBatch, dims.leftReduced)),
        rightOthers(othersOf(rightRank, dims.rightBatch, dims.rightReduced)), batch(dims.leftBatch.size()) {
    int64_t firstLeft = batch, firstRight = firstLeft + leftOthers.size();
    int64_t firstReduced = firstRight + rightOthers.size();
    loops = firstReduced + dims.leftReduced.size();
    left = mapOf(context, leftRank, dims.leftBatch, leftOthers, dims.leftReduced, firstLeft, firstReduced);
    right = mapOf(context, rightRank, dims.rightBatch, rightOthers, dims.rightReduced, firstRight, firstReduced);
    result = AffineMap::getMultiDimIdentityMap(firstReduced, context);
    result = AffineMap::get(loops, 0, result.getResults(), context);
  }

  AffineMap mapOf(MLIRContext *context, int64_t rank, ArrayRef<int64_t> batchDims, ArrayRef<int64_t> others,
                  ArrayRef<int64_t> reduced, int64_t firstOther, int64_t firstReduced) const {
    SmallVector<AffineExpr> exprs(rank);
    auto place = [&](ArrayRef<int64_t> dims, int64_t first) {
      for (auto [at, dim] : llvm::enumerate(dims))
        exprs[dim] = getAffineDimExpr(first + at, context);
    };
    place(batchDims, 0);
    place(others, firstOther);
    place(reduced, firstReduced);
    return AffineMap::get(loops, 0, exprs, context);
  }
};

/// Which named op's maps these are. Its body takes signed integers, so others stay generic.
template <typename Op> Value named(HloCall &call, const Contraction &shape, Value output, SmallVector<AffineMap> maps) {
  if (maps != SmallVector<AffineMap>{shape.left, shape.right, shape.result})
    return {};
  return Op::create(call.builder, call.loc, output.getType(), ValueRange(call.operands).take_front(2), output)
      .getResult(0);
}

Value asNamed(HloCall &call, const Contraction &shape, Value output) {
  MLIRContext *context = call.builder.getContext();
  auto maps = [&](ArrayRef<ArrayRef<unsigned>> results) {
    SmallVector<AffineMap> list;
    for (ArrayRef<unsigned> dims : results) {
      SmallVector<AffineExpr> exprs;
      for (unsigned dim : dims)
        exprs.push_back(getAffineDimExpr(dim, context));
      list.push_back(AffineMap::get(shape.loops, 0, exprs, context));
    }
    return list;
  };
  if (shape.loops == 3)
    if (Value result = named<linalg::MatmulOp>(call, shape, output, maps({{0, 2}, {2, 1}, {0, 1}})))
      return result;
  if (shape.loops == 4)
    if (Value result = named<linalg::BatchMatmulOp>(call, shape, output, maps({{0, 1, 3}, {0, 3, 2}, {0, 1, 2}})))
      return result;
  if (shape.loops == 2) {
    if (Value result = named<linalg::MatvecOp>(call, shape, output, maps({{0, 1}, {1}, {0}})))
      return result;
    if (Value result = named<linalg::VecmatOp>(call, shape, output, maps({{1}, {1, 0}, {0}})))
      return result;
  }
  return shape.loops == 1 ? named<linalg::DotOp>(call, shape, output, maps({{0}, {0}, {}})) : Value();
}

/// A factor in the type of the sum, as the result was asked for.
Value widened(HloCall &call, OpBuilder &builder, Location loc, Value factor, unsigned operand) {
  return convertScalar(builder, loc, call.op, factor, call.writtenOperand(operand), call.writtenResult());
}

Value asGeneric(HloCall &call, const Contraction &shape, Value output) {
  SmallVector<utils::IteratorType> loops(shape.loops, utils::IteratorType::reduction);
  std::fill_n(loops.begin(), shape.result.getNumResults(), utils::IteratorType::parallel);
  SmallVector<AffineMap> maps{shape.left, shape.right, shape.result};
  auto body = [&](OpBuilder &inner, Location loc, ValueRange args) {
    Value left = widened(call, inner, loc, args[0], 0), right = widened(call, inner, loc, args[1], 1);
    linalg::YieldOp::create(inner, loc, multiplyAdd(inner, loc, left, right, args[2]));
  };
  return linalg::GenericOp::create(call.builder, call.loc, output.getType(), ValueRange(call.operands).take_front(2),
                                   output, maps, loops, body)
      .getResult(0);
}

SmallVector<Value> outputSizes(HloCall &call, const DotDimensions &dims, const Contraction &shape) {
  SmallVector<Value> sizes;
  auto add = [&](unsigned operand, ArrayRef<int64_t> from) {
    for (int64_t dim : from)
      if (call.resultType().isDynamicDim(sizes.size()))
        sizes.push_back(tensor::DimOp::create(call.builder, call.loc, call.operands[operand], dim));
      else
        sizes.push_back({});
  };
  add(0, dims.leftBatch);
  add(0, shape.leftOthers);
  add(1, shape.rightOthers);
  llvm::erase(sizes, Value());
  return sizes;
}

HloResults contract(HloCall &call, const DotDimensions &dims) {
  RankedTensorType type = call.resultType();
  if (!fit(dims, call.operandType(0), call.operandType(1)))
    return call.refuse("its dimensions do not fit its operands");
  Contraction shape(call.builder.getContext(), dims, call.operandType(0).getRank(), call.operandType(1).getRank());
  if (int64_t(shape.result.getNumResults()) != type.getRank())
    return call.refuse("its result does not fit its dimensions");
  Type element = type.getElementType();
  bool isSigned = !isUnsignedElement(call.writtenOperand(0)) && !isUnsignedElement(call.writtenOperand(1));
  bool isNumber = element.isIntOrFloat() && call.operandType(0).getElementType().isIntOrFloat() &&
                  call.operandType(1).getElementType().isIntOrFloat();
  bool mayBeNamed = isNumber && (isSigned || isa<FloatType>(element)) &&
                    isa<FloatType>(element) == isa<FloatType>(call.operandType(0).getElementType()) &&
                    isa<FloatType>(element) == isa<FloatType>(call.operandType(1).getElementType());
  Value zero = zeroOf(call.builder, call.loc, element);
  Value output = filledTensor(call.builder, call.loc, type, zero, outputSizes(call, dims, shape));
  Value result = mayBeNamed ? asNamed(call, shape, output) : Value();
  return SmallVector<Value>{result ? result : asGeneric(call, shape, output)};
}

HloResults lowerDotGeneral(HloCall &call) {
  std::optional<DotDimensions> dims = dotDimensions(call.op);
  if (!call.isOnTensors() || !dims)
    return call.refuse("its dimensions are not known");
  return contract(call, *dims);
}

/// The last dimension of the left and the first of the right.
HloResults lowerDot(HloCall &call) {
  if (!call.isOnTensors() || call.operandType(0).getRank() < 1 || call.operandType(1).getRank() < 1)
    return call.refuse("its operands are not vectors or matrices");
  DotDimensions dims;
  dims.leftReduced = {call.operandType(0).getRank() - 1};
  dims.rightReduced = {0};
  return contract(call, dims);
}

} // namespace

Value multiplyAdd(OpBuilder &builder, Location loc, Value left, Value right, Value sum) {
  if (isa<ComplexType>(sum.getType()))
    return complex::AddOp::create(builder, loc, sum, complex::MulOp::create(builder, loc, left, right));
  if (isa<FloatType>(sum.getType()))
    return arith::AddFOp::create(builder, loc, sum, arith::MulFOp::create(builder, loc, left, right));
  if (sum.getType().isInteger(1))
    return arith::OrIOp::create(builder, loc, sum, arith::AndIOp::create(builder, loc, left, right));
  return arith::AddIOp::create(builder, loc, sum, arith::MulIOp::create(builder, loc, left, right));
}

void addDotLowerings(HloLowerings &lowerings) {
  lowerings["dot"] = lowerDot;
  lowerings["dot_general"] = lowerDotGeneral;
}

} // namespace fuselage
