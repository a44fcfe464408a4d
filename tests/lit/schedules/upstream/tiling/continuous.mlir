// Sizes that halve until all is covered.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %sizes, %chunks = transform.structured.continuous_tile_sizes %mm {dimension = 0, target_size = 48} : (!op) -> !transform.any_param
    %split = transform.structured.split %mm after %chunks {dimension = 0, multiway} : !op, !transform.any_param
    transform.annotate %split "part" : !op
    transform.yield
  }
}
