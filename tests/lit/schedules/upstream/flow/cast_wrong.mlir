// A handle to another kind of op.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %c = transform.cast %mm : !op to !transform.op<"linalg.fill">
    transform.annotate %c "never" : !transform.op<"linalg.fill">
    transform.yield
  }
}
