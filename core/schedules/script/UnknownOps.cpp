#include "core/schedules/script/UnknownOps.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

namespace fuselage {

bool walksThrough(mlir::Operation *op) {
  return mlir::isa<mlir::transform::NamedSequenceOp, mlir::transform::SequenceOp, mlir::transform::ForeachOp,
                   mlir::transform::AlternativesOp, mlir::transform::tune::AlternativesOp>(op);
}

void stopAtUnknown(mlir::Operation *script) {
  llvm::SetVector<mlir::Operation *> before;
  script->walk([&](mlir::Operation *op) {
    mlir::Operation *around = op->getParentOp();
    if (!around || op->hasTrait<mlir::OpTrait::IsTerminator>())
      return;
    if (walksThrough(around) && !mlir::isa<mlir::transform::TransformOpInterface>(op))
      before.insert(op);
    if (mlir::isa<mlir::transform::ApplyPatternsOp>(around) &&
        !mlir::isa<mlir::transform::PatternDescriptorOpInterface>(op))
      before.insert(around);
    if (mlir::isa<mlir::transform::ApplyConversionPatternsOp>(around) &&
        !mlir::isa<mlir::transform::ConversionPatternDescriptorOpInterface,
                   mlir::transform::TypeConverterBuilderOpInterface>(op))
      before.insert(around);
  });
  for (mlir::Operation *op : before) {
    if (mlir::isa_and_nonnull<mlir::transform::StopOp>(op->getPrevNode()))
      continue;
    std::string reason = "the schedule ends here: MLIR has no '" + displayName(op) + "'";
    if (mlir::RegisteredOperationName::lookup(displayName(op), op->getContext())) // it was read by the universal parser
      reason = "the schedule ends here: MLIR does not know what is in this '" + displayName(op) + "'";
    mlir::OpBuilder builder(op);
    mlir::transform::StopOp::create(builder, op->getLoc(), reason);
  }
}

} // namespace fuselage
