// From a module to an object of the host.
#pragma once
#include "core/codegen/host/kernels/HostKernels.h"
#include "core/executable/HostCallForm.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <memory>
#include <optional>

namespace llvm {
class Module;
}

namespace fuselage {

struct HostCompileOptions {
  unsigned optLevel = 3; ///< LLVM's -O level
  /// Promise that no argument's memory overlaps another's that is written. Lets LLVM vectorize.
  bool distinctArguments = false;
  /// What all threads that a call has share.
  HostThreading threads = HostThreading::None;
  /// Sees the code that becomes machine code.
  std::function<void(llvm::Module &)> optimized{};
  HostLimits limits{};
  /// Stops at what the IR forbids and a processor would let pass or die of: an index out of bounds, a
  /// division by zero, a negative size. Costs nothing outside of such ops.
  bool checks = true;
  /// Long sums of f32 are made in f64, and terms of sums of narrower floats are rounded as written
  /// (WidenAccumulators.h): a reference wants that, a device does not have it.
  bool wideAccumulators = true;
  /// Ops of LLVM's dialect on memory are compiled, too (refuseUnsafeLowered()): passes made them of a module that was
  /// refused nothing. Only compileMemRefsForHost() asks.
  bool takesLlvm = false;
};

struct HostCompilation {
  std::string object; ///< see emitHostObject()
  std::shared_ptr<const HostCallForm> form;
  HostKernels kernels;
};

/// Compiles a copy of a module of functions on memrefs and scalars: any mix of linalg, scf, vector, memref,
/// affine, arith, math, complex, index, bufferization and cf ops; memory spaces are dropped. Failure: what could not be
/// lowered, with MLIR's diagnostics. Kernels are made for the module's device if that is a host, else for this machine.
llvm::Expected<HostCompilation> compileMemRefsForHost(mlir::ModuleOp module, const HostCompileOptions &options = {});

/// Compiles a copy of a module of functions on tensors, lowered with stock passes (bufferize, loops, LLVM), no fusion
/// of any kind unless `threads` asks for kernels; flow.dispatch.region ops are inlined back. Refuses what reaches out
/// of the module: functions without a body, pointers, inline assembly.
llvm::Expected<HostCompilation> compileForHost(mlir::ModuleOp module, const HostCompileOptions &options = {});

/// What the ops of a module say that it needs, with a margin; what `requested` names goes before that.
HostLimits hostLimitsFor(mlir::Operation *module, const HostLimits &requested);

} // namespace fuselage
