#include "core/schedules/script/ScriptSafety.h"
#include "core/ir/Session.h"
#include "core/transforms/composites/UpstreamComposites.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace fuselage {

llvm::StringRef reachesOut(llvm::StringRef text) {
  for (llvm::StringRef name : {"snapshot-op-locations", "gpu-module-to-binary", "gpu-lower-to-nvvm-pipeline",
                               "gpu-lower-to-xevm-pipeline", "sparsifier", "transform-preload-library"})
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

/// What the pass is called with, as far as the script itself says it.
static std::string passText(mlir::transform::ApplyRegisteredPassOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op.getPassName() << ' ' << op->getAttrDictionary();
  for (mlir::Value option : op.getDynamicOptions())
    if (auto constant = option.getDefiningOp<mlir::transform::ParamConstantOp>())
      os << ' ' << constant.getValue();
  return text;
}

static std::string reachingOutWords(llvm::StringRef pass) {
  return "the schedule runs '" + pass.str() +
         "', which writes files, starts programs or reads further scripts; a pipeline that you "
         "type may do that, a script may not";
}

bool runsInterpreter(mlir::Operation *op) {
  auto pass = mlir::dyn_cast<mlir::transform::ApplyRegisteredPassOp>(op);
  return pass && llvm::StringRef(passText(pass)).contains("transform-interpreter");
}

llvm::Error refuseReachingOut(mlir::Operation *root) {
  // Normalizers of declared forms also run where nobody watches what their parameters come to.
  bool isUnwatched =
      root->walk([](mlir::transform::NamedSequenceOp sequence) {
            return sequence->hasAttr("fuselage.form") ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
          })
          .wasInterrupted();
  llvm::Error error = llvm::Error::success();
  root->walk([&](mlir::transform::ApplyRegisteredPassOp op) {
    std::string text = passText(op);
    llvm::StringRef pass = reachesOut(text);
    if (!pass.empty())
      error = refusal(op, reachingOutWords(pass), "'" + pass.str() + "' does more than change IR");
    else if (isUnwatched && (!op.getDynamicOptions().empty() || runsInterpreter(op)))
      error = refusal(
          op,
          "a module that declares normal forms runs passes with options that it spells out, and starts no interpreter",
          "what this comes to is known when it runs only");
    return error ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return error;
}

/// What a pass is about to do beyond changing IR, by options that are parameters or by the script that it finds in the
/// payload; empty: nothing.
static std::string reachesOutNow(mlir::transform::ApplyRegisteredPassOp op,
                                 const mlir::transform::TransformState &state) {
  std::string text = passText(op);
  llvm::raw_string_ostream os(text);
  for (mlir::Value option : op.getDynamicOptions())
    for (mlir::Attribute value : state.getParams(option))
      os << ' ' << value;
  if (llvm::StringRef pass = reachesOut(text); !pass.empty())
    return reachingOutWords(pass);
  if (!llvm::StringRef(text).contains("transform-interpreter"))
    return "";
  for (mlir::Operation *target : state.getPayloadOps(op.getTarget())) {
    while (target->getParentOp())
      target = target->getParentOp();
    if (llvm::Error error = refuseReachingOut(target))
      return "the payload's own script: " + takeFailure(std::move(error)).message;
  }
  return "";
}

static llvm::Error refuseAnyParam(mlir::Operation *op, mlir::TypeRange types) {
  if (llvm::none_of(types, llvm::IsaPred<mlir::transform::AnyParamType>))
    return llvm::Error::success();
  return refusal(op,
                 "'" + op->getName().getStringRef().str() +
                     "' with a size of type !transform.any_param crashes LLVM 22; "
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

/// Why the op makes no loop, on which LLVM 22 crashes; empty: it makes one.
static std::string tilesNothing(mlir::transform::TileUsingForallOp op, const mlir::transform::TransformState &state) {
  llvm::SmallVector<mlir::OpFoldResult> sizes = op.getMixedTileSizes();
  if (sizes.empty()) // they are of threads, or packed in a handle
    return "";
  auto isZero = [&](mlir::OpFoldResult size) {
    auto value = llvm::dyn_cast<mlir::Value>(size);
    if (!value)
      return mlir::isConstantIntValue(size, 0);
    return mlir::isa<mlir::transform::TransformParamTypeInterface>(value.getType()) &&
           llvm::all_of(state.getParams(value),
                        [](mlir::Attribute number) { return mlir::isConstantIntValue(number, 0); });
  };
  for (mlir::Operation *target : state.getPayloadOps(op.getTarget())) {
    auto tileable = mlir::dyn_cast<mlir::TilingInterface>(target);
    size_t loops = tileable ? tileable.getLoopIteratorTypes().size() : sizes.size();
    if (!tileable || !llvm::all_of(llvm::ArrayRef(sizes).take_front(loops), isZero))
      continue;
    std::string place = formatPosition(positionOf(target->getLoc()));
    return "'" + target->getName().getStringRef().str() + "'" + (place.empty() ? "" : " (" + place + ")") +
           (loops == 0 ? " has no loop that could be tiled" : " has no loop whose tile size is other than 0") +
           ", and LLVM 22 crashes then";
  }
  return "";
}

/// Why upstream would crash on a name for the op; empty: it would not.
static std::string cannotBeNamed(mlir::transform::SpecializeOp op, const mlir::transform::TransformState &state) {
  for (mlir::Operation *target : state.getPayloadOps(op.getTarget())) {
    auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(target);
    if (generic && !canBeNamed(generic))
      return "the linalg.generic (" + formatPosition(positionOf(target->getLoc())) +
             ") has elements of a type that no named op has, and LLVM 22 crashes then";
  }
  return "";
}

/// Why upstream would make no sense of what the handle is mapped to; empty: it would.
static std::string cannotBeDecomposed(mlir::Value handle, const mlir::transform::TransformState &state) {
  for (mlir::Operation *target : state.getPayloadOps(handle))
    if (std::string why = whyNotDecomposed(target); !why.empty())
      return "'" + target->getName().getStringRef().str() + "' (" + formatPosition(positionOf(target)) +
             ") cannot be decomposed: it " + why;
  return "";
}

std::string refusedNow(mlir::transform::TransformOpInterface op, const mlir::transform::TransformState &state) {
  if (auto tile = mlir::dyn_cast<mlir::transform::TileUsingForallOp>(op.getOperation()))
    return tilesNothing(tile, state);
  if (auto specialize = mlir::dyn_cast<mlir::transform::SpecializeOp>(op.getOperation()))
    return cannotBeNamed(specialize, state);
  if (mlir::isa<mlir::transform::DecomposeWinogradOp, mlir::transform::DecomposeInterfaceOp>(op.getOperation()))
    return cannotBeDecomposed(op->getOperand(0), state);
  if (auto pass = mlir::dyn_cast<mlir::transform::ApplyRegisteredPassOp>(op.getOperation()))
    return reachesOutNow(pass, state);
  if (auto rewrite = mlir::dyn_cast<mlir::transform::RewriteInDestinationPassingStyleOp>(op.getOperation()))
    for (mlir::Operation *target : state.getPayloadOps(rewrite.getTarget()))
      if (!mlir::isa<mlir::tensor::FromElementsOp, mlir::tensor::GenerateOp, mlir::tensor::PadOp>(target))
        return "it takes tensor.from_elements, tensor.generate and tensor.pad, not '" +
               target->getName().getStringRef().str() + "', at which LLVM 22 crashes";
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
