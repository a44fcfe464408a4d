// Transfers out of loops.
// RUN: %agrees %s %S/../Inputs/vectors.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %h = transform.structured.hoist_redundant_vector_transfers %f : (!op) -> !op
    %b = transform.structured.hoist_redundant_vector_broadcasts %h : (!op) -> !op
    transform.annotate %b "hoisted" : !op
    transform.yield
  }
}
