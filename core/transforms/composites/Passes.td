// Ops that stand for a small program. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_COMPOSITES_PASSES
#define FUSELAGE_TRANSFORMS_COMPOSITES_PASSES

include "mlir/Pass/PassBase.td"

def DecomposeCompositesPass : Pass<"fuselage-decompose-composites"> {
  let summary = "Decompose composite ops";
  let description = [{
    Attention, softmax, packing and similar computations may be a single op, which is one node of the graph, and
    cannot be fused. This pass decomposes them:

    - `iree_linalg_ext.attention`, `online_attention` and `tm_tensor.attention`: queries times keys, scale, the op's own
      body, mask, softmax, times values, in f32 where the elements are narrower
    - `custom_op`: its body on whole tensors; `arg_compare`: a linalg.generic that carries value and index
    - `quantize_affine`, `dequantize_affine` and `fft` (one stage): a linalg.generic each
    - `scan`, `sort`, `topk`, `scatter` of both dialects: loops over elements; `gather`: a linalg.generic
    - `linalg.softmax` of floats, by the op's own interface; `linalg.pack`, `linalg.unpack` and the `linalg.winograd_*`
      transforms by upstream's rewrites
    - `tensor.gather`: a linalg.generic; `tensor.scatter`: a loop over elements

    Ops whose operands, maps or body do not match the definition of their dialect are not changed.
  }];
  let options = [
    Option<"keepFusable", "keep-fusable", "bool", /*default=*/"false",
           "Keep softmax, packs and unpacks, which can be roots of dispatches">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_COMPOSITES_PASSES
