// A failure in a sequence is silenced, what was done before it stays.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    transform.sequence %root : !op failures(suppress) {
    ^bb0(%r: !op):
      %x = transform.structured.match ops{["linalg.matmul"]} in %r : (!op) -> !op
      transform.annotate %x "before" : !op
      %h = transform.structured.hoist_pad %x by 1 loops : (!op) -> !op
      transform.annotate %h "behind" : !op
    }
    transform.annotate %e "after" : !op
    transform.yield
  }
}
