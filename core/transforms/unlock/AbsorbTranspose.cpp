#include "core/transforms/unlock/AbsorbMoves.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_ABSORBTRANSPOSEPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct AbsorbTransposePass : impl::AbsorbTransposePassBase<AbsorbTransposePass> {
  using AbsorbTransposePassBase::AbsorbTransposePassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    if (inputs)
      absorbInputMoves(rewriter, getOperation(), MoveKind::Transpose);
    if (outputs)
      absorbOutputTransposes(rewriter, getOperation());
  }
};

} // namespace
} // namespace fuselage
