// Tiles and fuses all producers at once.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!op) -> !op
    %t, %l:2 = transform.structured.fuse %add tile_sizes [32, 16] {apply_cleanup} : (!op) -> (!op, !op, !op)
    transform.annotate %l#0 "outer" : !op
    transform.yield
  }
}
