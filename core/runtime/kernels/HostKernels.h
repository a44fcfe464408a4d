// Structured ops as kernels for the host: all processors, vectors of their width, tiles that stay in registers.
#pragma once
#include "core/runtime/kernels/ParallelCalls.h"

namespace fuselage {

struct HostKernels {
  std::vector<ParallelCall> calls;
  unsigned kernels = 0; ///< functions that were made, those that others call among them
  unsigned plain = 0; ///< structured ops with loops that stay for the plain lowering
};

/// In place, on functions on memrefs: scf.forall runs on several threads, and structured ops become calls of functions on vectors. What these do is what the
/// ops say, but for the order of sums, and for exp, log, tanh and erf of f32 by upstream's polynomials.
HostKernels makeHostKernels(mlir::ModuleOp module);

/// Whether a function is one of those: nothing may be put into its loops.
bool isHostKernel(llvm::StringRef function);

} // namespace fuselage
