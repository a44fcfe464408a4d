// Arguments that are always the same.
// RUN: %agrees %s %S/../Inputs/calls.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %m, %f = transform.func.deduplicate_func_args @same at %root : (!op) -> (!op, !op)
    transform.annotate %f "fewer" : !op
    transform.yield
  }
}
