// Functions of dialects that bring their own, and what ends them.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral functionNames[] = {"util.func", "util.initializer", "vm.func", "vm.initializer",
                                                        "tt.func"};
static constexpr llvm::StringLiteral returnNames[] = {
    "flow.return",   "hal.return",   "util.return", "util.initializer.return",
    "stream.return", "stream.yield", "tt.return",   "vm.return"};

static bool decodeFunction(Operation *op, DecodedOp &decoded) {
  if (op->getNumRegions() == 0)
    return false;
  decoded.role = OpRole::Function;
  decoded.body = &op->getRegion(0);
  decoded.symbol = symbolOf(op);
  // Initializers run when the module is loaded; nobody calls them by name.
  decoded.label = decoded.symbol.empty() ? op->getName().stripDialect().str() : "func @" + decoded.symbol;
  return true;
}

static bool decodeReturn(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::Return;
  decoded.label = op->getName().stripDialect().rsplit('.').second.str();
  if (decoded.label.empty())
    decoded.label = op->getName().stripDialect().str();
  return op->getNumResults() == 0;
}

extern const Decoder functionDecoder = {functionNames, decodeFunction};
extern const Decoder returnDecoder = {returnNames, decodeReturn};

} // namespace fuselage
