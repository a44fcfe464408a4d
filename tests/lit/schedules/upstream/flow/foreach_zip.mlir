// Two handles at once.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!op) -> !op
    transform.foreach %mm, %add : !op, !op {
    ^bb0(%x: !op, %y: !op):
      transform.annotate %x "first" : !op
      transform.annotate %y "second" : !op
    }
    transform.yield
  }
}
