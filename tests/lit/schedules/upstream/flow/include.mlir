// A sequence that is used twice, with and without its failures.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @general(%op: !op {transform.readonly}) {
    transform.annotate %op "included" : !op
    transform.yield
  }
  transform.named_sequence @hoist(%op: !op {transform.consumed}) {
    %h = transform.structured.hoist_pad %op by 1 loops : (!op) -> !op
    transform.yield
  }
  transform.named_sequence @rows(%op: !op {transform.readonly}) -> !op {
    %f = transform.get_parent_op %op {isolated_from_above} : (!op) -> !op
    transform.yield %f : !op
  }
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    transform.include @general failures(propagate) (%mm) : (!op) -> ()
    transform.include @hoist failures(suppress) (%e) : (!op) -> ()
    %g = transform.include @rows failures(propagate) (%e) : (!op) -> !op
    transform.annotate %g "rows" : !op
    transform.yield
  }
}
