// All that a matcher takes, with a result of its own.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @contraction(%op: !op {transform.readonly}) -> (!op, !transform.param<i64>) {
    %found, %n = transform.match.structured %op : (!op) -> (!op, !transform.param<i64>) {
    ^bb0(%l: !op):
      %dims = transform.match.structured.dim %l[1] {parallel} : (!op) -> !transform.param<i64>
      transform.match.structured.body %l {contraction = ["arith.mulf", "arith.addf"]} : !op
      transform.match.structured.yield %l, %dims : !op, !transform.param<i64>
    }
    transform.yield %found, %n : !op, !transform.param<i64>
  }
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %ops, %bound = transform.collect_matching @contraction in %root : (!op) -> (!op, !transform.param<i64>)
    transform.annotate %ops "contraction" : !op
    transform.debug.emit_param_as_remark %bound, "columns" at %ops : !transform.param<i64>, !op
    transform.yield
  }
}
