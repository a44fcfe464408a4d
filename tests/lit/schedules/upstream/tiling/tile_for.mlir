// Tiles by loops, with an order of its own, and an inner tile by a parameter.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [16, 8, 0] interchange = [1, 0, 2] : (!op) -> (!op, !op, !op)
    %size = transform.param.constant 4 : i64 -> !transform.param<i64>
    %u, %k = transform.structured.tile_using_for %t tile_sizes [0, 0, %size] : (!op, !transform.param<i64>) -> (!op, !op)
    transform.annotate %l#1 "outer" : !op
    transform.annotate %k "inner" : !op
    transform.yield
  }
}
