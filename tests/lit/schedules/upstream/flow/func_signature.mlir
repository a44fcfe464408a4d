// Arguments and results in another order.
// RUN: %agrees %s %S/../Inputs/calls.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %m, %f = transform.func.replace_func_signature @callee args_interchange = [1, 0] results_interchange = [1, 0] at %root {adjust_func_calls} : (!op) -> (!op, !op)
    transform.annotate %f "swapped" : !op
    transform.yield
  }
}
