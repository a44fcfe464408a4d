// Loops of what works on buffers.
// RUN: %agrees %s %S/../Inputs/buffers.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    %l = transform.structured.convert_to_loops %e : (!op) -> !op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %k = transform.structured.convert_to_loops %mm : (!op) -> !op
    %stores = transform.structured.match ops{["memref.store"]} in %root : (!op) -> !op
    transform.annotate %stores "store" : !op
    transform.yield
  }
}
