#include "core/transforms/composites/BitcastTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;

namespace fuselage {

Value reshapeTensor(OpBuilder &builder, Location loc, Value source, RankedTensorType type) {
  auto reshape = [&](Value value, RankedTensorType to) -> Value {
    auto from = cast<RankedTensorType>(value.getType());
    if (from == to)
      return value;
    auto groups = getReassociationIndicesForReshape(from, to);
    if (!groups)
      return {};
    if (from.getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, to, value, *groups);
    return tensor::ExpandShapeOp::create(builder, loc, to, value, *groups);
  };
  auto from = cast<RankedTensorType>(source.getType());
  if (!from.hasStaticShape() || !type.hasStaticShape() || from.getElementType() != type.getElementType() ||
      from.getNumElements() != type.getNumElements())
    return {};
  if (Value direct = reshape(source, type))
    return direct;
  // Neither shape is a grouping of the other.
  Value flat = reshape(source, RankedTensorType::get({from.getNumElements()}, from.getElementType()));
  return flat ? reshape(flat, type) : Value();
}

namespace {

/// Bits of an element; 0: they do not say where it lies, as those of a boolean, which has a byte.
unsigned bitsOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * bitsOf(complex.getElementType());
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  return width > 1 ? width : 0;
}

/// An integer or float in another type of its width.
Value bitcastScalar(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value : arith::BitcastOp::create(builder, loc, type, value).getResult();
}

class Bitcaster {
public:
  Bitcaster(OpBuilder &builder, Location loc) : builder_(builder), loc_(loc) {}

  /// tensor<nxA> to tensor<nxrxB>, and back. Null: elements are not of that kind.
  Value split(Value source, int64_t parts, Type element);
  Value join(Value source, Type element);
  Value convert(Value source, Type element);

private:
  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;
  Value elementwise(Value source, ArrayRef<int64_t> shape, AffineMap map, Type element, Body body) {
    Value empty = tensor::EmptyOp::create(builder_, loc_, shape, element);
    SmallVector<utils::IteratorType> loops(shape.size(), utils::IteratorType::parallel);
    AffineMap written = builder_.getMultiDimIdentityMap(shape.size());
    ValueRange inputs = map ? ValueRange(source) : ValueRange();
    SmallVector<AffineMap> maps = map ? SmallVector<AffineMap>{map, written} : SmallVector<AffineMap>{written};
    return linalg::GenericOp::create(builder_, loc_, empty.getType(), inputs, empty, maps, loops,
                                     [&](OpBuilder &inner, Location, ValueRange values) {
                                       linalg::YieldOp::create(inner, loc_, body(inner, values.drop_back()));
                                     })
        .getResult(0);
  }

  OpBuilder &builder_;
  Location loc_;
};

Value Bitcaster::convert(Value source, Type element) {
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getElementType() == element)
    return source;
  if (!arith::BitcastOp::areCastCompatible(type.getElementType(), element))
    return {};
  return elementwise(
      source, type.getShape(), builder_.getMultiDimIdentityMap(type.getRank()), element,
      [&](OpBuilder &inner, ValueRange values) { return bitcastScalar(inner, loc_, values[0], element); });
}

Value Bitcaster::split(Value source, int64_t parts, Type element) {
  auto type = cast<RankedTensorType>(source.getType());
  Type whole = type.getElementType();
  bool isComplex = isa<ComplexType>(whole);
  if (isComplex && cast<ComplexType>(whole).getElementType() != element)
    return {};
  AffineMap map = builder_.getMultiDimIdentityMap(2).dropResult(1);
  return elementwise(
      source, {type.getDimSize(0), parts}, map, element, [&](OpBuilder &inner, ValueRange values) -> Value {
        Value part = linalg::IndexOp::create(inner, loc_, 1);
        if (isComplex) {
          Value zero = arith::ConstantIndexOp::create(inner, loc_, 0);
          Value isFirst = arith::CmpIOp::create(inner, loc_, arith::CmpIPredicate::eq, part, zero);
          return arith::SelectOp::create(inner, loc_, isFirst, complex::ReOp::create(inner, loc_, values[0]),
                                         complex::ImOp::create(inner, loc_, values[0]));
        }
        unsigned width = bitsOf(element);
        auto wide = inner.getIntegerType(bitsOf(whole)), narrow = inner.getIntegerType(width);
        Value bits = bitcastScalar(inner, loc_, values[0], wide);
        Value number = arith::IndexCastOp::create(inner, loc_, wide, part);
        Value step = arith::ConstantOp::create(inner, loc_, inner.getIntegerAttr(wide, width));
        Value shifted = arith::ShRUIOp::create(inner, loc_, bits, arith::MulIOp::create(inner, loc_, number, step));
        return bitcastScalar(inner, loc_, arith::TruncIOp::create(inner, loc_, narrow, shifted), element);
      });
}

