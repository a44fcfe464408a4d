// An elementwise op over one dimension.
// RUN: %agrees %s %S/../Inputs/buffers.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    %g = transform.structured.generalize %e : (!op) -> !op
    %t = transform.structured.flatten_elementwise %g : (!op) -> !op
    transform.yield
  }
}
