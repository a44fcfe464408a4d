// Makes a convolution of one dimension of a thin one.
// RUN: %agrees %s %S/../Inputs/conv.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %thin = transform.structured.match attributes{thin} in %root : (!op) -> !op
    %d = transform.structured.decompose %thin : (!op) -> !op
    transform.annotate %d "conv1d" : !op
    transform.yield
  }
}
