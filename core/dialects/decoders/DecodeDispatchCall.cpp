// Dispatches of an executable's entry point, from flow down to command buffers.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"flow.dispatch",
                                                "stream.async.dispatch",
                                                "stream.cmd.dispatch",
                                                "hal.command_buffer.dispatch",
                                                "hal.command_buffer.dispatch.symbol",
                                                "flow.dispatch.symbol"};

static bool decodeCall(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::DispatchCall;
  SymbolRefAttr entry = firstSymbolRef(op);
  if (!entry) {
    // hal.command_buffer.dispatch may take the executable as a value.
    decoded.label = "dispatch";
    return op->getName().getDialectNamespace() == "hal";
  }
  decoded.callee = spell(entry);
  decoded.label = entry.getLeafReference().str();
  decoded.workload = workloadOf(op);
  decoded.detail = "Runs the entry point @" + entry.getLeafReference().str() + " of the executable @" +
                   entry.getRootReference().str() + ".";
  return true;
}

extern const Decoder dispatchCallDecoder = {names, decodeCall};

} // namespace fuselage
