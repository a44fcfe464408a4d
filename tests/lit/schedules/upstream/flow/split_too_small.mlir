// Fewer ops than the handle is split into.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %a, %b = transform.split_handle %mm : (!op) -> (!op, !op)
    transform.yield
  }
}
