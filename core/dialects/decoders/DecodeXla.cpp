// Kernels of XLA: fusions, and instructions that are a kernel by themselves.
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/XlaOps.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"hlo.fusion", kXlaKernel};

static bool decodeKernel(Operation *op, DecodedOp &decoded) {
  if (op->getNumRegions() == 0 || op->getRegion(0).empty())
    return false;
  decoded.role = OpRole::DispatchRegion;
  decoded.body = &op->getRegion(0);
  decoded.detail = op->getName().getStringRef() == kXlaKernel
                       ? "An instruction that XLA runs as a kernel of its own, or by a call of a library."
                       : "A fusion of XLA (" + xlaKernelKind(op) + "): one kernel.";
  return true;
}

extern const Decoder xlaKernelDecoder = {names, decodeKernel};

} // namespace fuselage
