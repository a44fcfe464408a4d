// No alternative is left.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    transform.alternatives %root : !op {
    ^bb0(%scope: !op):
      %x = transform.structured.match ops{["linalg.matmul"]} in %scope : (!op) -> !op
      %h = transform.structured.hoist_pad %x by 1 loops : (!op) -> !op
      transform.yield
    }
    transform.yield
  }
}
