// Attention in one dispatch. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_ATTENTION_PASSES
#define FUSELAGE_TRANSFORMS_ATTENTION_PASSES

include "mlir/Pass/PassBase.td"

def FuseAttentionPass : InterfacePass<"fuselage-fuse-attention", "mlir::FunctionOpInterface"> {
  let summary = "Compute attention in one dispatch that never stores the scores";
  let description = [{
    Finds a product of queries and keys, any elementwise ops on it (scale, mask), the softmax along
    the keys, and the product with the values; as `linalg.softmax` or as the ops that it stands for,
    merged or not. They become one `flow.dispatch.region` around one `flow.attention`, which says what
    is computed and leaves the loops to `fuselage-tile-attention`. The result differs from the original
    by rounding. A remark says why something that looks like attention is left alone.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"0", "Rows of one workgroup; 0: left to fuselage-tile-attention">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"0", "Keys of one step; 0: left to fuselage-tile-attention">,
    Option<"asOp", "as-op", "bool", /*default=*/"false",
           "One iree_linalg_ext.attention in the dispatch, which other compilers know; what that op cannot say stays as it is">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::tensor::TensorDialect"];
}

def TileAttentionPass : InterfacePass<"fuselage-tile-attention", "mlir::FunctionOpInterface"> {
  let summary = "Make loops over tiles of queries and keys of each flow.attention";
  let description = [{
    Replaces `flow.attention` by a loop over workgroups, one tile of queries of one head each, around a loop over tiles
    of keys, which carries the maximum and the sum of each row and the result so far (online softmax). No more scores
    exist than those of one tile.

    Sizes that somebody asks for are taken (`fuselage.tiling` on the op: one number for `workgroup`, the queries, and one
    for `reduction`, the keys). Else the module's device decides (`fuselage.device`, see `fuselage-set-device`):

    - GPUs whose threads have many registers: tiles of up to 64 queries and keys if matrix instructions take their
      elements, as many keys as two tiles of keys and values each fit; for f32 those with which the multiprocessors are
      done first, by what threads read for each multiplication, how many of them a multiprocessor holds, and what tiles
      repeat.
    - A device that runs on a processor: few queries and many keys.
    - All others, and without a device: 32 queries and 32 keys, or divisors near that.

    Where the device chooses, or somebody asks, all tiles have one size. If that does not divide the queries or keys, the
    last tile starts earlier: what it repeats of the keys gets the probability 0, and each query is stored once.
    Otherwise, or if a size is dynamic, the last tile is smaller.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_ATTENTION_PASSES
