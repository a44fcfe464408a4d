// Patterns of buffers.
// RUN: %agrees %s %S/../Inputs/memrefs.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.memref.alloc_to_alloca size_limit(64)
    } : !op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
      transform.apply_patterns.memref.expand_ops
      transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
    } : !op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.extract_address_computations
      transform.apply_patterns.canonicalization
    } : !op
    transform.yield
  }
}
