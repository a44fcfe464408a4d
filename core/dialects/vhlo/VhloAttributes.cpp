// The attributes of VHLO by their codes in bytecode, as the attributes of builtin and StableHLO that they stand for.
#include "core/dialects/vhlo/BytecodeItems.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

namespace {
enum AttributeCode : uint64_t {
  kArray = 1,
  kBoolean = 2,
  kComparisonDirection = 3,
  kComparisonType = 4,
  kCustomCallApiVersion = 5,
  kDictionary = 6,
  kFftType = 7,
  kFloat = 8,
  kInteger = 9,
  kOutputOperandAlias = 10,
  kPrecision = 11,
  kRngAlgorithm = 12,
  kRngDistribution = 13,
  kString = 14,
  kTensor = 15,
  kTranspose = 16,
  kType = 17,
  kTypeExtensions = 18,
  kResultAccuracyMode = 19,
  kResultAccuracy = 20,
  kSubAxisInfo = 21,
  kAxisRef = 22,
  kReplicaGroupMeshAxes = 23,
  kMeshAxis = 24,
  kMesh = 25
};
} // namespace

static Attribute readArray(DialectBytecodeReader &reader) {
  SmallVector<Attribute> elements;
  if (failed(readAttributes(reader, elements)))
    return {};
  return ArrayAttr::get(reader.getContext(), elements);
}

static Attribute readBoolean(DialectBytecodeReader &reader) {
  uint64_t value = 0;
  if (failed(reader.readVarInt(value)))
    return {};
  return BoolAttr::get(reader.getContext(), value != 0);
}

/// StableHLO has it as an integer.
static Attribute readApiVersion(DialectBytecodeReader &reader) {
  uint64_t value = 0;
  if (failed(reader.readVarInt(value)))
    return {};
  return IntegerAttr::get(IntegerType::get(reader.getContext(), 32), int64_t(value & 0xffff));
}

static Attribute readDictionary(DialectBytecodeReader &reader) {
  NamedAttrList entries;
  uint64_t count = 0;
  if (failed(reader.readVarInt(count)))
    return {};
  for (uint64_t i = 0; i < count; ++i) {
    StringAttr key;
    Attribute value;
    if (failed(reader.readAttribute(key)) || failed(reader.readAttribute(value)))
      return {};
    if (key.empty() || entries.get(key)) {
      reader.emitError() << "a dictionary has the key '" << key.getValue() << "' twice, or an empty one";
      return {};
    }
    entries.append(key, value);
  }
  return entries.getDictionary(reader.getContext());
}

static Attribute readFloat(DialectBytecodeReader &reader) {
  FloatType type;
  if (failed(reader.readType(type)))
    return {};
  FailureOr<APFloat> value = reader.readAPFloatWithKnownSemantics(type.getFloatSemantics());
  return failed(value) ? Attribute() : FloatAttr::get(type, *value);
}

static Attribute readInteger(DialectBytecodeReader &reader) {
  Type type;
  if (failed(reader.readType(type)))
    return {};
  if (!type.isIntOrIndex()) {
    reader.emitError() << "an integer cannot have the type " << type;
    return {};
  }
  unsigned width = type.isIndex() ? unsigned(IndexType::kInternalStorageBitWidth) : type.getIntOrFloatBitWidth();
  FailureOr<APInt> value = reader.readAPIntWithKnownWidth(width);
  return failed(value) ? Attribute() : IntegerAttr::get(type, *value);
}

static Attribute readString(DialectBytecodeReader &reader) {
  StringRef text;
  if (failed(reader.readString(text)))
    return {};
  return StringAttr::get(reader.getContext(), text);
}

/// How many elements a static shape has; nullopt if that is more than a file can hold, or repeat.
static std::optional<uint64_t> countElements(RankedTensorType type) {
  uint64_t count = 1;
  for (int64_t size : type.getShape()) {
    bool overflows = false;
    count = llvm::SaturatingMultiply(count, uint64_t(size), &overflows);
    if (overflows || count > uint64_t(std::numeric_limits<int64_t>::max()))
      return std::nullopt;
  }
  return count;
}

/// Elements of i1: a bit each, a byte each as some versions wrote them, or one byte for all: 0xff, 0 or 1. Null: they
/// are too few.
static Attribute booleans(RankedTensorType type, ArrayRef<char> bytes, uint64_t count) {
  if (bytes.size() == 1 && (uint8_t(bytes[0]) == 0xff || bytes[0] == 0 || count == 1))
    return DenseElementsAttr::get(type, bytes[0] != 0);
  bool isPacked = bytes.size() == llvm::divideCeil(count, 8) && bytes.size() != count;
  if (!isPacked && bytes.size() != count)
    return {};
  SmallVector<bool> values(count);
  for (uint64_t i = 0; i < count; ++i)
    values[i] = isPacked ? (bytes[i / 8] >> (i % 8)) & 1 : bytes[i] != 0;
  return DenseElementsAttr::get(type, ArrayRef<bool>(values));
}

