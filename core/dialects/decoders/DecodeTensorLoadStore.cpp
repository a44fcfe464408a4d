// Tiles that a kernel reads from and writes to its bindings, as tensors.
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/ForeignTypes.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral loadNames[] = {"flow.dispatch.tensor.load", "iree_tensor_ext.dispatch.tensor.load",
                                                    "flow.dispatch.input.load", "iree_codegen.load_from_buffer"};
static constexpr llvm::StringLiteral storeNames[] = {"flow.dispatch.tensor.store",
                                                     "iree_tensor_ext.dispatch.tensor.store",
                                                     "flow.dispatch.output.store", "iree_codegen.store_to_buffer"};

/// The tensor in memory, seen through a dispatch tensor or a buffer.
static RankedTensorType wholeTensor(Value value) {
  if (RankedTensorType tensor = underlyingTensor(value.getType()))
    return tensor;
  auto buffer = dyn_cast<MemRefType>(value.getType());
  return buffer && TensorType::isValidElementType(buffer.getElementType())
             ? RankedTensorType::get(buffer.getShape(), buffer.getElementType())
             : RankedTensorType();
}

static bool decodeLoad(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  decoded.role = OpRole::TileLoad;
  decoded.tile.source = op->getOperand(0);
  decoded.tile.tensorType = wholeTensor(decoded.tile.source);
  readSlice(op, decoded.tile);
  decoded.label = describeTile(decoded.tile, op->getResult(0).getType(), "load");
  decoded.detail = "Reads this part of the binding in every workgroup.";
  return true;
}

static bool decodeStore(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() != 0 || op->getNumOperands() < 2)
    return false;
  decoded.role = OpRole::TileStore;
  decoded.tile.stored = op->getOperand(0);
  decoded.tile.source = op->getOperand(1);
  decoded.tile.tensorType = wholeTensor(decoded.tile.source);
  readSlice(op, decoded.tile);
  decoded.label = describeTile(decoded.tile, decoded.tile.stored.getType(), "store");
  decoded.detail = "Writes this part of the binding in every workgroup.";
  return true;
}

extern const Decoder tensorLoadDecoder = {loadNames, decodeLoad};
extern const Decoder tensorStoreDecoder = {storeNames, decodeStore};

} // namespace fuselage
