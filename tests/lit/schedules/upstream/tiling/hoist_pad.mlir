// Hoists a pad out of the loop that it was put in.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 7, 9] : (!op) -> (!op, !op, !op, !op)
    %p, %pad, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "none"} : (!op) -> (!op, !op, !op)
    %operand = transform.get_producer_of_operand %p[0] : (!op) -> !op
    %typed = transform.cast %operand : !op to !transform.op<"tensor.pad">
    %h = transform.structured.hoist_pad %typed by 1 loops : (!transform.op<"tensor.pad">) -> !op
    transform.yield
  }
}
