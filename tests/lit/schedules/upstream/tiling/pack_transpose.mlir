// Packs greedily, and transposes what was packed.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %p = transform.structured.pack_greedily %mm matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] : (!op) -> !transform.op<"linalg.generic">
    %pack = transform.get_producer_of_operand %p[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %q, %qp, %qu = transform.structured.pack_transpose %pack with_compute_op(%p) outer_perm = [1, 0] : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !op)
    transform.annotate %q "packed" : !transform.op<"linalg.generic">
    transform.yield
  }
}
