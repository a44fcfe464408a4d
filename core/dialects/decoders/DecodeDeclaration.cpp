// Symbols that neither run nor hold anything that does.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"hal.interface",
                                                "hal.interface.binding",
                                                "hal.interface.end",
                                                "util.global",
                                                "flow.variable",
                                                "hal.variable",
                                                "flow.executable_end",
                                                "hal.executable_end",
                                                "flow.executable.end",
                                                "hal.executable.constant.block",
                                                "hal.executable.condition",
                                                "hal.executable.objects",
                                                "hal.device.query.block"};

static bool decodeDeclaration(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::Declaration;
  decoded.symbol = symbolOf(op);
  decoded.label = op->getName().stripDialect().str();
  if (!decoded.symbol.empty())
    decoded.label += " @" + decoded.symbol;
  return op->getNumResults() == 0;
}

extern const Decoder declarationDecoder = {names, decodeDeclaration};

} // namespace fuselage
