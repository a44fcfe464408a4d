// Where each node of an FX graph is computed, and in which order the kernels follow each other.
#pragma once
#include "core/inductor/FxGraph.h"
#include "core/inductor/Provenance.h"

namespace fuselage::inductor {

/// Something that stands for itself in the function: a kernel, or a node outside of all kernels.
struct Unit {
  int kernel = -1;             ///< -1: a node outside of kernels
  std::vector<unsigned> nodes; ///< values of the function that it computes, ascending
  /// Of a kernel that computes none of them, as a layout that a library's kernel wants: inputs of the function that it
  /// reads, and the value that they are prepared for.
  std::vector<unsigned> prepares;
  int preparedFor = -1;
};

struct KernelPlan {
  std::vector<Unit> units; ///< in an order in which all is computed before it is read
  /// By value: the unit that others get it from; -1: inputs, and nodes that only view or make data, which are computed
  /// again wherever they are read.
  std::vector<int> home;
  std::vector<std::string> unplaced; ///< nodes that compute, and that no kernel names
  unsigned splits = 0;               ///< kernels that had to be cut, since others stand between their nodes
};

/// Whether a node only views, moves or makes data, so that it is no work to compute it again.
bool isMovement(const FxNode &node);

/// Failure: the kernels depend on each other in too many circles.
llvm::Expected<KernelPlan> planKernels(const FxFunction &function, llvm::ArrayRef<InductorKernel> kernels);

/// The value that a node hands on: of an item of several results the node that has them, else the value itself.
unsigned baseOf(const FxFunction &function, unsigned value);

/// Adds nodes to `nodes` (ascending) that have no unit and that those in it read, directly or through others.
void addViewsOf(const FxFunction &function, const KernelPlan &plan, std::vector<unsigned> &nodes);

} // namespace fuselage::inductor
