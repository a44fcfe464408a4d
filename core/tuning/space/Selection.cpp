#include "core/tuning/space/Selection.h"
#include "core/schedules/script/Knobs.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Builders.h"

namespace fuselage::tune {

std::optional<Point> selectedPoint(const Space &space) {
  Point point;
  for (const Knob &knob : space.knobs) {
    if (!knob.selected)
      return std::nullopt;
    point.push_back(*knob.selected);
  }
  return point;
}

llvm::Error select(Script &script, const Space &space, llvm::ArrayRef<int64_t> point) {
  std::map<std::string, std::string> values;
  for (auto [knob, value] : llvm::zip_equal(space.knobs, point))
    values[knob.name] = knob.textOf(value);
  return setKnobs(script, values);
}

/// Whether nothing is left open, and there is something to resolve.
static bool isReady(mlir::ModuleOp script) {
  bool asks = false, isOpen = false;
  script.walk([&](mlir::Operation *op) {
    asks |= mlir::isa<mlir::transform::smt::ConstrainParamsOp>(op);
    if (auto knob = mlir::dyn_cast<mlir::transform::tune::KnobOp>(op))
      isOpen |= !knob.getSelectedAttr();
    if (auto choice = mlir::dyn_cast<mlir::transform::tune::AlternativesOp>(op))
      isOpen |= !choice.getSelectedRegionAttrAttr() && !choice.getSelectedRegionParam();
  });
  return asks && !isOpen;
}

/// Puts constants in the place of what `op` gives.
static llvm::Error replace(Script &script, mlir::Operation *op, llvm::ArrayRef<Expression> results,
                           llvm::ArrayRef<int64_t> point) {
  mlir::OpBuilder builder(op);
  for (auto [result, expression] : llvm::zip_equal(op->getResults(), results)) {
    std::optional<int64_t> value = expression.evaluate(point);
    if (!value)
      return fail("line " + std::to_string(positionOf(op->getLoc()).line) + " of '" + script.path +
                  "': the constraints give no number of 64 bits");
    mlir::Type type = builder.getI64Type();
    if (auto param = mlir::dyn_cast<mlir::transform::ParamType>(result.getType()))
      type = param.getType();
    if (!mlir::isa<mlir::IntegerType, mlir::IndexType>(type))
      return fail("line " + std::to_string(positionOf(op->getLoc()).line) + " of '" + script.path +
                  "': the constraints give a number, not a " + "parameter of another type");
    mlir::Attribute number = builder.getIntegerAttr(type, *value);
    auto constant = mlir::transform::ParamConstantOp::create(builder, op->getLoc(), result.getType(), number);
    if (auto known = script.numbers.find(op); known != script.numbers.end())
      script.numbers[constant] = unsigned(known->second);
    result.replaceAllUsesWith(constant.getResult());
  }
  op->walk([&](mlir::Operation *inner) { script.numbers.erase(inner); });
  op->erase();
  return llvm::Error::success();
}

llvm::Error resolveConstraints(Script &script) {
  if (!isReady(*script.module))
    return llvm::Error::success();
  auto read = readSpace(*script.module, {.sizeNamed = {}, .selectedOnly = true});
  if (!read)
    return read.takeError();
  std::optional<Point> point = selectedPoint(read->space);
  if (!point)
    return llvm::Error::success();
  for (const Condition &condition : read->space.conditions)
    if (!condition.holds.holds(*point)) {
      std::string values;
      for (unsigned knob : condition.knobs)
        values += (values.empty() ? "" : ", ") + read->space.knobs[knob].name + " is " +
                  read->space.knobs[knob].textOf((*point)[knob]);
      return fail("the schedule's knobs do not fit together",
                  {{.severity = Diagnostic::Severity::Error,
                    .message = "this asks that " + condition.text + ", and " + values,
                    .file = condition.place.file,
                    .line = condition.place.line,
                    .column = condition.place.column}});
    }
  for (auto &[op, results] : read->results)
    if (llvm::Error error = replace(script, op, results, *point))
      return error;
  return llvm::Error::success();
}

} // namespace fuselage::tune
