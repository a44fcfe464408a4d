// A handle to nothing is passed through.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %none = transform.structured.match ops{["linalg.matvec"]} in %root : (!op) -> !op
    %t, %l = transform.structured.tile_using_for %none tile_sizes [4] : (!op) -> (!op, !op)
    transform.annotate %l "never" : !op
    %a, %b = transform.split_handle %t : (!op) -> (!op, !op)
    transform.annotate %b "never" : !op
    transform.yield
  }
}
