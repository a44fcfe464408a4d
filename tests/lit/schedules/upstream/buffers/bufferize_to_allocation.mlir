// A pad in a buffer of its own.
// RUN: %agrees %s %S/../Inputs/conv.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!op) -> !op
    %buffer, %new = transform.structured.bufferize_to_allocation %pad {memory_space = 3, emit_dealloc} : !op
    transform.annotate %new "new" : !op
    transform.yield
  }
}
