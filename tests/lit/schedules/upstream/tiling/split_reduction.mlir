// Makes a reduction two.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %init, %fill, %more, %combine = transform.structured.split_reduction %mm {split_factor = 4, insert_split_dimension = 2} : (!op) -> (!op, !op, !op, !op)
    transform.annotate %more "split" : !op
    transform.annotate %combine "combine" : !op
    transform.yield
  }
}
