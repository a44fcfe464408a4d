// Vectors of all in a function.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    %f = transform.get_parent_op %e {isolated_from_above} : (!op) -> !op
    %v = transform.structured.vectorize_children_and_apply_patterns %f {vectorize_padding} : (!op) -> !op
    transform.annotate %v "vectors" : !op
    transform.yield
  }
}
