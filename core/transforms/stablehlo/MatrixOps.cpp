// cholesky and triangular_solve, as loops over elements.
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Arithmetic on floats and complex numbers.
struct Numbers {
  OpBuilder &builder;
  Location loc;

  template <typename Float, typename Complex> Value make(Value left, Value right) {
    return isa<ComplexType>(left.getType()) ? Complex::create(builder, loc, left, right).getResult()
                                            : Float::create(builder, loc, left, right).getResult();
  }
  Value subtract(Value left, Value right) { return make<arith::SubFOp, complex::SubOp>(left, right); }
  Value multiply(Value left, Value right) { return make<arith::MulFOp, complex::MulOp>(left, right); }
  Value divide(Value left, Value right) { return make<arith::DivFOp, complex::DivOp>(left, right); }
  Value root(Value number) {
    return isa<ComplexType>(number.getType()) ? complex::SqrtOp::create(builder, loc, number).getResult()
                                              : math::SqrtOp::create(builder, loc, number).getResult();
  }
  Value conjugate(Value number) {
    return isa<ComplexType>(number.getType()) ? complex::ConjOp::create(builder, loc, number).getResult() : number;
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  Value isEqual(Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, left, right);
  }
};

bool isMatrix(RankedTensorType type) {
  Type element = type.getElementType();
  return type.hasStaticShape() && type.getRank() >= 2 && (isa<FloatType, ComplexType>(element));
}

/// The coordinates of an entry: those of the batch, then row and column, which `isSwapped` exchanges.
SmallVector<Value> entry(ValueRange batch, Value row, Value column, bool isSwapped = false) {
  SmallVector<Value> at(batch);
  at.append({isSwapped ? column : row, isSwapped ? row : column});
  return at;
}

/// Row by row: l_ij = (a_ij - sum of l_ik conj(l_jk)) / l_jj, and l_ii the root of what is left. With `lower = false`
/// the matrix is read and written transposed, which conjugates.
HloResults lowerCholesky(HloCall &call) {
  RankedTensorType type = call.isOnTensors() ? call.operandType(0) : RankedTensorType();
  if (!type || !isMatrix(type) || type.getShape().back() != type.getDimSize(type.getRank() - 2))
    return call.refuse("its operand is not a square matrix of known sizes");
  bool isUpper = !call.op.flag({"lower"});
  Location loc = call.loc;
  OpBuilder &builder = call.builder;
  Value matrix = call.operands[0], one = indexConstant(builder, loc, 1);
  Value output = filledTensor(builder, loc, type, zeroOf(builder, loc, type.getElementType()));
  SmallVector<Value> sizes = sizeValues(builder, loc, matrix);
  SmallVector<Value> outer(ArrayRef(sizes).drop_back());
  auto row = [&](OpBuilder &rows, Location, ValueRange loops, ValueRange carried) {
    ValueRange batch = loops.drop_back();
    Value i = loops.back(), width = arith::AddIOp::create(rows, loc, i, one);
    return scalarNest(rows, loc, width, carried, [&](OpBuilder &inner, Location, ValueRange column, ValueRange state) {
      Value j = column[0];
      Numbers numbers{inner, loc};
      Value start = tensor::ExtractOp::create(inner, loc, matrix, entry(batch, i, j, isUpper));
      if (isUpper)
        start = numbers.conjugate(start);
      Value rest = scalarNest(inner, loc, j, start, [&](OpBuilder &deep, Location, ValueRange at, ValueRange sum) {
                     Numbers terms{deep, loc};
                     Value left = tensor::ExtractOp::create(deep, loc, state[0], entry(batch, i, at[0]));
                     Value right = tensor::ExtractOp::create(deep, loc, state[0], entry(batch, j, at[0]));
                     return SmallVector<Value>{terms.subtract(sum[0], terms.multiply(left, terms.conjugate(right)))};
                   }).front();
      Value isDiagonal = numbers.isEqual(i, j);
      Value diagonal = tensor::ExtractOp::create(inner, loc, state[0], entry(batch, j, j));
      Value value = numbers.select(isDiagonal, numbers.root(rest), numbers.divide(rest, diagonal));
      return SmallVector<Value>{tensor::InsertOp::create(inner, loc, value, state[0], entry(batch, i, j))};
    });
  };
  Value lower = scalarNest(builder, loc, outer, output, row).front();
  if (!isUpper)
    return SmallVector<Value>{lower};
  // Built as the lower one of the transposed matrix.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  Value upper = transposed(builder, loc, lower, order);
  if (!isa<ComplexType>(type.getElementType()))
    return SmallVector<Value>{upper};
  Value target = filledTensor(builder, loc, type, zeroOf(builder, loc, type.getElementType()));
  auto conjugate = [&](OpBuilder &inner, Location, ValueRange at, ValueRange carried) {
    Value number = tensor::ExtractOp::create(inner, loc, upper, at);
    number = Numbers{inner, loc}.conjugate(number);
    return SmallVector<Value>{tensor::InsertOp::create(inner, loc, number, carried[0], at)};
  };
  return scalarNest(builder, loc, sizes, target, conjugate);
}

