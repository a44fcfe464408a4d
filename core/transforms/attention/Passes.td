// Attention in one dispatch. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_ATTENTION_PASSES
#define FUSELAGE_TRANSFORMS_ATTENTION_PASSES

include "mlir/Pass/PassBase.td"

def FuseAttentionPass : InterfacePass<"fuselage-fuse-attention", "mlir::FunctionOpInterface"> {
  let summary = "Compute attention in one dispatch that never stores the scores";
  let description = [{
    Finds a product of queries and keys, any elementwise ops on it (scale, mask), the softmax along
    the keys, and the product with the values; as `linalg.softmax` or as the ops that it stands for,
    merged or not. They become one `flow.dispatch.region`: a loop over workgroups, one tile of
    queries each, around a loop over tiles of keys, which carries the maximum and the sum of each row
    (online softmax). The result differs from the original by rounding. A remark says why something
    that looks like attention is left alone.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"0", "Rows of one workgroup; 0: 32, until the device chooses both">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"0", "Keys of one step; 0: 32, until the device chooses both">,
    Option<"asOp", "as-op", "bool", /*default=*/"false",
           "One iree_linalg_ext.attention in the dispatch, which other compilers know; what that op cannot say stays as it is">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::affine::AffineDialect",
                           "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def WidenAttentionPass : InterfacePass<"fuselage-widen-attention", "mlir::FunctionOpInterface"> {
  let summary = "Give attention dispatches tiles that threads keep in registers";
  let description = [{
    Rebuilds the loops over workgroups that fuselage-fuse-attention makes for a GPU whose threads have many registers: tiles
    of up to 64 queries and keys where matrix instructions take their elements, as many keys as two tiles of keys and values each fit;
    for f32 those with which the multiprocessors are done first, by what threads read for each multiplication, how many of them a
    multiprocessor holds, and what tiles repeat; on a device that runs on a processor few queries and many keys; and tiles of one size in any case. Tiles that somebody asked for stay
    (fuselage.tiling on the loop). Where that size does not divide the queries or keys, the last tile starts earlier: what it
    repeats of the keys gets the probability 0, and each query is stored once. Other dispatches stay as they are. The device is
    the module's (`fuselage.device`, see `fuselage-set-device`); without one, tiles keep their sizes, made equal.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_ATTENTION_PASSES
