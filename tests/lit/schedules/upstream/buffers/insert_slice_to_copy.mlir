// An insertion as a copy.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t, %l = transform.structured.tile_using_for %mm tile_sizes [16] : (!op) -> (!op, !op)
    %insert = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!op) -> !op
    %c = transform.structured.insert_slice_to_copy %insert : (!op) -> !op
    transform.annotate %c "copied" : !op
    transform.yield
  }
}
