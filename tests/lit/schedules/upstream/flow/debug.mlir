// What is said in passing.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    transform.debug.emit_remark_at %mm, "here" : !op
    %p = transform.param.constant [1, 2, 3] -> !transform.any_param
    transform.debug.emit_param_as_remark %p, "list" at %mm : !transform.any_param, !op
    transform.debug.emit_param_as_remark %p : !transform.any_param
    transform.verify %mm : !op
    transform.yield
  }
}
