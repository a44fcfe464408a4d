// The report on a module whatever state its dispatches are in.
#pragma once
#include "core/analysis/fusion/FusionReport.h"
#include "core/analysis/fusion/UnlockProofs.h"
#include <functional>

namespace fuselage {

/// judgeFusion, proveUnlocks and reportFusion in one. Where some dispatches of a function are formed and other ops
/// stand beside them, the rest is formed by the policy in a copy, so that those ops are judged as the planner would
/// treat them; ids and places are those of `module`. Changes nothing. `plans`, if given, gets what was planned on the
/// way. `meanwhile`, if given, is called by another thread while the edges of a large module are judged: it may read
/// the module (see SharedContext). It is not called where that would gain nothing.
llvm::Expected<FusionReport> explainFusion(mlir::ModuleOp module, const FusionPolicy &policy, double gbps,
                                           UnlockProofOptions proofs = {}, DispatchPlans *plans = nullptr,
                                           const std::function<void()> &meanwhile = nullptr);

} // namespace fuselage
