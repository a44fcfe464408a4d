// Loops of a parallel one.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %p = transform.structured.match ops{["scf.parallel"]} in %root : (!op) -> !op
    %l = transform.loop.parallel_for_to_nested_fors %p : (!op) -> !op
    transform.annotate %l "outer" : !op
    transform.yield
  }
}
