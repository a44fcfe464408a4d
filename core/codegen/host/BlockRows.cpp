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
  void runOnOperation() override { blockRows(getOperation(), HostTarget::of(getOperation())); }
};

} // namespace
} // namespace fuselage
