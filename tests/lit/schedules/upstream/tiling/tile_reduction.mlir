// Tiles a reduction into partial sums, by loops and in parallel.
// RUN: %agrees %s %S/../Inputs/generic.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %r = transform.structured.match attributes{name = "reduced"} in %root : (!op) -> !op
    %fill, %part, %combine, %loop = transform.structured.tile_reduction_using_for %r by tile_sizes = [0, 6] : (!op) -> (!op, !op, !op, !op)
    transform.annotate %part "partial" : !op
    transform.annotate %loop "loop" : !op
    transform.yield
  }
}
