// Makes a generic of a matmul and exchanges its loops.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %g = transform.structured.generalize %mm : (!op) -> !op
    %i = transform.structured.interchange %g iterator_interchange = [2, 0, 1] : (!op) -> !op
    transform.annotate %i "interchanged" : !op
    transform.yield
  }
}
