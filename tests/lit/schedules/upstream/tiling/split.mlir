// Splits a matmul in two, by a number and by a parameter.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %parts = transform.structured.split %mm after 40 {dimension = 0} : !op
    %low, %high = transform.split_handle %parts : (!op) -> (!op, !op)
    transform.annotate %low "low" : !op
    %point = transform.param.constant 12 : i64 -> !transform.any_param
    %more = transform.structured.split %high after %point {dimension = 1} : !op, !transform.any_param
    transform.annotate %more "more" : !op
    transform.yield
  }
}
