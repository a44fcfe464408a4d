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
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"32", "Rows of one workgroup">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"32", "Keys of one step">,
    Option<"asOp", "as-op", "bool", /*default=*/"false",
           "One iree_linalg_ext.attention in the dispatch, which other compilers know, where it can be said so">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::affine::AffineDialect",
                           "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_ATTENTION_PASSES
