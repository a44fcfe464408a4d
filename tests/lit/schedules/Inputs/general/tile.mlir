// Tiles all that linalg computes, one op after the other.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %all = transform.structured.match interface{TilingInterface} in %root : (!op) -> !op
    transform.foreach %all : !op {
    ^bb0(%one: !op):
      %tiled, %loop = transform.structured.tile_using_for %one tile_sizes [4] : (!op) -> (!op, !op)
      transform.annotate %loop "tiled" : !op
    }
    transform.yield
  }
}
