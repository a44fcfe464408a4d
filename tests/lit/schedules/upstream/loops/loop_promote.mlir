// A loop of one iteration is none.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %l = transform.structured.match attributes{once} in %root : (!op) -> !op
    transform.loop.promote_if_one_iteration %l : !op
    transform.yield
  }
}