Value Bitcaster::join(Value source, Type element) {
  auto type = cast<RankedTensorType>(source.getType());
  Type part = type.getElementType();
  bool isComplex = isa<ComplexType>(element);
  if (isComplex && cast<ComplexType>(element).getElementType() != part)
    return {};
  int64_t parts = type.getDimSize(1);
  return elementwise(source, {type.getDimSize(0)}, {}, element, [&](OpBuilder &inner, ValueRange) -> Value {
    Value at = linalg::IndexOp::create(inner, loc_, 0);
    auto read = [&](int64_t number) -> Value {
      Value place = arith::ConstantIndexOp::create(inner, loc_, number);
      return tensor::ExtractOp::create(inner, loc_, source, ValueRange{at, place});
    };
    if (isComplex)
      return complex::CreateOp::create(inner, loc_, element, read(0), read(1));
    auto wide = inner.getIntegerType(bitsOf(element)), narrow = inner.getIntegerType(bitsOf(part));
    Value bits;
    for (int64_t number = 0; number < parts; ++number) {
      Value next = arith::ExtUIOp::create(inner, loc_, wide, bitcastScalar(inner, loc_, read(number), narrow));
      Value by = arith::ConstantOp::create(inner, loc_, inner.getIntegerAttr(wide, number * bitsOf(part)));
      next = arith::ShLIOp::create(inner, loc_, next, by);
      bits = bits ? arith::OrIOp::create(inner, loc_, bits, next).getResult() : next;
    }
    return bitcastScalar(inner, loc_, bits, element);
  });
}

} // namespace

Value bitcastTensor(OpBuilder &builder, Location loc, Value source, RankedTensorType type) {
  auto from = cast<RankedTensorType>(source.getType());
  Type given = from.getElementType(), wanted = type.getElementType();
  int64_t givenBits = bitsOf(given), wantedBits = bitsOf(wanted);
  // No elements: nothing says how many parts one has.
  if (!from.hasStaticShape() || !type.hasStaticShape() || from.getNumElements() == 0)
    return {};
  Bitcaster bitcaster(builder, loc);
  if (given == wanted || arith::BitcastOp::areCastCompatible(given, wanted)) {
    Value cast = bitcaster.convert(source, wanted);
    return cast ? reshapeTensor(builder, loc, cast, type) : Value();
  }
  if (givenBits == 0 || wantedBits == 0 || givenBits > 64 * 2 || wantedBits > 64 * 2 ||
      from.getNumElements() * givenBits != type.getNumElements() * wantedBits)
    return {};
  bool isSplit = givenBits > wantedBits && givenBits % wantedBits == 0;
  if (!isSplit && (wantedBits <= givenBits || wantedBits % givenBits != 0))
    return {};
  int64_t count = isSplit ? from.getNumElements() : type.getNumElements();
  int64_t parts = isSplit ? givenBits / wantedBits : wantedBits / givenBits;
  auto shape = isSplit ? RankedTensorType::get({count}, given) : RankedTensorType::get({count, parts}, given);
  Value arranged = reshapeTensor(builder, loc, source, shape);
  if (!arranged)
    return {};
  Value cast = isSplit ? bitcaster.split(arranged, parts, wanted) : bitcaster.join(arranged, wanted);
  return cast ? reshapeTensor(builder, loc, cast, type) : Value();
}

} // namespace fuselage
