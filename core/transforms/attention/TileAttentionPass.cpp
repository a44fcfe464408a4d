#include "core/dialects/flow/Flow.h"
#include "core/transforms/attention/Passes.h"
#include "core/transforms/attention/TileAttention.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_TILEATTENTIONPASS
#include "core/transforms/attention/Passes.h.inc"
} // namespace fuselage

namespace fuselage {
namespace {

struct TileAttentionPass : impl::TileAttentionPassBase<TileAttentionPass> {
  void runOnOperation() override { tileAttention(getOperation()); }
};

} // namespace
} // namespace fuselage
