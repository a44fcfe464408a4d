// Unrolls the outer loop into the inner one.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %store = transform.structured.match ops{["memref.store"]} in %root : (!op) -> !op
    %nest, %others = transform.split_handle %store {overflow_result = 1} : (!op) -> (!op, !op)
    %outer = transform.get_parent_op %nest {op_name = "scf.for", nth_parent = 2} : (!op) -> !op
    transform.loop.unroll_and_jam %outer {factor = 2} : !op
    transform.yield
  }
}
