// The bytecode interfaces of VHLO, StableHLO and CHLO.
#include "core/dialects/vhlo/BytecodeItems.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Versions are read and not asked for: what has changed is told from names and codes.
class PortableBytecode : public BytecodeDialectInterface {
public:
  explicit PortableBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const override {
    return readPortableVersion(reader);
  }
};

class VhloBytecode : public PortableBytecode {
public:
  using PortableBytecode::PortableBytecode;
  Attribute readAttribute(DialectBytecodeReader &reader) const override { return readVhloAttribute(reader); }
  Type readType(DialectBytecodeReader &reader) const override { return readVhloType(reader); }
};

class StableHloBytecode : public PortableBytecode {
public:
  using PortableBytecode::PortableBytecode;
  Attribute readAttribute(DialectBytecodeReader &reader) const override;
  Type readType(DialectBytecodeReader &reader) const override;
};

class ChloBytecode : public PortableBytecode {
public:
  using PortableBytecode::PortableBytecode;
  Attribute readAttribute(DialectBytecodeReader &reader) const override;
};

/// Says only that there is an attribute. Nothing here depends on how a program is sharded.
class UnreadBytecode : public PortableBytecode {
public:
  using PortableBytecode::PortableBytecode;
  Attribute readAttribute(DialectBytecodeReader &reader) const override;
};

} // namespace

/// Batch, features and spatial dimensions of the input, input features, output features and spatial dimensions of the
/// kernel, and those of the output.
static Attribute readConvolutionDimensions(DialectBytecodeReader &reader) {
  ConvolutionSide input, kernel, output;
  if (failed(reader.readSignedVarInt(input.first)) || failed(reader.readSignedVarInt(input.second)) ||
      failed(readIntegers(reader, input.spatial)) || failed(reader.readSignedVarInt(kernel.second)) ||
      failed(reader.readSignedVarInt(kernel.first)) || failed(readIntegers(reader, kernel.spatial)) ||
      failed(reader.readSignedVarInt(output.first)) || failed(reader.readSignedVarInt(output.second)) ||
      failed(readIntegers(reader, output.spatial)))
    return {};
  Attribute dimensions = convolutionDimensions(reader.getContext(), input, kernel, output);
  if (!dimensions)
    reader.emitError() << "the dimensions of a convolution exclude each other";
  return dimensions;
}

static Attribute readDotAlgorithm(DialectBytecodeReader &reader) {
  SmallVector<Type> types(3);
  SmallVector<int64_t> counts(3);
  bool allowsImprecision = false;
  for (Type &type : types)
    if (failed(reader.readType(type)))
      return {};
  for (int64_t &count : counts)
    if (failed(reader.readSignedVarInt(count)))
      return {};
  if (failed(reader.readBool(allowsImprecision)))
    return {};
  return dotAlgorithm(reader.getContext(), types, counts, allowsImprecision);
}

static Attribute readAxisReference(DialectBytecodeReader &reader) {
  StringRef name;
  StringAttr part;
  bool hasPart = false;
  if (failed(reader.readString(name)) || failed(reader.readBool(hasPart)) ||
      (hasPart && failed(reader.readAttribute(part))))
    return {};
  return axisReference(reader.getContext(), name, part);
}

static Attribute readMeshAxis(DialectBytecodeReader &reader) {
  StringRef name;
  int64_t size = 0;
  if (failed(reader.readString(name)) || failed(reader.readSignedVarInt(size)))
    return {};
  return meshAxis(reader.getContext(), name, size);
}

static Attribute readMesh(DialectBytecodeReader &reader) {
  Attribute axes, devices;
  bool hasDevices = false;
  if (failed(reader.readAttribute(axes)) || failed(reader.readBool(hasDevices)) ||
      (hasDevices && failed(reader.readAttribute(devices))))
    return {};
  return meshAttribute(reader.getContext(), axes, devices);
}

static Attribute readMeshAxes(DialectBytecodeReader &reader) {
  Attribute mesh;
  SmallVector<Attribute> axes;
  if (failed(reader.readAttribute(mesh)) || failed(readAttributes(reader, axes)))
    return {};
  return replicaGroupMeshAxes(reader.getContext(), mesh, ArrayAttr::get(reader.getContext(), axes));
}

