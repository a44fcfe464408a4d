// Copies tiles of operands to buffers of their own.
// RUN: %agrees %s %S/../Inputs/buffers.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [8, 8, 8] : (!op) -> (!op, !op, !op, !op)
    %p = transform.structured.promote %t {operands_to_promote = [0, 1], use_full_tiles_by_default, alignment = 32} : (!op) -> !op
    transform.annotate %p "promoted" : !op
    transform.yield
  }
}
