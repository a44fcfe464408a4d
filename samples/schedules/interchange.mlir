// Exchanges the loops of samples/schedules/loop_nest.mlir. Alone it fails, since the nest is not perfect; with
// --auto-normalize it is brought into PerfectForNestForm first.
//
//   fuselage schedule samples/schedules/loop_nest.mlir --schedule samples/schedules/interchange.mlir --auto-normalize --trace
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %load = transform.structured.match ops{["memref.load"]} in %module : (!transform.any_op) -> !transform.any_op
    %outer_for = transform.get_parent_op %load {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
    %outer, %inner = transform.fuselage.interchange_loops %outer_for : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
