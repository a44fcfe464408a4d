// What is common, what is not used, what stays the same.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!op) -> !op
    transform.apply_licm to %loops : !op
    transform.apply_cse to %f : !op
    transform.apply_dce to %f : !op
    transform.yield
  }
}
