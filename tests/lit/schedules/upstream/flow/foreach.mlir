// One function after the other, with results put together.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %all = transform.foreach %f : !op -> !op {
    ^bb0(%each: !op):
      %l = transform.structured.match interface{LinalgOp} in %each : (!op) -> !op
      transform.annotate %l "seen" : !op
      transform.yield %l : !op
    }
    %n = transform.num_associations %all : (!op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %n, "ops" : !transform.param<i64>
    transform.annotate %f "count" = %n : !op, !transform.param<i64>
    transform.yield
  }
}