static Attribute readTensor(DialectBytecodeReader &reader) {
  RankedTensorType type;
  ArrayRef<char> bytes;
  if (failed(reader.readType(type)) || failed(reader.readBlob(bytes)))
    return {};
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  std::optional<uint64_t> count = type.hasStaticShape() ? countElements(type) : std::nullopt;
  Attribute read;
  if (count && type.getElementType().isInteger(1)) {
    read = booleans(type, bytes, *count);
  } else if (count && element.isIntOrIndexOrFloat()) {
    bool isSplat = false;
    if (DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat))
      read = DenseElementsAttr::getFromRawBuffer(type, bytes);
  }
  if (!read)
    reader.emitError() << bytes.size() << " bytes do not make a constant of type " << type;
  return read;
}

static Attribute readTypeAttribute(DialectBytecodeReader &reader) {
  Type type;
  return failed(reader.readType(type)) ? Attribute() : TypeAttr::get(type);
}

static Attribute readVhloAxisRef(DialectBytecodeReader &reader) {
  StringAttr name, part;
  uint64_t hasPart = 0;
  if (failed(reader.readAttribute(name)) || failed(reader.readVarInt(hasPart)) ||
      (hasPart && failed(reader.readAttribute(part))))
    return {};
  return axisReference(reader.getContext(), name, part);
}

static Attribute readVhloMeshAxes(DialectBytecodeReader &reader) {
  Attribute mesh, axes;
  if (failed(reader.readAttribute(mesh)) || failed(reader.readAttribute(axes)))
    return {};
  return replicaGroupMeshAxes(reader.getContext(), mesh, axes);
}

static Attribute readVhloMeshAxis(DialectBytecodeReader &reader) {
  StringAttr name;
  int64_t size = 0;
  if (failed(reader.readAttribute(name)) || failed(reader.readSignedVarInt(size)))
    return {};
  return meshAxis(reader.getContext(), name, size);
}

static Attribute readVhloMesh(DialectBytecodeReader &reader) {
  Attribute axes, devices;
  if (failed(reader.readAttribute(axes)) || failed(reader.readOptionalAttribute(devices)))
    return {};
  return meshAttribute(reader.getContext(), axes, devices);
}

/// Those that builtin has, too; nullopt for other codes.
static std::optional<Attribute> readGeneral(DialectBytecodeReader &reader, uint64_t code) {
  switch (code) {
  case kArray:
    return readArray(reader);
  case kBoolean:
    return readBoolean(reader);
  case kDictionary:
    return readDictionary(reader);
  case kFloat:
    return readFloat(reader);
  case kInteger:
    return readInteger(reader);
  case kString:
    return readString(reader);
  case kTensor:
    return readTensor(reader);
  case kType:
    return readTypeAttribute(reader);
  default:
    return std::nullopt;
  }
}

static std::optional<Attribute> readEnum(DialectBytecodeReader &reader, uint64_t code) {
  switch (code) {
  case kComparisonDirection:
    return readHloEnum(reader, "stablehlo", HloEnum::ComparisonDirection);
  case kComparisonType:
    return readHloEnum(reader, "stablehlo", HloEnum::ComparisonType);
  case kFftType:
    return readHloEnum(reader, "stablehlo", HloEnum::FftType);
  case kPrecision:
    return readHloEnum(reader, "stablehlo", HloEnum::Precision);
  case kRngAlgorithm:
    return readHloEnum(reader, "stablehlo", HloEnum::RngAlgorithm);
  case kRngDistribution:
    return readHloEnum(reader, "stablehlo", HloEnum::RngDistribution);
  case kTranspose:
    return readHloEnum(reader, "stablehlo", HloEnum::Transpose);
  case kResultAccuracyMode:
    return readHloEnum(reader, "stablehlo", HloEnum::ResultAccuracyMode);
  default:
    return std::nullopt;
  }
}

Attribute readVhloAttribute(DialectBytecodeReader &reader) {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  if (auto general = readGeneral(reader, code))
    return *general;
  if (auto word = readEnum(reader, code))
    return *word;
  switch (code) {
  case kCustomCallApiVersion:
    return readApiVersion(reader);
  case kOutputOperandAlias:
    return readOutputOperandAlias(reader);
  case kTypeExtensions:
    return readBounds(reader);
  case kResultAccuracy:
    return readResultAccuracy(reader);
  case kSubAxisInfo:
    return readSubAxis(reader);
  case kAxisRef:
    return readVhloAxisRef(reader);
  case kReplicaGroupMeshAxes:
    return readVhloMeshAxes(reader);
  case kMeshAxis:
    return readVhloMeshAxis(reader);
  case kMesh:
    return readVhloMesh(reader);
  default:
    reader.emitError() << "attribute code " << code << " of VHLO is not known";
    return {};
  }
}

} // namespace fuselage
