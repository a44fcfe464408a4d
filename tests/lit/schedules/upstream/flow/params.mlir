// Parameters from attributes, compared and handed on.
// RUN: %agrees --fails %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %n = transform.num_associations %mm : (!op) -> !transform.any_param
    %one = transform.param.constant 1 : i64 -> !transform.any_param
    transform.match.param.cmpi eq %n, %one : !transform.any_param
    %both = transform.merge_handles %n, %one : !transform.any_param
    %a, %b = transform.split_handle %both : (!transform.any_param) -> (!transform.any_param, !transform.any_param)
    transform.annotate %e "n" = %b : !op, !transform.any_param
    transform.match.param.cmpi gt %n, %one : !transform.any_param
    transform.yield
  }
}
