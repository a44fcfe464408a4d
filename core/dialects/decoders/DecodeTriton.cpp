// Triton: a program instance is a workgroup, tensors of pointers and descriptors are its bindings.
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/ForeignTypes.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral loadNames[] = {"tt.load", "tt.descriptor_load", "tt.experimental_descriptor_load",
                                                    "ttg.async_copy_global_to_local"};
static constexpr llvm::StringLiteral storeNames[] = {"tt.store", "tt.descriptor_store",
                                                     "tt.experimental_descriptor_store"};
static constexpr llvm::StringLiteral programNames[] = {"tt.get_program_id", "tt.get_num_programs"};

static bool decodeLoad(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return false;
  decoded.role = OpRole::TileLoad;
  decoded.tile.source = op->getOperand(0);
  decoded.label = describeTile(decoded.tile, op->getResult(0).getType(), "load");
  decoded.detail = "Every program instance reads its own tile.";
  return true;
}

/// `tt.store %pointers, %value`, `tt.descriptor_store %descriptor[%x, %y], %value`: the value is the
/// first operand after the destination that is no index into it.
static bool decodeStore(Operation *op, DecodedOp &decoded) {
  if (op->getNumOperands() < 2)
    return false;
  bool indexed = op->getName().stripDialect() != "store";
  auto isValue = [&](Value value) { return !indexed || isa<ShapedType>(value.getType()); };
  auto found = llvm::find_if(llvm::drop_begin(op->getOperands()), isValue);
  if (found == op->operand_end())
    return false;
  decoded.role = OpRole::TileStore;
  decoded.tile.source = op->getOperand(0);
  decoded.tile.stored = *found;
  decoded.label = describeTile(decoded.tile, decoded.tile.stored.getType(), "store");
  decoded.detail = "Every program instance writes its own tile.";
  return true;
}

static bool decodeProgram(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::WorkgroupInfo;
  // `tt.get_program_id x`, or {axis = 0 : i32}.
  std::string axis;
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (auto word = dyn_cast<StringAttr>(attribute.getValue()); word && word.size() == 1)
      axis = word.getValue().str();
    else if (auto number = dyn_cast<IntegerAttr>(attribute.getValue()); number && number.getInt() < 3)
      axis = std::string(1, static_cast<char>('x' + number.getValue().getLimitedValue(2)));
  }
  decoded.label = op->getName().stripDialect() == "get_program_id" ? "program id" : "programs";
  if (!axis.empty())
    decoded.label += " " + axis;
  return true;
}

extern const Decoder tritonLoadDecoder = {loadNames, decodeLoad};
extern const Decoder tritonStoreDecoder = {storeNames, decodeStore};
extern const Decoder tritonProgramDecoder = {programNames, decodeProgram};

} // namespace fuselage
