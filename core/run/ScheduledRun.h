// Runs what a schedule made of a function, and compares it with the function as it was.
#pragma once
#include "core/run/Run.h"

namespace fuselage {

/// Runs the function of `before` on the host, and that of the same name of `after`, which a schedule has transformed,
/// on the device, on the same inputs. On a GPU, `after` is a function on buffers with gpu.launch ops, which are
/// compiled and launched as they are; on the host, a function on tensors. Nothing is fused or tiled that the schedule
/// did not; on the host, a function in which it formed dispatches becomes kernels as these do without a schedule, and
/// any other one plain loops, of which scf.forall and scf.parallel run on all threads; a remark says what runs on one.
/// What `options` does not ask for by name is made of small whole numbers where a float argument takes any value, so
/// that another order of summation is no difference. Times are of the launches alone; arguments are put there anew
/// before each, as kernels may write to them. A difference is no Failure: `verdict` says so.
llvm::Expected<RunReport> runScheduled(mlir::ModuleOp before, mlir::ModuleOp after, const RunOptions &options);

} // namespace fuselage
