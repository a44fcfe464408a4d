// Transposes an operand of a matmul.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %t = transform.structured.transpose_matmul %mm <rhs> : (!op) -> !op
    transform.annotate %t "transposed" : !op
    transform.yield
  }
}
