// Buffers out of loops.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %b = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!op) -> !op
    %g = transform.structured.match ops{["func.func"]} in %b : (!op) -> !op
    transform.bufferization.buffer_loop_hoisting %g : !op
    transform.yield
  }
}
