// Peels the last iterations, and the first one.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %l = transform.structured.match attributes{uneven} in %root : (!op) -> !op
    %typed = transform.cast %l : !op to !transform.op<"scf.for">
    %p, %rest = transform.loop.peel %typed : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
    transform.annotate %rest "rest" : !transform.op<"scf.for">
    %q, %first = transform.loop.peel %p {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
    transform.annotate %first "first" : !transform.op<"scf.for">
    transform.yield
  }
}
