// Makes a bundle of a module's dispatches for fuselage-launch.
#pragma once
#include "core/bundle/Manifest.h"
#include "core/device/TargetOptions.h"
#include "core/ir/Session.h"
#include "core/run/RunOptions.h"
#include "core/support/Error.h"

namespace fuselage {

struct BundleOptions {
  TargetOptions target;   ///< what kernels are for
  std::string targetName; ///< of it, for people: "NVIDIA H100"
  std::string source;     ///< the file, for people; its checksum, if it can be read, goes with the bundle
  std::string folder;     ///< where the bundle goes
};

/// Runs the module on the host, which gives each dispatch its inputs and its expected results, compiles the dispatches
/// for the target, which need not be here, and writes the bundle. A dispatch that cannot be compiled is left out, which
/// the manifest says. `run` says how inputs are made; its device plays no part. Failure: as of runModule(), no dispatch
/// can be compiled, or the folder cannot be written.
llvm::Expected<bundle::Manifest> bundleModule(Session &session, mlir::ModuleOp module, RunOptions run,
                                              const BundleOptions &options);

} // namespace fuselage
