// An operand in memory of another kind.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %v = transform.get_operand %mm[0] : (!op) -> !transform.any_value
    %p = transform.structured.promote_tensor to 3 %v : !transform.any_value
    %d = transform.get_defining_op %p : (!transform.any_value) -> !op
    transform.annotate %d "promoted" : !op
    transform.yield
  }
}
