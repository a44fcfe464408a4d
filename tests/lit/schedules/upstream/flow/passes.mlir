// Passes by name, with options, and pipelines.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %f0 = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    %f1 = transform.apply_registered_pass "canonicalize" with options = {"top-down" = false, "max-iterations" = 3} to %f0 : (!op) -> !op
    %f2 = transform.apply_registered_pass "cse" to %f1 : (!op) -> !op
    %m = transform.apply_registered_pass "convert-scf-to-cf" to %root : (!op) -> !op
    %b = transform.structured.match ops{["cf.cond_br"]} in %m : (!op) -> !op
    transform.annotate %b "branch" : !op
    transform.yield
  }
}
