// Ops between devices, of which there is one here; and ops that only tell a compiler something.
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {

/// The number of the only device.
static HloResults lowerDeviceNumber(HloCall &call) {
  RankedTensorType type = call.op->getNumResults() == 1 ? call.resultType() : RankedTensorType();
  if (!type || !type.hasStaticShape() || !type.getElementType().isInteger())
    return call.refuse("its result is not an integer");
  return SmallVector<Value>{
      arith::ConstantOp::create(call.builder, call.loc, cast<TypedAttr>(call.builder.getZeroAttr(type)))};
}

static HloResults takeFirst(HloCall &call) {
  if (call.groups.empty())
    return call.refuse("it has no operand");
  return llvm::to_vector(call.groups.front());
}

static HloResults refuseExchange(HloCall &call) {
  return call.refuse("it exchanges data with other devices, and a run has one");
}

static HloResults refuseHost(HloCall &call) { return call.refuse("it exchanges data with a host program"); }

void addDeviceLowerings(HloLowerings &lowerings) {
  lowerings["add_dependency"] = takeFirst;
  lowerings["copy"] = takeFirst;
  lowerings["partition_id"] = lowerDeviceNumber;
  lowerings["replica_id"] = lowerDeviceNumber;
  lowerings["trace"] = [](HloCall &) { return HloResults(SmallVector<Value>()); };
  for (StringRef name : {"all_gather", "all_reduce", "all_to_all", "async_done", "async_start", "collective_broadcast",
                         "collective_permute", "cross-replica-sum", "recv", "reduce_scatter", "send"})
    lowerings[name] = refuseExchange;
  lowerings["infeed"] = refuseHost;
  lowerings["outfeed"] = refuseHost;
}

} // namespace fuselage
