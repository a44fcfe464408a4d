#include "core/analysis/costs/Costs.h"
#include "core/analysis/costs/DispatchTraffic.h"
#include "core/analysis/costs/KernelCosts.h"
#include "core/dialects/decoders/DispatchPrograms.h"

using namespace mlir;

namespace fuselage {

OpCost costOfDispatch(Operation *dispatch) {
  bool kernel = isKernel(dispatch);
  if (kernel && accessesTiles(dispatch))
    return costOfKernel(dispatch);
  DispatchTraffic traffic = trafficOfDispatch(dispatch);
  int64_t flops = flopsInside(dispatch);
  // One workgroup's code does not say how many of them there are.
  return {.flops = kernel && flops > 0 ? -1 : flops,
          .bytesRead = traffic.read.count,
          .bytesWritten = traffic.written.count,
          .bytesAtMost = traffic.read.atMost || traffic.written.atMost};
}

OpCost costOfGroup(ArrayRef<Operation *> ops, ArrayRef<Operation *> clonedProducers) {
  DispatchTraffic traffic = trafficOfGroup(ops, clonedProducers);
  OpCost cost{.flops = 0,
              .bytesRead = traffic.read.count,
              .bytesWritten = traffic.written.count,
              .bytesAtMost = traffic.read.atMost || traffic.written.atMost};
  for (ArrayRef<Operation *> part : {clonedProducers, ops})
    for (Operation *op : part)
      cost.flops = plus(cost.flops, flopsOf(op));
  return cost;
}

} // namespace fuselage
