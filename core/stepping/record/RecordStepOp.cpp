#include "core/stepping/record/RecordStepOp.h"

namespace fuselage {
namespace {

class RecordStepExtension
    : public mlir::transform::TransformDialectExtension<RecordStepExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RecordStepExtension)
  using Base::Base;
  void init() { registerTransformOps<RecordStepOp>(); }
};

} // namespace

void RecordStepOp::build(mlir::OpBuilder &builder, mlir::OperationState &state, unsigned index) {
  state.addAttribute("index", builder.getI64IntegerAttr(index));
}

RecordStepOp RecordStepOp::create(mlir::OpBuilder &builder, mlir::Location location,
                                  unsigned index) {
  mlir::OperationState state(location, getOperationName());
  build(builder, state, index);
  return mlir::cast<RecordStepOp>(builder.create(state));
}

mlir::DiagnosedSilenceableFailure RecordStepOp::apply(mlir::transform::TransformRewriter &,
                                                      mlir::transform::TransformResults &,
                                                      mlir::transform::TransformState &state) {
  auto *listener = state.getExtension<StepListener>();
  auto index = (*this)->getAttrOfType<mlir::IntegerAttr>("index");
  if (listener && index && mlir::failed(listener->callback(index.getInt())))
    return mlir::DiagnosedSilenceableFailure::definiteFailure();
  return mlir::DiagnosedSilenceableFailure::success();
}

void registerRecordStepOp(mlir::MLIRContext &context) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::transform::TransformDialect>();
  registry.addExtensions<RecordStepExtension>();
  context.appendDialectRegistry(registry);
  context.getOrLoadDialect<mlir::transform::TransformDialect>();
}

} // namespace fuselage
