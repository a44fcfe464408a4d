// The first alternative fails, the second is taken.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %f = transform.get_parent_op %mm {isolated_from_above} : (!op) -> !op
    transform.alternatives %f : !op {
    ^bb0(%scope: !op):
      %x = transform.structured.match ops{["linalg.matmul"]} in %scope : (!op) -> !op
      transform.annotate %x "tried" : !op
      %h = transform.structured.hoist_pad %x by 1 loops : (!op) -> !op
      transform.yield
    }, {
    ^bb0(%scope: !op):
      %y = transform.structured.match interface{LinalgOp} in %scope : (!op) -> !op
      transform.annotate %y "taken" : !op
      transform.yield
    }, {
    ^bb0(%scope: !op):
    }
    transform.yield
  }
}
