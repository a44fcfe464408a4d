// 2020: tensors and tiles that a kernel reads from and writes to a named binding, without a value.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral loadNames[] = {"hal.interface.load.tensor", "hal.interface.load.tensor.tile"};
static constexpr llvm::StringLiteral storeNames[] = {"hal.interface.store.tensor", "hal.interface.store.tensor.tile"};

/// Names the binding and the tile. Without a list of sizes the moved value is the whole tensor.
static void describe(Operation *op, DecodedOp &decoded, Type moved, StringRef verb) {
  SymbolRefAttr binding = firstSymbolRef(op);
  if (binding)
    decoded.symbol = spell(binding);
  readSlice(op, decoded.tile);
  if (decoded.tile.sizes.empty())
    decoded.tile.tensorType = moved;
  std::string name = binding ? binding.getLeafReference().str() : "";
  decoded.label = describeTile(decoded.tile, moved, verb);
  if (!name.empty())
    decoded.label += (verb == "load" ? " from " : " to ") + name;
  if (!decoded.symbol.empty())
    decoded.detail = "The binding is @" + decoded.symbol + ".";
}

static bool decodeLoad(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() != 1)
    return false;
  decoded.role = OpRole::TileLoad;
  describe(op, decoded, op->getResult(0).getType(), "load");
  return true;
}

static bool decodeStore(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() != 0 || op->getNumOperands() == 0)
    return false;
  decoded.role = OpRole::TileStore;
  decoded.tile.stored = op->getOperand(0);
  describe(op, decoded, decoded.tile.stored.getType(), "store");
  return true;
}

extern const Decoder interfaceLoadDecoder = {loadNames, decodeLoad};
extern const Decoder interfaceStoreDecoder = {storeNames, decodeStore};

} // namespace fuselage
