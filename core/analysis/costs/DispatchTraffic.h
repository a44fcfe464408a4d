// What a dispatch reads from memory outside of it, and writes there.
#pragma once
#include "core/analysis/costs/ValueBytes.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

struct DispatchTraffic {
  Bytes read, written;
};

/// Of a region, an outlined function or a kernel. A read goes through reshapes and slices inside to what
/// they show: a slice at one place counts as the slice. Where the place differs with the iterations of
/// loops inside, it counts as often as they run, and no more than all of what is sliced.
DispatchTraffic trafficOfDispatch(mlir::Operation *dispatch);

/// The same of ops of one block, and of producers that they would have clones of.
DispatchTraffic trafficOfGroup(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Operation *> clones);

} // namespace fuselage
