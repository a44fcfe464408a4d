// Exchanging the loops of a named op fails.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %i = transform.structured.interchange %mm iterator_interchange = [1, 0, 2] : (!op) -> !op
    transform.yield
  }
}
