// What is assumed of an if.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %if = transform.structured.match ops{["scf.if"]} in %root : (!op) -> !op
    transform.scf.take_assumed_branch %if take_else_branch : (!op) -> ()
    transform.yield
  }
}
