// Structured ops as kernels for the host: all processors, vectors of their width, tiles that stay in registers.
#pragma once
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/codegen/host/kernels/OneThreadWork.h"
#include "core/codegen/host/kernels/RequestedTile.h"

namespace fuselage {

/// What of a module several threads share.
enum class HostThreading {
  None,
  ParallelLoops, ///< scf.forall and scf.parallel, whose bodies stay as they are
  Kernels,       ///< these, and structured ops, which become kernels
};

/// What was made of it.
struct HostKernels {
  std::vector<ParallelCall> calls;
  unsigned kernels = 0;                     ///< functions that were made, those that others call among them
  unsigned plain = 0;                       ///< structured ops with loops that stay for the plain lowering
  std::vector<OneThreadWork> onOneThread{}; ///< see OneThreadWork.h
  std::vector<RequestedTile> requested{};   ///< tiles, of kernels for which some were
};

/// In place, on functions on memrefs: scf.forall runs on several threads, and structured ops become calls of functions
/// on vectors. What these do is what the ops say, but for the order of sums, and for exp, log, tanh and erf of f32 by
/// upstream's polynomials.
HostKernels makeHostKernels(mlir::ModuleOp module, const HostTarget &target);

/// In place, on functions on memrefs: the outermost loops that are known to be parallel, scf.forall and scf.parallel,
/// run on several threads; their bodies, and all else, stay as they are.
HostKernels runLoopsOnThreads(mlir::ModuleOp module, unsigned threads);

/// Whether a function is one of those: nothing may be put into its loops.
bool isHostKernel(llvm::StringRef function);

} // namespace fuselage
