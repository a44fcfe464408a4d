// Regions whose dispatches are submitted to the device together.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {
    "flow.ex.stream.fragment", "stream.async.execute", "stream.async.concurrent", "stream.cmd.execute",
    "stream.cmd.concurrent",   "stream.cmd.serial",    "hal.device.switch"};

static bool decodeSubmission(Operation *op, DecodedOp &decoded) {
  if (op->getNumRegions() == 0 || op->getRegion(0).empty())
    return false;
  decoded.role = OpRole::Submission;
  decoded.body = &op->getRegion(0);
  StringRef name = op->getName().stripDialect();
  decoded.label = name == "ex.stream.fragment" ? "stream fragment" : name.rsplit('.').second.str();
  return true;
}

extern const Decoder submissionDecoder = {names, decodeSubmission};

} // namespace fuselage
