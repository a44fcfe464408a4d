// All fusions that pay, and no other: what makes a module dearer or wrong, or gains nothing, is taken back.
#pragma once
#include "core/analysis/fusion/FusionStep.h"
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/support/Error.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>
#include <optional>

namespace fuselage {

/// What the dispatches of a module cost, formed or planned by a policy: predicted, not measured.
struct FusionCost {
  unsigned dispatches = 0;
  unsigned stored = 0; ///< edges through memory
  unsigned ops = 0;    ///< on tensors
  int64_t bytes = 0;   ///< through memory; -1: some sizes are unknown
};
/// Of a copy, in which dispatches are formed where some stand already; the module is not changed.
llvm::Expected<FusionCost> fusionCost(mlir::ModuleOp module, const FusionPolicy &policy);

/// Whether one costs more: a launch counts as much as the bytes that a GPU moves meanwhile. Where sizes
/// are unknown, by the number of dispatches, then of edges through memory.
bool isDearer(const FusionCost &one, const FusionCost &other);

/// What is asked of a module.
enum class FusionGoal {
  All,     ///< fuselage-fuse-all: what it costs as a whole is to fall
  CleanUp, ///< fuselage-fusion-cleanup: nothing of what it costs may rise, and something is to fall
};

/// The preset that reaches for the goal, and the passes that it is made of.
llvm::StringRef presetOf(FusionGoal goal);
std::vector<std::string> passesOf(FusionGoal goal);

struct FuseAllOptions {
  FusionGoal goal = FusionGoal::All;
  /// What is wrong with what passes left; empty: nothing, or nobody can tell. Only asked of what pays.
  std::function<std::string(mlir::ModuleOp)> problemOf = [](mlir::ModuleOp) { return std::string(); };
  /// Asked in front of each pass; false ends it with a Failure.
  std::function<bool(llvm::StringRef pass)> proceed{};
  /// How long a module takes, in microseconds; where it is given, what is slower than before is taken back:
  /// then the clean-up is measured, then the module stays as it is. Without it, what pays is predicted.
  std::function<llvm::Expected<double>(mlir::ModuleOp)> measure{};
};

/// Measured before the fusion, and of what is kept.
struct FusionTimes {
  double before = 0, after = 0; ///< microseconds
};

struct FuseAllResult {
  mlir::OwningOpRef<mlir::ModuleOp> module{}; ///< as the steps leave it
  std::vector<FusionStep> steps{};            ///< passes that changed something, and stay; none: nothing pays
  std::vector<std::string> dropped{};         ///< parts that were taken back, with why
  FusionCost before{}, after{};
  std::optional<FusionTimes> times{}; ///< none: nothing was measured, or there is nothing to
};

/// Reaches for the goal until doing so once more gains nothing, so that a second call changes nothing. Where
/// a preset as a whole does not pay, fails, or has a problem, each of its parts stays that does not. The
/// module is not changed.
llvm::Expected<FuseAllResult> fuseAll(mlir::ModuleOp module, const FusionPolicy &policy, const FuseAllOptions &options);

} // namespace fuselage
