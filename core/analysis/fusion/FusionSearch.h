// A search for the fusions that pay: what it is to achieve, what modules cost by prediction, and what was found.
#pragma once
#include "core/analysis/costs/DeviceRates.h"
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
  double us = -1;      ///< launching and moving alone, by a device's rates; -1: some sizes are unknown
};
/// Of a copy, in which dispatches are formed where some stand already or, with `formed`, everywhere
/// (completeDispatches); the module is not changed.
llvm::Expected<FusionCost> fusionCost(mlir::ModuleOp module, const FusionPolicy &policy, const DeviceRates &rates = {},
                                      bool formed = false);

/// The microseconds that `now` takes less; NaN: sizes are unknown.
double predictedGain(const FusionCost &before, const FusionCost &now);

/// Whether one costs more: by predicted microseconds; where sizes are unknown, by the number of dispatches, then of
/// edges through memory. Costs with bytes but without microseconds are compared at kAssumedGbps and kAssumedLaunchUs.
bool isDearer(const FusionCost &one, const FusionCost &other);

/// What is asked of a module.
enum class FusionGoal {
  All,     ///< fuselage-fuse-all: what it costs as a whole is to fall
  CleanUp, ///< fuselage-fusion-cleanup: nothing of what it costs may rise, and something is to fall
};

/// The preset that reaches for the goal, and the passes that it is made of.
llvm::StringRef presetOf(FusionGoal goal);
std::vector<std::string> passesOf(FusionGoal goal);

/// Times of two modules in microseconds: each the sum of the fastest readings of its dispatches.
struct TimedPair {
  double one = 0, other = 0;
  double noise = 0; ///< sum of the gaps between the two fastest readings of each dispatch that differs; a smaller
                    ///< difference is none
};

struct FuseAllOptions {
  FusionGoal goal = FusionGoal::All;
  /// What is wrong with what passes left; empty: nothing, or nobody can tell. Only asked of what pays.
  std::function<std::string(mlir::ModuleOp)> problemOf = [](mlir::ModuleOp) { return std::string(); };
  /// Asked before each pass; false ends it with a Failure.
  std::function<bool(llvm::StringRef pass)> proceed{};
  /// Told what pays so far, whenever that has become more: passes of the result, unless something better is found.
  std::function<void(llvm::ArrayRef<FusionStep> steps)> found{};
  /// How long two modules take, read by turns; where it is given, parts that make the module slower are taken back, and
  /// all of it, if that is slower than before (MeasuredFusion.h). Without it, what pays is predicted.
  std::function<llvm::Expected<TimedPair>(mlir::ModuleOp one, mlir::ModuleOp other)> measure{};
  DeviceRates rates{}; ///< what is predicted goes by them
  /// Plan for every layer. Without it, the plan for a few of many equal layers is carried out on all, where these then
  /// cost what was predicted; the result is the same.
  bool eachLayer = false;
};

/// Measured before the fusion, and of what is kept.
struct FusionTimes {
  double before = 0, after = 0; ///< microseconds
  double noise = 0;             ///< see TimedPair
  double predicted = 0;         ///< microseconds less, of what was found to pay; NaN where sizes are not known
};

/// What a part of the fusion gains: the program without it, less the program with all that is kept.
struct FusionPart {
  std::string pass;       ///< or the preset of the clean-up, for all of its steps in a row
  int64_t dispatches = 0; ///< that it saves, by prediction; negative: it adds some
  int64_t bytes = 0;      ///< through memory that it saves, by prediction; means nothing where `predicted` is NaN
  double gain = 0;        ///< microseconds, as measured; negative: it is slower with the part
  double noise = 0;       ///< a gain of less is none that was measured
  double predicted = 0;   ///< microseconds, by FuseAllOptions::rates; NaN where sizes are not known
  bool isKept = true;
};

struct FuseAllResult {
  mlir::OwningOpRef<mlir::ModuleOp> module{}; ///< as the steps leave it
  std::vector<FusionStep> steps{};            ///< passes that changed something, and stay; none: nothing pays
  std::vector<std::string> dropped{};         ///< parts that were taken back, with why
  FusionCost before{}, after{};
  /// Where the plan was made for a few of many equal layers: the module with these alone, before and after. Null: it
  /// was made for all, or parts of it were taken back since.
  mlir::OwningOpRef<mlir::ModuleOp> fewBefore{}, fewAfter{};
  std::optional<FusionTimes> times{}; ///< none: nothing was measured, or there is nothing to
  std::vector<FusionPart> parts{};    ///< measured, in the order of the steps; none where there is but one
};

} // namespace fuselage
