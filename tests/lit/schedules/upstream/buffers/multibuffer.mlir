// A buffer for every other iteration.
// RUN: %agrees %s %S/../Inputs/memrefs.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloc"]} in %root : (!op) -> !op
    %first, %rest = transform.split_handle %a {overflow_result = 1} : (!op) -> (!op, !op)
    %typed = transform.cast %first : !op to !transform.op<"memref.alloc">
    %m = transform.memref.multibuffer %typed {factor = 2 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !op
    transform.annotate %m "double" : !op
    transform.yield
  }
}
