// Partial sums by threads.
// RUN: %agrees %s %S/../Inputs/generic.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %r = transform.structured.match attributes{name = "reduced"} in %root : (!op) -> !op
    %fill, %part, %combine, %loop = transform.structured.tile_reduction_using_forall %r by num_threads = [0, 4] tile_sizes = [0, 6] : (!op) -> (!op, !op, !op, !op)
    transform.annotate %combine "combine" : !op
    transform.yield
  }
}
