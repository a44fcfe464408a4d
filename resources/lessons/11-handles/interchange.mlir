// Interchanges the two loops of @nest. The transform expects PerfectForNestForm.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %load = transform.structured.match ops{["memref.load"]} in %module : (!transform.any_op) -> !transform.any_op
    %loop = transform.get_parent_op %load {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
    %outer, %inner = transform.fuselage.interchange_loops %loop : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
