// Patterns of loops, then of control flow.
// RUN: %agrees %s %S/../Inputs/loops.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!op) -> !op
    transform.apply_patterns to %f {
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.canonicalization
    } : !op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.scf.scf_to_control_flow
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["arith", "cf", "func", "memref", "tensor", "linalg"], illegal_ops = ["scf.if"], partial_conversion} : !op
    transform.yield
  }
}
