// A slice that is taken and put back out of its loop.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %neg = transform.structured.match ops{["linalg.negf"]} in %root : (!op) -> !op
    %l = transform.get_parent_op %neg {op_name = "scf.for"} : (!op) -> !op
    transform.loop.hoist_loop_invariant_subsets %l : !op
    transform.yield
  }
}
