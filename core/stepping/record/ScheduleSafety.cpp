#include "core/stepping/record/ScheduleSafety.h"
#include "core/ir/Session.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace fuselage {

/// Passes, and pipelines with passes in them, that write files or run the tools of a GPU's toolkit. They may
/// stand in an option as well, as inner pipelines do.
static llvm::StringRef reachesOut(llvm::StringRef text) {
  for (llvm::StringRef name : {"snapshot-op-locations", "gpu-module-to-binary", "gpu-lower-to-nvvm-pipeline",
                               "gpu-lower-to-xevm-pipeline", "sparsifier"})
    if (text.contains(name))
      return name;
  return {};
}

llvm::Error refuseReachingOut(mlir::Operation *root) {
  llvm::Error error = llvm::Error::success();
  root->walk([&](mlir::transform::ApplyRegisteredPassOp op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << op.getPassName() << ' ' << op->getAttrDictionary();
    llvm::StringRef pass = reachesOut(text);
    if (pass.empty())
      return mlir::WalkResult::advance();
    SourcePosition position = positionOf(op.getLoc());
    error = fail("the schedule runs '" + pass.str() + "', which writes files or starts programs; a pipeline that you "
                 "type may do that, a script may not",
                 {{.message = "'" + pass.str() + "' does more than change IR",
                   .file = position.file,
                   .line = position.line,
                   .column = position.column,
                   .notes = {}}});
    return mlir::WalkResult::interrupt();
  });
  return error;
}

} // namespace fuselage
