// Generics of all, cleaned up, as far as that goes.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!op) -> !op
    %generics = transform.structured.generalize %all : (!op) -> !op
    transform.annotate %generics "general" : !op
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.canonicalization
    } {apply_cse} : !op
    transform.yield
  }
}
