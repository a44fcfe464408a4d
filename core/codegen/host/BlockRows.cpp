#include "core/codegen/host/Passes.h"
#include "core/codegen/host/tensors/RowBlocks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTBLOCKROWSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct BlockRows : impl::HostBlockRowsPassBase<BlockRows> {
  using HostBlockRowsPassBase::HostBlockRowsPassBase;

  void runOnOperation() override {
    HostTarget target = HostTarget::ofThisMachine();
    target.set({.threads = threads, .level1Bytes = level1Bytes, .level2Bytes = level2Bytes});
    blockRows(getOperation(), target);
  }
};

} // namespace
} // namespace fuselage
