// Makes a softmax its parts.
// RUN: %agrees %s %S/../Inputs/conv.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!op) -> !op
    %d = transform.structured.decompose_interface %softmax : (!op) -> !op
    transform.yield
  }
}
