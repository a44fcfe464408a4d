// A schedule comes with a file, and a file is somebody else's.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace fuselage {

/// The name in `text` of a pass, or of a pipeline with such a pass in it, that writes files or runs the tools of a GPU's
/// toolkit; empty: there is none. It may stand in an option as well, as inner pipelines do.
llvm::StringRef reachesOut(llvm::StringRef text);

/// A Failure, with the op, if a transform script under `root` would run a pass that does more than change
/// IR: that writes files or starts programs. Who types such a pass into a pipeline has asked for it; who
/// opens a file has not.
llvm::Error refuseReachingOut(mlir::Operation *root);

/// A Failure, with the op and the way out, if a script holds what is known to crash LLVM 22's interpreter.
llvm::Error refuseDeadly(mlir::Operation *root);

/// The same of an op that is about to run, where it takes what its handles hold to crash; empty: it may run.
std::string deadlyNow(mlir::transform::TransformOpInterface op, const mlir::transform::TransformState &state);

} // namespace fuselage
