#include "core/schedules/trace/PositionOp.h"

namespace fuselage {
namespace {

class PositionExtension : public mlir::transform::TransformDialectExtension<PositionExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PositionExtension)
  using Base::Base;
  void init() { registerTransformOps<PositionOp>(); }
};

} // namespace

PositionOp PositionOp::create(mlir::OpBuilder &builder, mlir::Location location) {
  mlir::OperationState state(location, getOperationName());
  return mlir::cast<PositionOp>(builder.create(state));
}

void registerPositionOp(mlir::MLIRContext &context) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::transform::TransformDialect>();
  registry.addExtensions<PositionExtension>();
  context.appendDialectRegistry(registry);
  context.getOrLoadDialect<mlir::transform::TransformDialect>();
}

} // namespace fuselage
