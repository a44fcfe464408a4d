// An action for each kind of op.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @matmul(%op: !op {transform.readonly}) -> !op {
    transform.match.operation_name %op ["linalg.matmul"] : !op
    transform.yield %op : !op
  }
  transform.named_sequence @exp(%op: !op {transform.readonly}) -> !op {
    %is = transform.match.structured %op : (!op) -> !op {
    ^bb0(%l: !op):
      %rank = transform.match.structured.rank %l : (!op) -> !transform.param<i64>
      %two = transform.param.constant 2 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %two : !transform.param<i64>
      transform.match.structured.body %l {elementwise} : !op
      transform.match.structured.yield %l : !op
    }
    transform.yield %is : !op
  }
  transform.named_sequence @tile(%op: !op {transform.consumed}) {
    %t, %l = transform.structured.tile_using_for %op tile_sizes [32] : (!op) -> (!op, !op)
    transform.yield
  }
  transform.named_sequence @mark(%op: !op {transform.readonly}) {
    transform.annotate %op "elementwise" : !op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %done = transform.foreach_match in %root @matmul -> @tile, @exp -> @mark : (!op) -> !op
    transform.annotate %done "test.done" : !op
    transform.yield
  }
}
