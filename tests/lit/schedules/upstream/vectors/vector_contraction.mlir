// Lowers a contraction by outer products, and reductions.
// RUN: %agrees %s %S/../Inputs/vectors.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = outerproduct
      transform.apply_patterns.vector.lower_outerproduct
    } : !op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
    } : !op
    %fma = transform.structured.match ops{["vector.fma"]} in %root : (!op) -> !op
    transform.annotate %fma "fma" : !op
    transform.yield
  }
}
