// What a fusion is worth on a device.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/Session.h"
#include "core/runtime/HostCheck.h"
#include "core/support/Error.h"

namespace fuselage::cli {

/// The median times of all launches of a function together, in microseconds. All of it is dispatched, as by
/// the policy. Failure: as runModule, or a result is wrong there.
llvm::Expected<double> measureModule(Session &session, mlir::ModuleOp module, const std::string &device,
                                     const HostCheckOptions &host, const FusionPolicy &policy);

} // namespace fuselage::cli
