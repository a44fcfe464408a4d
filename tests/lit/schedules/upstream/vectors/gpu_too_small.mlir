// More threads than the block has.
// RUN: %agrees --fails %s %S/../Inputs/grid.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %x = transform.structured.match ops{["memref.load"]} in %root : (!op) -> !op
    %f = transform.get_parent_op %x {op_name = "func.func"} : (!op) -> !op
    %launch = transform.gpu.map_forall_to_blocks %f generate_gpu_launch : (!op) -> !op
    %mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [4, 4, 1] : (!op) -> !op
    transform.yield
  }
}
