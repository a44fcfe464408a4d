// What a module takes on a device: by it, fusions are measured.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/Session.h"
#include "core/runtime/run/Run.h"
#include "core/support/Error.h"

namespace fuselage {

/// The median times of all launches of a function together, in microseconds. All of it is dispatched, as by
/// the policy. Failure: as runModule, or a result is wrong there.
llvm::Expected<double> launchTime(Session &session, mlir::ModuleOp module, RunOptions options,
                                  const FusionPolicy &policy);

} // namespace fuselage
