// A copy by threads.
// RUN: %agrees %s %S/../Inputs/grid.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %c = transform.structured.match ops{["linalg.copy"]} in %root : (!op) -> !op
    %l, %t = transform.structured.gpu.map_copy_to_threads %c total_num_threads = 32 desired_bit_alignment = 128 : (!op) -> (!op, !op)
    transform.annotate %t "mine" : !op
    transform.yield
  }
}
