// Handles put together, taken apart, repeated and chosen.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!op) -> !op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!op) -> !op
    %all = transform.merge_handles %mm, %add, %mm, %fill : !op
    %unique = transform.merge_handles deduplicate %mm, %add, %mm : !op
    %one, %two = transform.split_handle %unique : (!op) -> (!op, !op)
    transform.annotate %two "second" : !op
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %many = transform.replicate num(%all) %four : !op, !transform.param<i64>
    %sel = transform.select "linalg.fill" in %all : (!op) -> !op
    transform.annotate %sel "selected" : !op
    transform.annotate %all "size" = %many : !op, !transform.param<i64>
    transform.yield
  }
}
