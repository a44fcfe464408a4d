#include "core/schedules/script/ScriptSafety.h"
#include "core/ir/Session.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace fuselage {

llvm::StringRef reachesOut(llvm::StringRef text) {
  for (llvm::StringRef name : {"snapshot-op-locations", "gpu-module-to-binary", "gpu-lower-to-nvvm-pipeline",
                               "gpu-lower-to-xevm-pipeline", "sparsifier"})
    if (text.contains(name))
      return name;
  return {};
}

/// The Failure `sentence`, with `message` at the op.
static llvm::Error refusal(mlir::Operation *op, std::string sentence, std::string message) {
  SourcePosition position = positionOf(op->getLoc());
  return fail(std::move(sentence), {{.message = std::move(message),
                                     .file = position.file,
                                     .line = position.line,
                                     .column = position.column,
                                     .notes = {}}});
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
    error = refusal(op, "the schedule runs '" + pass.str() + "', which writes files or starts programs; a pipeline that "
                        "you type may do that, a script may not",
                    "'" + pass.str() + "' does more than change IR");
    return mlir::WalkResult::interrupt();
  });
  return error;
}

llvm::Error refuseDeadly(mlir::Operation *root) {
  llvm::Error error = llvm::Error::success();
  root->walk([&](mlir::transform::TileUsingForOp op) {
    for (mlir::Value size : op.getDynamicSizes()) {
      if (!mlir::isa<mlir::transform::AnyParamType>(size.getType()))
        continue;
      error = refusal(op, "'transform.structured.tile_using_for' with a size of type !transform.any_param crashes LLVM 22; "
                          "give the size the type !transform.param<i64>, one value for each target",
                      "a size of type !transform.any_param crashes this op; make it !transform.param<i64>");
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return error;
}

} // namespace fuselage
