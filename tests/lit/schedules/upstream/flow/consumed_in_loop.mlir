// A body consumes what the next iteration needs.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    transform.foreach %f : !op {
    ^bb0(%each: !op):
      %g = transform.structured.generalize %mm : (!op) -> !op
    }
    transform.yield
  }
}
