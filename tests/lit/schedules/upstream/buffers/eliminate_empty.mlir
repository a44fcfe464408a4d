// No empty tensors that are not needed, then buffers.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.bufferization.eliminate_empty_tensors %root : !op
    %b = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!op) -> !op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %b : (!op) -> !op
    transform.annotate %mm "on_buffers" : !op
    transform.yield
  }
}
