// The types of VHLO by their codes in bytecode, as the builtin types that they stand for.
#include "core/dialects/vhlo/BytecodeItems.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace fuselage {

namespace {
enum TypeCode : uint64_t {
  kComplex = 1,
  kFunction = 8,
  kRankedTensor = 20,
  kRankedTensorWithEncoding = 21,
  kToken = 22,
  kTuple = 23,
  kQuantized = 24,
  kUnrankedTensor = 25,
  kWitness = 26,
  kQuantizedPerAxis = 30,
  kNone = 33,
  kBuffer = 41,
  kFuture = 42
};
} // namespace

/// Types without parameters; null for other codes.
static Type plainType(MLIRContext *context, uint64_t code) {
  auto integer = [&](unsigned width) { return IntegerType::get(context, width); };
  auto natural = [&](unsigned width) { return IntegerType::get(context, width, IntegerType::Unsigned); };
  switch (code) {
  case 0:
    return integer(1);
  case 2:
    return BFloat16Type::get(context);
  case 3:
    return Float16Type::get(context);
  case 4:
    return Float32Type::get(context);
  case 5:
    return Float64Type::get(context);
  case 6:
    return Float8E4M3FNType::get(context);
  case 7:
    return Float8E5M2Type::get(context);
  case 9:
    return IndexType::get(context);
  case 10:
    return integer(4);
  case 11:
    return integer(8);
  case 12:
    return integer(16);
  case 13:
    return integer(32);
  case 14:
    return integer(64);
  case 15:
    return natural(4);
  case 16:
    return natural(8);
  case 17:
    return natural(16);
  case 18:
    return natural(32);
  case 19:
    return natural(64);
  case 27:
    return Float8E4M3FNUZType::get(context);
  case 28:
    return Float8E5M2FNUZType::get(context);
  case 29:
    return Float8E4M3B11FNUZType::get(context);
  case 31:
    return integer(2);
  case 32:
    return natural(2);
  case 34:
    return FloatTF32Type::get(context);
  case 35:
    return Float8E4M3Type::get(context);
  case 36:
    return Float8E3M4Type::get(context);
  case 37:
    return Float4E2M1FNType::get(context);
  case 38:
    return Float6E2M3FNType::get(context);
  case 39:
    return Float6E3M2FNType::get(context);
  case 40:
    return Float8E8M0FNUType::get(context);
  default:
    return {};
  }
}

static Type foreignType(MLIRContext *context, StringRef dialect, StringRef text) {
  return OpaqueType::get(StringAttr::get(context, dialect), text);
}

/// A tensor or, with `isBuffer`, a memref.
static Type readShaped(DialectBytecodeReader &reader, bool hasEncoding, bool isBuffer) {
  Attribute encoding;
  SmallVector<int64_t> shape;
  Type element;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) || failed(readIntegers(reader, shape)) ||
      failed(reader.readType(element)))
    return {};
  auto emitError = [&] { return reader.emitError(); };
  if (isBuffer)
    return MemRefType::getChecked(emitError, shape, element, MemRefLayoutAttrInterface(), Attribute());
  return RankedTensorType::getChecked(emitError, shape, element, encoding);
}

static Type readQuantized(DialectBytecodeReader &reader) {
  uint64_t flags = 0;
  Type storage, expressed;
  int64_t zero = 0, least = 0, most = 0;
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) || failed(reader.readType(expressed)))
    return {};
  FailureOr<APFloat> scale = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(scale) || failed(reader.readSignedVarInt(zero)) || failed(reader.readSignedVarInt(least)) ||
      failed(reader.readSignedVarInt(most)))
    return {};
  return quant::UniformQuantizedType::getChecked([&] { return reader.emitError(); }, flags, storage, expressed,
                                                 scale->convertToDouble(), zero, least, most);
}

static Type readQuantizedPerAxis(DialectBytecodeReader &reader) {
  uint64_t flags = 0, axis = 0;
  Type storage, expressed;
  int64_t least = 0, most = 0;
  SmallVector<double> scales;
  SmallVector<int64_t> zeros;
  auto readScale = [&](double &scale) -> LogicalResult {
    FailureOr<APFloat> read = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
    if (succeeded(read))
      scale = read->convertToDouble();
    return read;
  };
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) || failed(reader.readType(expressed)) ||
      failed(reader.readVarInt(axis)) || failed(reader.readSignedVarInt(least)) ||
      failed(reader.readSignedVarInt(most)) || failed(readItems(reader, scales, readScale)) ||
      failed(readIntegers(reader, zeros)))
    return {};
  return quant::UniformQuantizedPerAxisType::getChecked([&] { return reader.emitError(); }, flags, storage, expressed,
                                                        scales, zeros, int32_t(axis), least, most);
}

static Type readFunction(DialectBytecodeReader &reader) {
  SmallVector<Type> inputs, results;
  if (failed(readTypes(reader, inputs)) || failed(readTypes(reader, results)))
    return {};
  return FunctionType::get(reader.getContext(), inputs, results);
}

/// A type with one element type.
static Type readWrapped(DialectBytecodeReader &reader, uint64_t code) {
  Type element;
  if (failed(reader.readType(element)))
    return {};
  auto emitError = [&] { return reader.emitError(); };
  if (code == kComplex)
    return ComplexType::getChecked(emitError, element);
  return UnrankedTensorType::getChecked(emitError, element);
}

static Type readTuple(DialectBytecodeReader &reader) {
  SmallVector<Type> elements;
  if (failed(readTypes(reader, elements)))
    return {};
  return TupleType::get(reader.getContext(), elements);
}

Type readVhloType(DialectBytecodeReader &reader) {
  MLIRContext *context = reader.getContext();
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  if (Type plain = plainType(context, code))
    return plain;
  switch (code) {
  case kComplex:
  case kUnrankedTensor:
    return readWrapped(reader, code);
  case kFunction:
    return readFunction(reader);
  case kRankedTensor:
  case kRankedTensorWithEncoding:
    return readShaped(reader, code == kRankedTensorWithEncoding, /*isBuffer=*/false);
  case kBuffer:
    return readShaped(reader, /*hasEncoding=*/false, /*isBuffer=*/true);
  case kToken:
    return foreignType(context, "stablehlo", "token");
  case kWitness:
    return foreignType(context, "shape", "witness");
  case kTuple:
    return readTuple(reader);
  case kFuture:
    return readFuture(reader);
  case kQuantized:
    return readQuantized(reader);
  case kQuantizedPerAxis:
    return readQuantizedPerAxis(reader);
  case kNone:
    return NoneType::get(context);
  default:
    reader.emitError() << "type code " << code << " of VHLO is not known";
    return {};
  }
}

} // namespace fuselage
