// A pass that there is not.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %f1 = transform.apply_registered_pass "no-such-pass" to %f : (!op) -> !op
    transform.yield
  }
}
