// From op to value to op.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %users = transform.get_consumers_of_result %mm[0] : (!op) -> !op
    %value = transform.get_operand %users[all] : (!op) -> !transform.any_value
    %type = transform.get_type elemental %value : (!transform.any_value) -> !transform.type
    %res = transform.get_result %mm[0] : (!op) -> !transform.any_value
    %def = transform.get_defining_op %res : (!transform.any_value) -> !op
    %in = transform.get_producer_of_operand %mm[2] : (!op) -> !op
    transform.annotate %def "multiplied" : !op
    transform.annotate %in "filled" : !op
    transform.debug.emit_remark_at %users, "user" : !op
    transform.yield
  }
}
