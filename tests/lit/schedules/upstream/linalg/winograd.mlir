// Makes Winograd's ops of a convolution, and loops and matmuls of them.
// RUN: %agrees %s %S/../Inputs/conv.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!op) -> !op
    %w = transform.structured.winograd_conv2d %conv {fmr = 0 : i32} : (!op) -> !op
    %filter = transform.structured.match ops{["linalg.winograd_filter_transform"]} in %root : (!op) -> !op
    %d = transform.structured.decompose_winograd_op %filter : (!op) -> !op
    transform.yield
  }
}
