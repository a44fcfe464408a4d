// Knobs and alternatives that were chosen.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %size = transform.tune.knob<"rows"> = 32 from options = [16, 32, 64] -> !transform.param<i64>
    %t, %l = transform.structured.tile_using_for %mm tile_sizes [%size] : (!op, !transform.param<i64>) -> (!op, !op)
    %r = transform.tune.alternatives<"then"> selected_region = 1 -> !op {
      %g = transform.structured.generalize %t : (!op) -> !op
      transform.yield %g : !op
    }, {
      %u, %k = transform.structured.tile_using_for %t tile_sizes [0, 0, 8] : (!op) -> (!op, !op)
      transform.yield %u : !op
    }
    transform.annotate %r "tuned" : !op
    transform.yield
  }
}
