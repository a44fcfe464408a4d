// Tiles contractions and marks what is elementwise, by matchers.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @contraction(%op: !op {transform.readonly}) -> !op {
    %is = transform.match.structured %op : (!op) -> !op {
    ^bb0(%l: !op):
      transform.match.structured.body %l {contraction = ["arith.mulf", "arith.addf"]} : !op
      transform.match.structured.yield %l : !op
    }
    transform.yield %is : !op
  }
  transform.named_sequence @elementwise(%op: !op {transform.readonly}) -> !op {
    %is = transform.match.structured %op : (!op) -> !op {
    ^bb0(%l: !op):
      transform.match.structured.dim %l[all] {parallel} : !op
      transform.match.structured.yield %l : !op
    }
    transform.yield %is : !op
  }
  transform.named_sequence @tile2(%op: !op {transform.consumed}) {
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [8, 8] : (!op) -> (!op, !op)
    transform.annotate %l "blocks" : !op
    transform.yield
  }
  transform.named_sequence @mark(%op: !op {transform.readonly}) {
    transform.annotate %op "elementwise" : !op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %done = transform.foreach_match in %root @contraction -> @tile2, @elementwise -> @mark : (!op) -> !op
    %f = transform.structured.match ops{["func.func"]} in %done : (!op) -> !op
    transform.apply_cse to %f : !op
    transform.yield
  }
}
