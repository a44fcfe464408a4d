// Unrolls, and unrolls and jams.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %load = transform.structured.match ops{["memref.load"]} in %root : (!op) -> !op
    %nest, %others = transform.split_handle %load {overflow_result = 1} : (!op) -> (!op, !op)
    %inner = transform.get_parent_op %nest {op_name = "scf.for"} : (!op) -> !op
    %outer = transform.get_parent_op %inner {op_name = "scf.for"} : (!op) -> !op
    transform.loop.unroll %inner {factor = 4} : !op
    transform.annotate %outer "unrolled_inside" : !op
    transform.yield
  }
}
