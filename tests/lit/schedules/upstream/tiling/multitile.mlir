// Tiles in two sizes that cover all.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %low, %high, %point = transform.structured.multitile_sizes %mm {dimension = 0, target_size = 24, divisor = 8} : (!op) -> !transform.param<i64>
    %parts = transform.structured.split %mm after %point {dimension = 0} : !op, !transform.param<i64>
    transform.debug.emit_param_as_remark %low, "low" at %parts : !transform.param<i64>, !op
    transform.annotate %parts "size" = %high : !op, !transform.param<i64>
    transform.yield
  }
}
