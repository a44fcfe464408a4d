// A knob that was not chosen.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %size = transform.tune.knob<"rows"> options = [16, 32, 64] -> !transform.param<i64>
    %t, %l = transform.structured.tile_using_for %mm tile_sizes [%size] : (!op, !transform.param<i64>) -> (!op, !op)
    transform.yield
  }
}
