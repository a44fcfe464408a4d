// Tiles by a knob that was chosen, and vectors where that works.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%op: !op {transform.consumed}) {
    transform.structured.vectorize %op : !op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %size = transform.tune.knob<"size"> = 4 from options = [2, 4, 8] -> !transform.param<i64>
    %mm = transform.structured.match ops{["linalg.matmul", "linalg.batch_matmul"]} in %root : (!op) -> !op
    transform.foreach %mm : !op {
    ^bb0(%one: !op):
      %t, %l:3 = transform.structured.tile_using_for %one tile_sizes [%size, %size, %size] : (!op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) -> (!op, !op, !op, !op)
      transform.include @vectorize failures(suppress) (%t) : (!op) -> ()
    }
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.apply_patterns to %f {
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.vector.lower_contraction
      transform.apply_patterns.canonicalization
    } : !op
    transform.yield
  }
}
