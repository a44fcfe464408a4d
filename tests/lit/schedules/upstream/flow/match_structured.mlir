// What a matcher can ask of a structured op.
// RUN: %agrees %s %S/../Inputs/generic.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @reduction(%op: !op {transform.readonly}) -> (!op, !transform.any_value) {
    %r, %v = transform.match.structured %op : (!op) -> (!op, !transform.any_value) {
    ^bb0(%l: !op):
      transform.match.structured.dim %l[-1] {reduction} : !op
      %inputs = transform.match.structured.num_inputs %l : (!op) -> !transform.param<i64>
      %one = transform.param.constant 1 : i64 -> !transform.param<i64>
      transform.match.param.cmpi le %inputs, %one : !transform.param<i64>
      %in = transform.match.structured.input %l[0] : (!op) -> !transform.any_value
      %width = transform.match.structured.elemental_bitwidth %in : (!transform.any_value) -> !transform.param<i64>
      %small = transform.param.constant 64 : i64 -> !transform.param<i64>
      transform.match.param.cmpi lt %width, %small : !transform.param<i64>
      transform.match.structured.yield %l, %in : !op, !transform.any_value
    }
    transform.yield %r, %v : !op, !transform.any_value
  }
  transform.named_sequence @mark(%op: !op {transform.readonly}, %v: !transform.any_value {transform.readonly}) {
    transform.annotate %op "reduction" : !op
    transform.debug.emit_remark_at %v, "reduced" : !transform.any_value
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %done = transform.foreach_match in %root @reduction -> @mark : (!op) -> !op
    transform.yield
  }
}
