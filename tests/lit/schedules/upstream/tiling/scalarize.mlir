// Tiles every loop by one.
// RUN: %agrees %s %S/../Inputs/generic.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %sum = transform.structured.match attributes{name = "sum"} in %root : (!op) -> !op
    %t, %l:2 = transform.structured.tile_using_for %sum tile_sizes [1, 1] : (!op) -> (!op, !op, !op)
    %x = transform.structured.scalarize %t : (!op) -> !op
    transform.yield
  }
}
