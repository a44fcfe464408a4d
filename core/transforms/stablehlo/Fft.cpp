// fft by discrete Fourier transforms along its dimensions, one linalg.generic each: n^2 steps for n elements, roots of
// unity from a table.
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>
#include <numbers>

using namespace mlir;

namespace fuselage {
namespace {

/// One dimension of a transform.
class Transform {
public:
  Transform(HloCall &call, int64_t dim, int64_t length, bool isInverse)
      : builder_(call.builder), loc_(call.loc), dim_(dim), length_(length), isInverse_(isInverse) {}

  /// Complex or real elements to as many complex ones as `size`.
  Value toComplex(Value tensor, int64_t size) {
    auto from = cast<RankedTensorType>(tensor.getType());
    auto complexType = dyn_cast<ComplexType>(from.getElementType());
    Type element = complexType ? complexType : ComplexType::get(from.getElementType());
    return contract(tensor, size, element, [&](OpBuilder &inner, Value number, Value root, Value) -> Value {
      if (!complexType) {
        Type real = from.getElementType();
        number = complex::CreateOp::create(inner, loc_, element, number, zeroOf(inner, loc_, real));
      }
      return complex::MulOp::create(inner, loc_, number, root);
    });
  }

  /// Half of the complex numbers, whose other half is their conjugates, to real ones.
  Value toReal(Value tensor, int64_t size) {
    auto from = cast<RankedTensorType>(tensor.getType());
    Type real = cast<ComplexType>(from.getElementType()).getElementType();
    return contract(tensor, size, real, [&](OpBuilder &inner, Value number, Value root, Value at) -> Value {
      Value product = complex::MulOp::create(inner, loc_, number, root);
      Value part = complex::ReOp::create(inner, loc_, product);
      Value zero = arith::ConstantIndexOp::create(inner, loc_, 0);
      Value twice = arith::AddIOp::create(inner, loc_, at, at);
      Value length = arith::ConstantIndexOp::create(inner, loc_, length_);
      Value isFirst = arith::CmpIOp::create(inner, loc_, arith::CmpIPredicate::eq, at, zero);
      Value isMiddle = arith::CmpIOp::create(inner, loc_, arith::CmpIPredicate::eq, twice, length);
      Value isAlone = arith::OrIOp::create(inner, loc_, isFirst, isMiddle);
      return arith::SelectOp::create(inner, loc_, isAlone, part, arith::AddFOp::create(inner, loc_, part, part));
    });
  }

private:
  using Term = llvm::function_ref<Value(OpBuilder &, Value number, Value root, Value at)>;

  /// exp(-+ 2 pi i k / n) for each k, divided by n for the inverse.
  Value roots(Type real) {
    auto type = RankedTensorType::get({length_}, ComplexType::get(real));
    const llvm::fltSemantics &semantics = cast<FloatType>(real).getFloatSemantics();
    auto number = [&](double value) {
      APFloat converted(value);
      bool loses;
      converted.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
      return converted;
    };
    SmallVector<std::complex<APFloat>> values;
    for (int64_t at = 0; at < length_; ++at) {
      double angle = (isInverse_ ? 2 : -2) * std::numbers::pi * double(at) / double(length_);
      double factor = isInverse_ ? 1.0 / double(length_) : 1.0;
      values.emplace_back(number(std::cos(angle) * factor), number(std::sin(angle) * factor));
    }
    return arith::ConstantOp::create(builder_, loc_, type, DenseElementsAttr::get(type, ArrayRef(values)));
  }

  Value contract(Value tensor, int64_t size, Type element, Term term) {
    auto from = cast<RankedTensorType>(tensor.getType());
    int64_t rank = from.getRank();
    SmallVector<int64_t> shape(from.getShape());
    shape[dim_] = size;
    auto type = RankedTensorType::get(shape, element);
    Type real = isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
    Value table = roots(real), output = filledTensor(builder_, loc_, type, zeroOf(builder_, loc_, element));
    SmallVector<AffineExpr> input, result;
    for (int64_t dim = 0; dim < rank; ++dim) {
      result.push_back(builder_.getAffineDimExpr(dim));
      input.push_back(builder_.getAffineDimExpr(dim == dim_ ? rank : dim));
    }
    MLIRContext *context = builder_.getContext();
    SmallVector<AffineMap> maps{AffineMap::get(rank + 1, 0, input, context),
                                AffineMap::get(rank + 1, 0, result, context)};
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    loops.push_back(utils::IteratorType::reduction);
    auto body = [&](OpBuilder &inner, Location, ValueRange args) {
      Value to = linalg::IndexOp::create(inner, loc_, dim_), at = linalg::IndexOp::create(inner, loc_, rank);
      Value length = arith::ConstantIndexOp::create(inner, loc_, length_);
      Value turn = arith::RemUIOp::create(inner, loc_, arith::MulIOp::create(inner, loc_, to, at), length);
      Value root = tensor::ExtractOp::create(inner, loc_, table, turn);
      Value value = term(inner, args[0], root, at);
      Value sum = isa<ComplexType>(element) ? complex::AddOp::create(inner, loc_, args[1], value).getResult()
                                            : arith::AddFOp::create(inner, loc_, args[1], value).getResult();
      linalg::YieldOp::create(inner, loc_, sum);
    };
    return linalg::GenericOp::create(builder_, loc_, type, tensor, output, maps, loops, body).getResult(0);
  }

  OpBuilder &builder_;
  Location loc_;
  int64_t dim_, length_;
  bool isInverse_;
};

HloResults lowerFft(HloCall &call) {
  auto lengths = call.op.integers({"fft_length", "length"});
  std::string kind = call.op.word({"fft_type", "type"});
  RankedTensorType type = call.isOnTensors() && call.operands.size() == 1 ? call.operandType(0) : RankedTensorType();
  if (!type || !type.hasStaticShape() || !lengths || lengths->empty() || int64_t(lengths->size()) > type.getRank() ||
      llvm::any_of(*lengths, [](int64_t length) { return length < 1 || length > (1 << 16); }))
    return call.refuse("its lengths do not fit its operand, or are over 65536");
  bool isReal = kind == "RFFT", toReal = kind == "IRFFT", isInverse = kind == "IFFT" || toReal;
  if (!isReal && !isInverse && kind != "FFT")
    return call.refuse("its type is not known");
  if (isa<ComplexType>(type.getElementType()) == isReal)
    return call.refuse("its elements do not fit its type");
  int64_t first = type.getRank() - lengths->size(), last = lengths->size() - 1;
  Value result = call.operands[0];
  auto halved = [](int64_t length) { return length / 2 + 1; };
  if (type.getDimSize(first + last) != (toReal ? halved((*lengths)[last]) : (*lengths)[last]))
    return call.refuse("its lengths do not fit its operand");
  // The dimension that is halved comes first on the way there, and last on the way back.
  if (!toReal)
    result = Transform(call, first + last, (*lengths)[last], isInverse)
                 .toComplex(result, isReal ? halved((*lengths)[last]) : (*lengths)[last]);
  for (int64_t at = 0; at < last; ++at) {
    if (type.getDimSize(first + at) != (*lengths)[at])
      return call.refuse("its lengths do not fit its operand");
    result = Transform(call, first + at, (*lengths)[at], isInverse).toComplex(result, (*lengths)[at]);
  }
  if (toReal)
    result = Transform(call, first + last, (*lengths)[last], true).toReal(result, (*lengths)[last]);
  return SmallVector<Value>{result};
}

} // namespace

void addFftLowerings(HloLowerings &lowerings) { lowerings["fft"] = lowerFft; }

} // namespace fuselage
