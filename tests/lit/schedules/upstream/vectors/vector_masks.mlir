// Lowers masks.
// RUN: %agrees %s %S/../Inputs/vectors.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_masked_transfers
    } : !op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_create_mask
      transform.apply_patterns.vector.materialize_masks
      transform.apply_patterns.vector.lower_masks
    } : !op
    transform.yield
  }
}
