// Runs a module's dispatches on a device and checks them against the host.
#pragma once
#include "core/ir/Session.h"
#include "core/run/RunOptions.h"
#include "core/run/values/RunReport.h"
#include "core/support/Error.h"
#include <map>

namespace fuselage {

/// Forms dispatches of all ops in a copy of `module` that belong to none yet, compiles, runs, checks.
/// A dynamic shape without a size gets one (defaultSizes), with a remark; where none can be chosen it is a Failure that
/// names the sizes to give. A dispatch that cannot
/// be compiled for the device runs on the host, with a remark that says why. A result that is off
/// is no Failure: `verdict` says so. Failure also: no such device or function, a lost or hanging device,
/// a lack of memory, a cancel (the message begins with "cancelled"). With RunOptions::keepsFinished, a cancel after the
/// first dispatch gives the rows that have finished, with `cancelled`; those that were not compared yet are Unchecked.
llvm::Expected<RunReport> runModule(Session &session, mlir::ModuleOp module, const RunOptions &options);

/// The names of the layers of a program.
struct RunLayers {
  /// By the place of a dispatch's root op; of several dispatches from one place in program order (layersOfDispatches).
  std::map<std::string, std::vector<std::string>> ofDispatches{};
  std::map<std::string, std::string> ofPlaces{}; ///< of ops (layersOfPlaces)
};

/// Says of rows which layer they lie in.
void nameLayers(RunReport &report, const RunLayers &names);

/// A row as clients see it, in no group.
message::Kernel<> messageOf(const KernelReport &kernel);

/// The run as clients see it, with its groups.
message::RunReport<> messageOf(const RunReport &report);

} // namespace fuselage
