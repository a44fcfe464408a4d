// Vectors of a tile, with and without masks.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [8, 8, 4] : (!op) -> (!op, !op, !op, !op)
    transform.structured.vectorize %t vector_sizes [8, 8, 4] : !op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!op) -> !op
    transform.structured.vectorize %fill : !op
    transform.yield
  }
}
