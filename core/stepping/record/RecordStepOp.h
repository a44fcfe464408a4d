// A transform op that reports back between the ops of a schedule. Internal to core/stepping.
#pragma once
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"
#include <functional>

namespace fuselage {

/// What the interpreter's state carries for RecordStepOp: whom to call.
class StepListener : public mlir::transform::TransformState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepListener)
  using Callback = std::function<mlir::LogicalResult(unsigned index)>;
  StepListener(mlir::transform::TransformState &state, Callback callback)
      : Extension(state), callback(std::move(callback)) {}
  Callback callback;
};

/// `transform.fuselage.record_step {index = i}`: calls the StepListener, and stops the schedule if
/// that fails. Put in front of each recorded op and at the end; never seen by users.
class RecordStepOp
    : public mlir::Op<RecordStepOp, mlir::OpTrait::ZeroRegions, mlir::OpTrait::ZeroResults,
                      mlir::OpTrait::ZeroSuccessors, mlir::OpTrait::ZeroOperands,
                      mlir::transform::TransformOpInterface::Trait,
                      mlir::MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RecordStepOp)
  using Op::Op;
  static llvm::StringRef getOperationName() { return "transform.fuselage.record_step"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() {
    static llvm::StringRef names[] = {"index"};
    return names;
  }
  static void build(mlir::OpBuilder &builder, mlir::OperationState &state, unsigned index);
  static RecordStepOp create(mlir::OpBuilder &builder, mlir::Location location, unsigned index);
  mlir::DiagnosedSilenceableFailure apply(mlir::transform::TransformRewriter &rewriter,
                                          mlir::transform::TransformResults &results,
                                          mlir::transform::TransformState &state);
  /// Touches no handle and leaves the payload alone.
  void getEffects(llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &) {}
};

/// Adds the op to the context's transform dialect; harmless when repeated.
void registerRecordStepOp(mlir::MLIRContext &context);

} // namespace fuselage
