// Pads to multiples through the interface of tiling.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %p, %pads = transform.structured.pad_tiling_interface %mm to padding_sizes [50, 50, 50] pad_to_multiple_of {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!op) -> (!op, !op)
    transform.annotate %p "padded" : !op
    transform.yield
  }
}
