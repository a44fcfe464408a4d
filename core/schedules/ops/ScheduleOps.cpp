#include "core/schedules/ops/ScheduleOps.h"
#include "core/dialects/flow/Flow.h"
#include "core/schedules/forms/FormSet.h"
#include "core/schedules/forms/OnlyLoop.h"
#include "core/schedules/ops/FormDialect.h"
#include "core/schedules/ops/FormFailure.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GET_OP_CLASSES
#include "core/schedules/ops/ScheduleOps.cpp.inc"
#pragma GCC diagnostic pop

using namespace mlir;
using namespace mlir::transform;

namespace fuselage {
namespace {

class ScheduleExtension : public TransformDialectExtension<ScheduleExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScheduleExtension)
  using Base::Base;
  void init() {
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<bufferization::BufferizationDialect>();
    declareGeneratedDialect<flow::FlowDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "core/schedules/ops/ScheduleOps.cpp.inc"
        >();
  }
};

/// Why the nest of `outer` and `inner` cannot be exchanged; empty if it can.
std::string obstacle(scf::ForOp outer, scf::ForOp inner) {
  if (!inner)
    return "the loop does not hold exactly one loop";
  if (!outer.getInitArgs().empty() || !inner.getInitArgs().empty())
    return "the loops carry values from iteration to iteration";
  if (llvm::range_size(outer.getBody()->without_terminator()) != 1)
    return "the nest is not perfect: something stands beside the inner loop; PerfectForNestForm is what is expected";
  for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
    if (bound == outer.getInductionVar() || outer->isProperAncestor(bound.getParentBlock()->getParentOp()))
      return "the inner loop's bounds depend on the outer loop";
  return "";
}

} // namespace

void registerScheduleOps(DialectRegistry &registry) {
  registry.insert<FormDialect>();
  registry.addExtensions<ScheduleExtension>();
}

} // namespace fuselage

void PositionOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {} // no handle, no payload
void StopOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}

DiagnosedSilenceableFailure InterchangeLoopsOp::applyToOne(TransformRewriter &rewriter, Operation *target,
                                                           ApplyToEachResultList &results, TransformState &) {
  auto outer = dyn_cast<scf::ForOp>(target);
  scf::ForOp inner = outer ? fuselage::onlyIn<scf::ForOp>(*outer.getBody()) : scf::ForOp();
  std::string obstacle = outer ? fuselage::obstacle(outer, inner) : "the target is no scf.for";
  if (!obstacle.empty()) {
    auto failure = emitSilenceableError() << obstacle;
    failure.attachNote(target->getLoc()) << "the outer loop";
    return failure;
  }
  rewriter.setInsertionPoint(outer);
  auto newOuter =
      scf::ForOp::create(rewriter, inner.getLoc(), inner.getLowerBound(), inner.getUpperBound(), inner.getStep());
  rewriter.setInsertionPointToStart(newOuter.getBody());
  auto newInner =
      scf::ForOp::create(rewriter, outer.getLoc(), outer.getLowerBound(), outer.getUpperBound(), outer.getStep());
  rewriter.eraseOp(newInner.getBody()->getTerminator());
  newOuter.getInductionVar().setLoc(inner.getInductionVar().getLoc());
  newInner.getInductionVar().setLoc(outer.getInductionVar().getLoc());
  Value outerVariable = outer.getInductionVar();
  rewriter.mergeBlocks(inner.getBody(), newInner.getBody(), newOuter.getInductionVar());
  rewriter.replaceAllUsesWith(outerVariable, newInner.getInductionVar());
  rewriter.eraseOp(outer);
  results.push_back(newOuter);
  results.push_back(newInner);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure CheckFormOp::applyToOne(TransformRewriter &, Operation *target, ApplyToEachResultList &,
                                                    TransformState &) {
  const fuselage::NormalForm *form = fuselage::findForm(getForm());
  fuselage::FormSet declared;
  if (auto script = (*this)->getParentOfType<ModuleOp>(); script && !form) {
    auto forms = fuselage::FormSet::declaredIn(script);
    if (!forms)
      return emitDefiniteFailure() << fuselage::takeFailure(forms.takeError()).message;
    declared = *forms;
    form = declared.find(getForm());
  }
  if (!form)
    return emitDefiniteFailure() << "there is no form '" << getForm() << "'; there are " << declared.names();
  return fuselage::checkFunctions(target, getLoc(), form->name,
                                  [&](FunctionOpInterface function, std::vector<fuselage::FormBreach> &breaches) {
                                    llvm::append_range(breaches, fuselage::checkForm(*form, function));
                                  });
}

void CheckFormOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  onlyReadsPayload(effects);
}
