// The schedule of the talk "Driving MLIR Compilation from Python": exchanges the loops of one nest, and tiles what the
// other one holds. Both transforms expect PerfectForNestForm; interchange_loops by itself, @tile since it says so. With
// --auto-normalize the form is reached where it does not hold, --hoist does so once for both, and behind the trace stands
// the form that is known to hold at each line.
//
//   fuselage schedule samples/schedules/two_nests.mlir --schedule samples/schedules/interchange_and_tile.mlir --auto-normalize --trace
//   fuselage schedule samples/schedules/two_nests.mlir --schedule samples/schedules/interchange_and_tile.mlir --auto-normalize --hoist
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) -> !transform.any_op
      attributes {fuselage.requires = "PerfectForNestForm", fuselage.ensures = "PerfectForNestForm"} {
    %tiled, %forall = transform.structured.tile_using_forall %op tile_sizes [32, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %forall : !transform.any_op
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %load = transform.structured.match ops{["memref.load"]} in %module : (!transform.any_op) -> !transform.any_op
    %outer_for = transform.get_parent_op %load {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
    %outer, %inner = transform.fuselage.interchange_loops %outer_for : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %linalg_op = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %forall = transform.include @tile failures(propagate) (%linalg_op) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
