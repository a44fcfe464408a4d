// Runs the kernels of a function on the host, thread by thread, and checks what they do.
#pragma once
#include "core/emulator/Emulation.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage::emulator {

/// Runs `function`, on buffers, whose kernels are gpu.launch ops or gpu.func ops of its module. All threads of a
/// workgroup run in lock-step, workgroups one after the other; memory that a barrier does not order is found by who
/// touched it last, so that it does not depend on that order. Indices have 64 bits. Failure: an op that is not known
/// (with its place), memory beyond the limit, no launch, a cancel (the message begins with "cancelled").
llvm::Expected<Emulation> emulate(mlir::func::FuncOp function, llvm::ArrayRef<EmulatedArgument> arguments,
                                  const EmulationOptions &options);

} // namespace fuselage::emulator
