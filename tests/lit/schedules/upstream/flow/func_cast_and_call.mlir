// A call in the place of what computes.
// RUN: %agrees %s %S/../Inputs/calls.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mul = transform.structured.match ops{["arith.muli"]} in %root : (!op) -> !op
    %sum = transform.get_producer_of_operand %mul[0] : (!op) -> !op
    %in = transform.get_operand %sum[0] : (!op) -> !transform.any_value
    %out = transform.get_result %mul[all] : (!op) -> !transform.any_value
    %call = transform.func.cast_and_call @doubled(%in) -> %out after %mul : (!op, !transform.any_value, !transform.any_value) -> !op
    transform.annotate %call "called" : !op
    transform.yield
  }
}
