// Buffers of one function after the other.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %empty = transform.structured.match ops{["tensor.empty"]} in %root : (!op) -> !op
    %typed = transform.cast %empty : !op to !transform.op<"tensor.empty">
    %alloc = transform.bufferization.empty_tensor_to_alloc_tensor %typed : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    transform.annotate %alloc "allocated" : !transform.op<"bufferization.alloc_tensor">
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %b = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %f : (!op) -> !op
    transform.yield
  }
}
