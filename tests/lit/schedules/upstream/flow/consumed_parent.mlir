// A handle into the function that was replaced.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %v = transform.get_result %mm[0] : (!op) -> !transform.any_value
    %new = transform.apply_registered_pass "cse" to %f : (!op) -> !op
    transform.debug.emit_remark_at %v, "late" : !transform.any_value
    transform.yield
  }
}
