// Executables and the forms of one executable for different targets.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {
    "flow.executable",       "stream.executable",     "hal.executable",       "hal.executable.variant",
    "hal.executable.target", "hal.executable.source", "hal.executable.binary"};

static bool decodeExecutable(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::Executable;
  decoded.symbol = symbolOf(op);
  StringRef kind = op->getName().stripDialect();
  kind.consume_front("executable.");
  decoded.label = kind.str() + (decoded.symbol.empty() ? "" : " @" + decoded.symbol);
  return true;
}

extern const Decoder executableDecoder = {names, decodeExecutable};

} // namespace fuselage
