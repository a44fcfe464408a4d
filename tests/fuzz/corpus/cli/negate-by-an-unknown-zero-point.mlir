// fuselage schedule
func.func @f(%a: tensor<4xi32>, %zp: tensor<1xi32>) -> tensor<4xi32> {
  %o = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.negate %a, %zp, %o : (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
