// A pad as a fill and an insertion.
// RUN: %agrees %s %S/../Inputs/conv.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!op) -> !op
    %t = transform.structured.rewrite_in_destination_passing_style %pad : (!op) -> !op
    transform.annotate %t "inserted" : !op
    transform.yield
  }
}
