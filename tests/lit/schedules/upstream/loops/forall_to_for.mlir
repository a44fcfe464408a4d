// A parallel loop in order.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %l = transform.structured.match attributes{first} in %root : (!op) -> !op
    %for = transform.loop.forall_to_for %l : (!op) -> !op
    transform.annotate %for "ordered" : !op
    %k = transform.structured.match attributes{second} in %root : (!op) -> !op
    %par = transform.loop.forall_to_parallel %k : (!op) -> !op
    transform.annotate %par "parallel" : !op
    transform.yield
  }
}
