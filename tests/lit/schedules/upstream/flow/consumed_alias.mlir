// A handle to what another one consumed.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %same = transform.structured.match interface{LinalgOp} in %root : (!op) -> !op
    %g = transform.structured.generalize %mm : (!op) -> !op
    transform.annotate %same "late" : !op
    transform.yield
  }
}
