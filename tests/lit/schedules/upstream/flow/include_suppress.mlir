// A failure in a sequence that is used is silenced.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @hoist(%op: !op {transform.readonly}) {
    transform.annotate %op "tried" : !op
    %l = transform.get_parent_op %op {op_name = "scf.for"} : (!op) -> !op
    transform.annotate %op "never" : !op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    transform.include @hoist failures(suppress) (%mm) : (!op) -> ()
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!op) -> !op
    transform.annotate %e "behind" : !op
    transform.yield
  }
}
