// What an executable offers to dispatches.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"flow.executable.export",     "flow.dispatch.entry",
                                                "stream.executable.export",   "hal.executable.export",
                                                "hal.executable.entry_point", "hal.executable.export.ordinal"};

static bool decodeEntryPoint(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::EntryPoint;
  decoded.symbol = symbolOf(op);
  // `flow.dispatch.entry @kernel` of 2020 names only the function.
  if (decoded.symbol.empty())
    if (SymbolRefAttr function = firstSymbolRef(op))
      decoded.symbol = function.getLeafReference().str();
  decoded.label = "entry @" + decoded.symbol;
  if (op->getNumRegions() > 0 && !op->getRegion(0).empty())
    decoded.detail = "Its body computes how many workgroups a dispatch has.";
  return !decoded.symbol.empty();
}

extern const Decoder entryPointDecoder = {names, decodeEntryPoint};

} // namespace fuselage
