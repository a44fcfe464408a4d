// The place behind the last op of a block of a schedule, as an op.
#pragma once
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

namespace fuselage {

/// `transform.fuselage.position`: does nothing. The interpreter does not visit terminators, so that one of these in
/// front of each is where an observer sees what a block's last op left. Never seen by users.
class PositionOp
    : public mlir::Op<PositionOp, mlir::OpTrait::ZeroRegions, mlir::OpTrait::ZeroResults, mlir::OpTrait::ZeroSuccessors,
                      mlir::OpTrait::ZeroOperands, mlir::transform::TransformOpInterface::Trait,
                      mlir::MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PositionOp)
  using Op::Op;
  static llvm::StringRef getOperationName() { return "transform.fuselage.position"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  static PositionOp create(mlir::OpBuilder &builder, mlir::Location location);
  mlir::DiagnosedSilenceableFailure apply(mlir::transform::TransformRewriter &, mlir::transform::TransformResults &,
                                          mlir::transform::TransformState &) {
    return mlir::DiagnosedSilenceableFailure::success();
  }
  /// Touches no handle and leaves the payload alone.
  void getEffects(llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &) {}
};

/// Adds the op to the context's transform dialect; harmless when repeated.
void registerPositionOp(mlir::MLIRContext &context);

} // namespace fuselage
