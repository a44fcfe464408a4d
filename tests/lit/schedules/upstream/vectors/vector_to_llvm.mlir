// Converts vectors to LLVM's dialect.
// RUN: %agrees %s %S/../Inputs/vectors.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %a = transform.structured.match ops{["vector.broadcast"]} in %root : (!op) -> !op
    %f = transform.get_parent_op %a {isolated_from_above} : (!op) -> !op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
      transform.apply_conversion_patterns.vector.vector_to_llvm
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["func", "llvm", "vector", "builtin"], partial_conversion} : !op
    transform.yield
  }
}
