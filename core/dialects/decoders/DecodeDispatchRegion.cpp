// Dispatches with their body inline: flow.dispatch.region, flow.dispatch.workgroups.
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/flow/Flow.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"flow.dispatch.region", "flow.dispatch.workgroups"};

static bool decodeRegion(Operation *op, DecodedOp &decoded) {
  if (op->getNumRegions() == 0 || op->getRegion(0).empty())
    return false;
  decoded.role = OpRole::DispatchRegion;
  decoded.body = &op->getRegion(0);
  if (auto region = dyn_cast<flow::DispatchRegionOp>(op)) {
    // Its result dimensions come first; the workload does not lead.
    decoded.workload = region.getResultDims().empty() ? region.getWorkload().size() : 0;
    return true;
  }
  decoded.workload = workloadOf(op);
  decoded.detail = "One dispatch; its body is what each workgroup runs.";
  return true;
}

extern const Decoder dispatchRegionDecoder = {names, decodeRegion};

} // namespace fuselage