/// Which entries of `a` a solve reads, and in which order it finds the unknowns.
struct Solve {
  bool isLeft, isLower, isUnit, isTransposed, isConjugated;

  /// Whether rows are found from the first: the matrix that is solved by is a lower one.
  bool isForward() const {
    bool lower = isLower != isTransposed;
    return isLeft ? lower : !lower;
  }
};

/// op(a) x = b, or x op(a) = b: each unknown from those that are known.
HloResults lowerTriangularSolve(HloCall &call) {
  if (!call.isOnTensors() || call.operands.size() != 2 || !isMatrix(call.operandType(0)) ||
      !isMatrix(call.operandType(1)) || call.operandType(0).getRank() != call.operandType(1).getRank() ||
      call.resultType() != call.operandType(1))
    return call.refuse("its operands are not matrices of known sizes");
  std::string transpose = call.op.word({"transpose_a"});
  Solve solve{call.op.flag({"left_side"}), call.op.flag({"lower"}), call.op.flag({"unit_diagonal"}),
              transpose == "TRANSPOSE" || transpose == "ADJOINT", transpose == "ADJOINT"};
  RankedTensorType type = call.operandType(1);
  int64_t rank = type.getRank(), unknownDim = solve.isLeft ? rank - 2 : rank - 1;
  int64_t size = call.operandType(0).getDimSize(rank - 1);
  if (call.operandType(0).getDimSize(rank - 2) != size || type.getDimSize(unknownDim) != size ||
      call.operandType(0).getShape().drop_back(2) != type.getShape().drop_back(2))
    return call.refuse("its matrices do not fit each other");
  OpBuilder &builder = call.builder;
  Location loc = call.loc;
  Value a = call.operands[0], b = call.operands[1];
  Value last = indexConstant(builder, loc, size - 1);
  // batch..., the other dimension, unknowns
  SmallVector<Value> sizes = sizeValues(builder, loc, b);
  if (solve.isLeft)
    std::swap(sizes[rank - 1], sizes[rank - 2]);
  auto coefficient = [&](OpBuilder &inner, ValueRange batch, Value unknown, Value known) -> Value {
    // Of a x = b the row is the unknown's, of x a = b the column is.
    bool swaps = solve.isTransposed == solve.isLeft;
    Value number = tensor::ExtractOp::create(inner, loc, a, entry(batch, unknown, known, swaps));
    return solve.isConjugated ? Numbers{inner, loc}.conjugate(number) : number;
  };
  auto body = [&](OpBuilder &inner, Location, ValueRange loops, ValueRange carried) {
    ValueRange batch = loops.drop_back(2);
    Value other = loops[rank - 2], step = loops.back();
    auto inOrder = [&](OpBuilder &where, Value number) -> Value {
      return solve.isForward() ? number : arith::SubIOp::create(where, loc, last, number).getResult();
    };
    Value unknown = inOrder(inner, step);
    auto place = [&](Value at) { return entry(batch, at, other, !solve.isLeft); };
    Value start = tensor::ExtractOp::create(inner, loc, b, place(unknown));
    Value rest = scalarNest(inner, loc, step, start, [&](OpBuilder &deep, Location, ValueRange at, ValueRange sum) {
                   Value known = inOrder(deep, at[0]);
                   Value value = tensor::ExtractOp::create(deep, loc, carried[0], place(known));
                   Numbers numbers{deep, loc};
                   Value product = numbers.multiply(coefficient(deep, batch, unknown, known), value);
                   return SmallVector<Value>{numbers.subtract(sum[0], product)};
                 }).front();
    if (!solve.isUnit)
      rest = Numbers{inner, loc}.divide(rest, coefficient(inner, batch, unknown, unknown));
    return SmallVector<Value>{tensor::InsertOp::create(inner, loc, rest, carried[0], place(unknown))};
  };
  Value output = filledTensor(builder, loc, type, zeroOf(builder, loc, type.getElementType()));
  return scalarNest(builder, loc, sizes, output, body);
}

} // namespace

void addMatrixLowerings(HloLowerings &lowerings) {
  lowerings["cholesky"] = lowerCholesky;
  lowerings["triangular_solve"] = lowerTriangularSolve;
}

} // namespace fuselage
