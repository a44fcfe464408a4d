// Pads what was tiled unevenly, and copies back.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t, %l = transform.structured.tile_using_for %mm tile_sizes [0, 0, 24] : (!op) -> (!op, !op)
    %p, %pad, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0]} : (!op) -> (!op, !op, !op)
    transform.annotate %p "padded" : !op
    transform.annotate %pad "pad" : !op
    transform.yield
  }
}
