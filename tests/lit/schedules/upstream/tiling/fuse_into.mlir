// Tiles the consumer, and fuses producer after producer into the loop.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!op) -> !op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!op) -> !op
    %t, %l = transform.structured.tile_using_forall %add tile_sizes [32, 32] : (!op) -> (!op, !op)
    %fm, %l2 = transform.structured.fuse_into_containing_op %mm into %l : (!op, !op) -> (!op, !op)
    %ff, %l3 = transform.structured.fuse_into_containing_op %fill into %l2 : (!op, !op) -> (!op, !op)
    transform.annotate %l3 "all" : !op
    transform.yield
  }
}
