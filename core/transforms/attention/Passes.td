// Attention in one dispatch. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_ATTENTION_PASSES
#define FUSELAGE_TRANSFORMS_ATTENTION_PASSES

include "mlir/Pass/PassBase.td"

def FuseAttentionPass : InterfacePass<"fuselage-fuse-attention", "mlir::FunctionOpInterface"> {
  let summary = "Compute attention in one dispatch that never stores the scores";
  let description = [{
    Finds a product of queries and keys, any elementwise ops on it (scale, mask), the softmax along
    the keys, and the product with the values. The softmax may be a `linalg.softmax` or its individual
    ops, merged or not. They become one `flow.dispatch.region` around one `flow.attention`, which
    leaves the loops to `fuselage-tile-attention`. The result differs from the original by rounding. A
    remark says why something that looks like attention is not fused.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"0", "Queries per workgroup; 0: chosen by fuselage-tile-attention">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"0", "Keys per step; 0: chosen by fuselage-tile-attention">,
    Option<"asOp", "as-op", "bool", /*default=*/"false",
           "One iree_linalg_ext.attention in the dispatch, which external compilers know; attention that it cannot express is not fused">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::tensor::TensorDialect"];
}

def TileAttentionPass : InterfacePass<"fuselage-tile-attention", "mlir::FunctionOpInterface"> {
  let summary = "Tile each flow.attention to loops over queries and keys";
  let description = [{
    Replaces `flow.attention` by a loop over workgroups, one tile of queries of one head each, around a loop over tiles
    of keys, which carries the maximum and the sum of each row and the result so far (online softmax). Only the scores of
    one tile exist at a time.

    Requested sizes are used if there are any (`fuselage.tiling` on the op: one number for `workgroup`, the queries, and
    one for `reduction`, the keys). Otherwise they depend on the module's device (`fuselage.device`, see
    `fuselage-set-device`):

    - GPUs whose threads have many registers: tiles of up to 64 queries and keys if matrix instructions support their
      elements, with as many keys as two tiles of keys and two of values fit; for f32 the sizes predicted to be fastest, from
      the reads per multiplication, the threads that fit on a multiprocessor, and the work that tiles repeat.
    - Devices that run on a CPU: few queries and many keys.
    - All others, and without a device: 32 queries and 32 keys, or divisors near that.

    Requested tiles, and tiles chosen for a device, all have the same size. If it does not divide the queries or keys, the
    last tile starts earlier: repeated keys get the probability 0, and each query is stored once. Otherwise, or if a size is
    dynamic, the last tile is smaller.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_ATTENTION_PASSES
