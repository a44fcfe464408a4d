module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.foreach %root : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.include @other failures(suppress) (%t) : (!transform.any_op) -> ()
      transform.unread %t by anybody
    }
    transform.yield
  }
}
func.func @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
