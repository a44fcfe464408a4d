// Stores that nobody reads, a buffer as a global.
// RUN: %agrees %s %S/../Inputs/memrefs.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %a = transform.structured.match ops{["memref.alloca"]} in %root : (!op) -> !op
    %first, %rest = transform.split_handle %a {overflow_result = 1} : (!op) -> (!op, !op)
    %typed = transform.cast %first : !op to !transform.op<"memref.alloca">
    %get, %global = transform.memref.alloca_to_global %typed : (!transform.op<"memref.alloca">) -> (!op, !op)
    transform.annotate %global "global" : !op
    transform.memref.erase_dead_alloc_and_stores %f : (!op) -> ()
    transform.yield
  }
}
