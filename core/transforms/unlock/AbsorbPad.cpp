#include "core/transforms/unlock/ElementReader.h"
#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/ReshapePropagation.h"

namespace fuselage {
#define GEN_PASS_DEF_ABSORBPADPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Whether the value is a padded tensor, seen through reshapes of unit dimensions.
bool isPadded(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) && isUnitReshape(op))
    op = op->getOperand(0).getDefiningOp();
  return op && isScalarPad(op);
}

/// Whether single elements of the value are better made where they are read.
bool isReadByElement(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return isPadded(value) || (op && !isCheapProducer(op) && ElementReader::isReadHere(op));
}

struct AbsorbPadPass : impl::AbsorbPadPassBase<AbsorbPadPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    DeadOpEraser eraser(getOperation());
    for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation())) {
      SmallVector<tensor::ExtractOp> extracts;
      op.getBlock()->walk([&](tensor::ExtractOp extract) {
        if (isReadByElement(extract.getTensor()))
          extracts.push_back(extract);
      });
      for (tensor::ExtractOp extract : extracts) {
        rewriter.setInsertionPoint(extract);
        SmallVector<Value> indices(extract.getIndices());
        rewriter.replaceOp(extract, ElementReader(rewriter, extract.getLoc()).read(extract.getTensor(), indices));
      }
    }
    eraser.erase(rewriter);
  }
};

} // namespace
} // namespace fuselage
