// Transposes a filter.
// RUN: %agrees %s %S/../Inputs/conv.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!op) -> !op
    %t = transform.structured.transpose_conv2d %conv : (!op) -> !op
    transform.yield
  }
}
