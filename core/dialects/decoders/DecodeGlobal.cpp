// A module's variables: weights and state.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral loadNames[] = {"util.global.load", "flow.variable.load", "hal.variable.load"};
static constexpr llvm::StringLiteral storeNames[] = {"util.global.store", "flow.variable.store", "hal.variable.store"};

static std::string globalOf(Operation *op) {
  SymbolRefAttr symbol = firstSymbolRef(op);
  return symbol ? symbol.getLeafReference().str() : std::string();
}

static bool decodeLoad(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::GlobalLoad;
  decoded.symbol = globalOf(op);
  decoded.label = "@" + decoded.symbol;
  return op->getNumResults() == 1 && !decoded.symbol.empty();
}

static bool decodeStore(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::GlobalStore;
  decoded.symbol = globalOf(op);
  decoded.label = "store @" + decoded.symbol;
  return op->getNumOperands() > 0 && !decoded.symbol.empty();
}

extern const Decoder globalLoadDecoder = {loadNames, decodeLoad};
extern const Decoder globalStoreDecoder = {storeNames, decodeStore};

} // namespace fuselage
