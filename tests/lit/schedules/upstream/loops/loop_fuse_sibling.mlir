// One loop of two that stand side by side.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %a = transform.structured.match attributes{first} in %root : (!op) -> !op
    %b = transform.structured.match attributes{second} in %root : (!op) -> !op
    %fused = transform.loop.fuse_sibling %a into %b : (!op, !op) -> !op
    transform.annotate %fused "fused" : !op
    transform.yield
  }
}
