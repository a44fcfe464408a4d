// A schedule comes with a file, and a file is somebody else's.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace fuselage {

/// The name in `text` of a pass, or of a pipeline with such a pass in it, that writes files, reads further scripts or
/// runs the tools of a GPU's toolkit; empty: there is none. It may stand in an option as well, as inner pipelines do.
llvm::StringRef reachesOut(llvm::StringRef text);

/// A Failure, with the op, if a transform script under `root` would run a pass that does more than change
/// IR: that writes files, starts programs or reads further scripts. Who types such a pass into a pipeline has asked for
/// it; who opens a file has not. What parameters hold is seen where they are constants; refusedNow() sees the others.
llvm::Error refuseReachingOut(mlir::Operation *root);

/// A Failure, with the op and the way out, if a script holds what is known to crash LLVM 22's interpreter.
llvm::Error refuseDeadly(mlir::Operation *root);

/// Whether the op is a pass that runs a schedule in a state of its own, which nobody watches.
bool runsInterpreter(mlir::Operation *op);

/// Why an op that is about to run may not, by what its handles and parameters hold: it would crash, or do more than
/// change IR. Empty: it may run.
std::string refusedNow(mlir::transform::TransformOpInterface op, const mlir::transform::TransformState &state);

} // namespace fuselage
