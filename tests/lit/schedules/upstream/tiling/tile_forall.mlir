// Tiles by parallel loops, by sizes and by numbers of threads.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t, %l = transform.structured.tile_using_forall %mm tile_sizes [32, 16] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!op) -> (!op, !op)
    %u, %k = transform.structured.tile_using_forall %t num_threads [4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!op) -> (!op, !op)
    transform.annotate %u "tiled" : !op
    transform.yield
  }
}
