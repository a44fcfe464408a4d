// Where a caller's buffers become tensors and tensors become buffers again.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"hal.tensor.import", "hal.tensor.export", "hal.tensor.cast"};
static constexpr llvm::StringLiteral streamNames[] = {"stream.tensor.import", "stream.tensor.export"};

/// 2021's hal.tensor.cast went both ways: the types say which.
static bool decodeBoundary(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  bool isInput = isa<ShapedType>(to) && !isa<ShapedType>(from);
  bool isOutput = isa<ShapedType>(from) && !isa<ShapedType>(to);
  if (!isInput && !isOutput)
    return false;
  decoded.role = isInput ? OpRole::ModuleInput : OpRole::ModuleOutput;
  decoded.label = isInput ? "input" : "output";
  if (auto shaped = cast<ShapedType>(isInput ? to : from); shaped.hasRank() && shaped.getRank() > 0)
    decoded.label += " " + shapeText(shaped.getShape());
  decoded.detail = isInput ? "A buffer from outside the module, read as a tensor."
                           : "A tensor, handed to the module's caller as a buffer.";
  return true;
}

/// On streams both sides are opaque: the name says which is which.
static bool decodeStreamBoundary(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  bool isInput = op->getName().stripDialect() == "tensor.import";
  decoded.role = isInput ? OpRole::ModuleInput : OpRole::ModuleOutput;
  decoded.label = isInput ? "input" : "output";
  decoded.detail = isInput ? "A buffer from outside the module, used as a resource of streams."
                           : "A resource of streams, handed to the module's caller as a buffer.";
  return true;
}

extern const Decoder moduleBoundaryDecoder = {names, decodeBoundary};
extern const Decoder streamBoundaryDecoder = {streamNames, decodeStreamBoundary};

} // namespace fuselage
