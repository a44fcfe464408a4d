// All fusions that pay, and no other: what makes a module dearer or wrong, or gains nothing, is taken back.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/support/Error.h"

namespace fuselage {

/// What the dispatches of a module cost, formed or planned by a policy.
struct FusionCost {
  unsigned dispatches = 0;
  unsigned stored = 0; ///< edges through memory
  int64_t bytes = 0;   ///< through memory; -1: some sizes are unknown
};
/// Of a copy, in which dispatches are formed where some stand already; the module is not changed.
llvm::Expected<FusionCost> fusionCost(mlir::ModuleOp module, const FusionPolicy &policy);

/// Whether one costs more: a launch counts as much as the bytes that a GPU moves meanwhile. Where sizes
/// are unknown, by the number of dispatches, then of edges through memory.
bool isDearer(const FusionCost &one, const FusionCost &other);

/// The passes on functions that stay, and which were left out, with why.
struct FusionRetreat {
  std::vector<std::string> kept, dropped;
};

/// The parts of fuselage-fuse-all one after the other, each kept if it does not fail, does not make the
/// module dearer, and `problemOf` what it leaves is empty. None, if all that is kept gains nothing: then
/// the module had better stay as it is.
llvm::Expected<FusionRetreat> fuseWhatPays(mlir::ModuleOp module, const FusionPolicy &policy,
                                           llvm::function_ref<std::string(mlir::ModuleOp)> problemOf);

} // namespace fuselage
