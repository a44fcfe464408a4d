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

static llvm::Error refuseAnyParam(mlir::Operation *op, mlir::TypeRange types) {
  if (llvm::none_of(types, llvm::IsaPred<mlir::transform::AnyParamType>))
    return llvm::Error::success();
  return refusal(op, "'" + op->getName().getStringRef().str() + "' with a size of type !transform.any_param crashes LLVM 22; "
                     "give the size the type !transform.param<i64>, one value for each target",
                 "a size of type !transform.any_param crashes this op; make it !transform.param<i64>");
}

llvm::Error refuseDeadly(mlir::Operation *root) {
  llvm::Error error = llvm::Error::success();
  root->walk([&](mlir::Operation *op) {
    if (auto tile = mlir::dyn_cast<mlir::transform::TileUsingForOp>(op))
      error = refuseAnyParam(op, tile.getDynamicSizes().getTypes());
    else if (mlir::isa<mlir::transform::MultiTileSizesOp>(op))
      error = refuseAnyParam(op, op->getResultTypes());
    return error ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return error;
}

/// How many ops, values or attributes the handle is mapped to.
static size_t sizeOf(mlir::Value handle, const mlir::transform::TransformState &state) {
  if (mlir::isa<mlir::transform::TransformHandleTypeInterface>(handle.getType()))
    return llvm::range_size(state.getPayloadOps(handle));
  if (mlir::isa<mlir::transform::TransformValueHandleTypeInterface>(handle.getType()))
    return llvm::range_size(state.getPayloadValues(handle));
  return state.getParams(handle).size();
}

std::string deadlyNow(mlir::transform::TransformOpInterface op, const mlir::transform::TransformState &state) {
  auto split = mlir::dyn_cast<mlir::transform::SplitHandleOp>(op.getOperation());
  if (!split || !split.getOverflowResult())
    return "";
  size_t size = sizeOf(split.getHandle(), state);
  bool isRefused = split.getFailOnPayloadTooSmall() && (size > 0 || !split.getPassThroughEmptyHandle());
  if (size >= split.getNumResults() || isRefused)
    return "";
  return "the handle holds " + std::to_string(size) + " of " + std::to_string(split.getNumResults()) +
         ", and LLVM 22 crashes where overflow_result is given then; leave overflow_result out";
}

} // namespace fuselage
