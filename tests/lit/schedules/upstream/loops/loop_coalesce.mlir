// One loop of two.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %load = transform.structured.match ops{["memref.load"]} in %root : (!op) -> !op
    %nest, %others = transform.split_handle %load {overflow_result = 1} : (!op) -> (!op, !op)
    %outer = transform.get_parent_op %nest {op_name = "scf.for", nth_parent = 2} : (!op) -> !op
    transform.apply_licm to %outer : !op
    %c = transform.loop.coalesce %outer : (!op) -> !op
    transform.annotate %c "one" : !op
    transform.yield
  }
}