/// Those that are as they were in the first version; nullopt for other codes.
static std::optional<Attribute> readDimensions(DialectBytecodeReader &reader, uint64_t code) {
  switch (code) {
  case 1:
    return readHloStruct(reader, "stablehlo.channel_handle", {{"handle", true}, {"type", true}});
  case 4:
    return readConvolutionDimensions(reader);
  case 5:
    return readHloStruct(reader, "stablehlo.dot",
                         {{"lhs_batching_dimensions"},
                          {"rhs_batching_dimensions"},
                          {"lhs_contracting_dimensions"},
                          {"rhs_contracting_dimensions"}});
  case 7:
    return readHloStruct(reader, "stablehlo.gather",
                         {{"offset_dims"},
                          {"collapsed_slice_dims"},
                          {"operand_batching_dims"},
                          {"start_indices_batching_dims"},
                          {"start_index_map"},
                          {"index_vector_dim", true}});
  case 11:
    return readHloStruct(reader, "stablehlo.scatter",
                         {{"update_window_dims"},
                          {"inserted_window_dims"},
                          {"input_batching_dims"},
                          {"scatter_indices_batching_dims"},
                          {"scatter_dims_to_operand_dims"},
                          {"index_vector_dim", true}});
  case 13:
    return readBounds(reader);
  default:
    return std::nullopt;
  }
}

static std::optional<Attribute> readWord(DialectBytecodeReader &reader, uint64_t code) {
  switch (code) {
  case 2:
    return readHloEnum(reader, "stablehlo", HloEnum::ComparisonDirection);
  case 3:
    return readHloEnum(reader, "stablehlo", HloEnum::ComparisonType);
  case 6:
    return readHloEnum(reader, "stablehlo", HloEnum::FftType);
  case 8:
    return readHloEnum(reader, "stablehlo", HloEnum::Precision);
  case 9:
    return readHloEnum(reader, "stablehlo", HloEnum::RngAlgorithm);
  case 10:
    return readHloEnum(reader, "stablehlo", HloEnum::RngDistribution);
  case 12:
    return readHloEnum(reader, "stablehlo", HloEnum::Transpose);
  case 16:
    return readHloEnum(reader, "stablehlo", HloEnum::ResultAccuracyMode);
  default:
    return std::nullopt;
  }
}

Attribute StableHloBytecode::readAttribute(DialectBytecodeReader &reader) const {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  if (auto dimensions = readDimensions(reader, code))
    return *dimensions;
  if (auto word = readWord(reader, code))
    return *word;
  switch (code) {
  case 14:
    return readOutputOperandAlias(reader);
  case 15:
    return readDotAlgorithm(reader);
  case 17:
    return readResultAccuracy(reader);
  case 18:
    return readMeshAxes(reader);
  case 19:
    return readSubAxis(reader);
  case 20:
    return readAxisReference(reader);
  case 21:
    return readMeshAxis(reader);
  case 22:
    return readMesh(reader);
  default:
    reader.emitError() << "attribute code " << code << " of StableHLO is not known";
    return {};
  }
}

Type StableHloBytecode::readType(DialectBytecodeReader &reader) const {
  constexpr uint64_t token = 0, future = 1;
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  if (code == token)
    return OpaqueType::get(StringAttr::get(reader.getContext(), "stablehlo"), "token");
  if (code == future)
    return readFuture(reader);
  reader.emitError() << "type code " << code << " of StableHLO is not known";
  return {};
}

Attribute ChloBytecode::readAttribute(DialectBytecodeReader &reader) const {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case 0:
    return readHloEnum(reader, "chlo", HloEnum::ComparisonDirection);
  case 1:
    return readHloEnum(reader, "chlo", HloEnum::ComparisonType);
  default:
    reader.emitError() << "attribute code " << code << " of CHLO is not known";
    return {};
  }
}

/// The reader has no way to ask where the attribute ends: its bytes are taken one by one until there is none, about
/// which it emits an error that upgradePortable() knows.
Attribute UnreadBytecode::readAttribute(DialectBytecodeReader &reader) const {
  bool byte = false;
  while (succeeded(reader.readBool(byte)))
    ;
  return spelledAttribute(reader.getContext(), ("#" + getDialect()->getNamespace() + ".unread").str());
}

std::unique_ptr<BytecodeDialectInterface> vhloBytecode(Dialect *dialect) {
  return std::make_unique<VhloBytecode>(dialect);
}
std::unique_ptr<BytecodeDialectInterface> stableHloBytecode(Dialect *dialect) {
  return std::make_unique<StableHloBytecode>(dialect);
}
std::unique_ptr<BytecodeDialectInterface> chloBytecode(Dialect *dialect) {
  return std::make_unique<ChloBytecode>(dialect);
}
std::unique_ptr<BytecodeDialectInterface> unreadBytecode(Dialect *dialect) {
  return std::make_unique<UnreadBytecode>(dialect);
}

} // namespace fuselage
