// Patterns of the test of the interpreter with a limit on the rewrites.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_add_into_dest
      transform.apply_patterns.canonicalization
    } {max_iterations = 4 : i64, max_num_rewrites = 100 : i64} : !op
    transform.yield
  }
}
