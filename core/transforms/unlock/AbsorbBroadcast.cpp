#include "core/transforms/unlock/AbsorbMoves.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_ABSORBBROADCASTPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct AbsorbBroadcastPass : impl::AbsorbBroadcastPassBase<AbsorbBroadcastPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    absorbInputMoves(rewriter, getOperation(), MoveKind::Broadcast);
  }
};

} // namespace
} // namespace fuselage
