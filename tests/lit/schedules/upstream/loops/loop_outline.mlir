// A loop as a function.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %l = transform.structured.match attributes{uneven} in %root : (!op) -> !op
    %f, %call = transform.loop.outline %l {func_name = "outlined"} : (!op) -> (!op, !op)
    transform.annotate %f "new" : !op
    transform.annotate %call "call" : !op
    transform.yield
  }
}
