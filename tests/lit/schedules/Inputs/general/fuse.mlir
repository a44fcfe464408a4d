// Tiles the last op of a function with its producers, or leaves it.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.foreach %f : !op {
    ^bb0(%each: !op):
      transform.alternatives %each : !op {
      ^bb0(%scope: !op):
        %ret = transform.structured.match ops{["func.return"]} in %scope : (!op) -> !op
        %last = transform.get_producer_of_operand %ret[0] : (!op) -> !op
        %t, %l = transform.structured.fuse %last tile_sizes [2] : (!op) -> (!op, !op)
        transform.annotate %l "fused" : !op
        transform.yield
      }, {
      ^bb0(%scope: !op):
        transform.annotate %scope "left" : !op
        transform.yield
      }
    }
    transform.yield
  }
}
