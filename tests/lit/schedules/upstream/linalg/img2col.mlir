// Makes a matmul of a convolution.
// RUN: %agrees %s %S/../Inputs/conv.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!op) -> !op
    %first, %rest = transform.split_handle %conv {overflow_result = 1} : (!op) -> (!op, !op)
    %img, %mm = transform.structured.convert_conv2d_to_img2col %first : (!op) -> (!op, !op)
    transform.annotate %mm "matmul" : !op
    transform.yield
  }
}
