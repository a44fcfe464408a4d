// Packs a matmul and lowers the packs.
// RUN: %agrees %s %S/../Inputs/matmul.mlir
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %p = transform.structured.pack %mm packed_sizes = [8, 8, 4] : (!op) -> (!transform.op<"linalg.generic">)
    %pack = transform.get_producer_of_operand %p[0] : (!transform.op<"linalg.generic">) -> (!transform.op<"linalg.pack">)
    %pad, %expand, %transpose = transform.structured.lower_pack %pack : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    transform.annotate %transpose "lowered" : !transform.op<"linalg.transpose">
    transform.yield
  }
}
