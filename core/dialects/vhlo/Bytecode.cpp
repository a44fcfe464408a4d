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

Attribute StableHloBytecode::readAttribute(DialectBytecodeReader &reader) const {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case 1:
    return readHloStruct(reader, "stablehlo.channel_handle", {{"handle", true}, {"type", true}});
  case 2:
    return readHloEnum(reader, "stablehlo", HloEnum::ComparisonDirection);
  case 3:
    return readHloEnum(reader, "stablehlo", HloEnum::ComparisonType);
  case 4:
    return readConvolutionDimensions(reader);
  case 5:
    return readHloStruct(reader, "stablehlo.dot",
                         {{"lhs_batching_dimensions"},
                          {"rhs_batching_dimensions"},
                          {"lhs_contracting_dimensions"},
                          {"rhs_contracting_dimensions"}});
  case 6:
    return readHloEnum(reader, "stablehlo", HloEnum::FftType);
  case 7:
    return readHloStruct(reader, "stablehlo.gather",
                         {{"offset_dims"},
                          {"collapsed_slice_dims"},
                          {"operand_batching_dims"},
                          {"start_indices_batching_dims"},
                          {"start_index_map"},
                          {"index_vector_dim", true}});
  case 8:
    return readHloEnum(reader, "stablehlo", HloEnum::Precision);
  case 9:
    return readHloEnum(reader, "stablehlo", HloEnum::RngAlgorithm);
  case 10:
    return readHloEnum(reader, "stablehlo", HloEnum::RngDistribution);
  case 11:
    return readHloStruct(reader, "stablehlo.scatter",
                         {{"update_window_dims"},
                          {"inserted_window_dims"},
                          {"input_batching_dims"},
                          {"scatter_indices_batching_dims"},
                          {"scatter_dims_to_operand_dims"},
                          {"index_vector_dim", true}});
  case 12:
    return readHloEnum(reader, "stablehlo", HloEnum::Transpose);
  case 13:
    return readBounds(reader);
  case 14:
    return readOutputOperandAlias(reader);
  default:
    reader.emitError() << "attribute code " << code << " of StableHLO is not known";
    return {};
  }
}

Type StableHloBytecode::readType(DialectBytecodeReader &reader) const {
  constexpr uint64_t token = 0;
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  if (code == token)
    return OpaqueType::get(StringAttr::get(reader.getContext(), "stablehlo"), "token");
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

std::unique_ptr<BytecodeDialectInterface> vhloBytecode(Dialect *dialect) {
  return std::make_unique<VhloBytecode>(dialect);
}
std::unique_ptr<BytecodeDialectInterface> stableHloBytecode(Dialect *dialect) {
  return std::make_unique<StableHloBytecode>(dialect);
}
std::unique_ptr<BytecodeDialectInterface> chloBytecode(Dialect *dialect) {
  return std::make_unique<ChloBytecode>(dialect);
}

} // namespace fuselage
