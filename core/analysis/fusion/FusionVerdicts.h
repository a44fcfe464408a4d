// A verdict on every value that one op computes and another reads: fused, or why not.
#pragma once
#include "core/analysis/fusion/EdgeVerdict.h"

namespace fuselage {

/// Judges every function of a module. Where dispatches are formed, their borders stand; elsewhere they
/// are planned by the policy, and the clauses of the planner are asked. Linear in the number of edges,
/// but for the planner's bounded searches. Changes nothing.
std::vector<BodyVerdicts> judgeFusion(mlir::ModuleOp module, const FusionPolicy &policy,
                                      JudgedFor purpose = JudgedFor::Reasons);

/// Fills in EdgeVerdict::sharesLoops: tries whether the ops of an edge can share a loop nest. Pairs that
/// look alike are tried once; beyond a thousand different ones, the rest is left unknown.
void tryToShareLoops(llvm::MutableArrayRef<BodyVerdicts> bodies);

} // namespace fuselage
