// Overlaps the iterations of a loop.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %load = transform.structured.match ops{["memref.load"]} in %root : (!op) -> !op
    %nest, %others = transform.split_handle %load {overflow_result = 1} : (!op) -> (!op, !op)
    %inner = transform.get_parent_op %nest {op_name = "scf.for"} : (!op) -> !transform.op<"scf.for">
    %p = transform.loop.pipeline %inner {iteration_interval = 1 : i64, read_latency = 5 : i64} : (!transform.op<"scf.for">) -> !op
    transform.annotate %p "pipelined" : !op
    transform.yield
  }
}
