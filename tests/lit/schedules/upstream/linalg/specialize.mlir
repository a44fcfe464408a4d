// Makes a named op of a generic that is one.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    %g = transform.structured.generalize %e : (!op) -> !op
    %n = transform.structured.specialize %g : (!op) -> !op
    transform.annotate %n "named" : !op
    transform.yield
  }
}
