// An allocation that does not depend on its loop.
// RUN: %agrees %s %S/../Inputs/memrefs.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %a = transform.structured.match ops{["memref.alloca"]} in %root : (!op) -> !op
    %first, %second = transform.split_handle %a : (!op) -> (!op, !op)
    %i = transform.memref.make_loop_independent %second {num_loops = 1} : (!op) -> !op
    transform.yield
  }
}
