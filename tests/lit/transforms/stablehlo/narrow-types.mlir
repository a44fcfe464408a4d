// RUN: not fuselage run %s --function floats --repeat 1 --print | FileCheck %s --check-prefix=FLOATS
// RUN: fuselage run %s --function integers --repeat 1 --print | FileCheck %s --check-prefix=INTEGERS
// Types that no processor computes with: each op rounds to the type. Expected numbers are those of ml_dtypes.
// A type of so few digits shows nothing about rounding errors, which a run says, and fails.

// 1.3 and 0.3 have no place in these types.
func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %f = stablehlo.constant dense<[1.3, 0.3]> : tensor<2xf32>
  %0 = stablehlo.convert %f : (tensor<2xf32>) -> tensor<2xf8E4M3B11FNUZ>
  %1 = stablehlo.add %0, %0 : tensor<2xf8E4M3B11FNUZ>
  %2 = stablehlo.convert %1 : (tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf32>
  %3 = stablehlo.convert %f : (tensor<2xf32>) -> tensor<2xf8E5M2>
  %4 = stablehlo.tanh %3 : tensor<2xf8E5M2>
  %5 = stablehlo.convert %4 : (tensor<2xf8E5M2>) -> tensor<2xf32>
  %6 = stablehlo.convert %f : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
  %7 = stablehlo.multiply %6, %6 : tensor<2xf8E8M0FNU>
  %8 = stablehlo.convert %7 : (tensor<2xf8E8M0FNU>) -> tensor<2xf32>
  %9 = stablehlo.convert %f : (tensor<2xf32>) -> tensor<2xf4E2M1FN>
  %10 = stablehlo.negate %9 : tensor<2xf4E2M1FN>
  %11 = stablehlo.convert %10 : (tensor<2xf4E2M1FN>) -> tensor<2xf32>
  %12 = stablehlo.convert %f : (tensor<2xf32>) -> tensor<2xbf16>
  %13 = chlo.lgamma %12 : tensor<2xbf16> -> tensor<2xbf16>
  %14 = stablehlo.convert %13 : (tensor<2xbf16>) -> tensor<2xf32>
  return %2, %5, %8, %11, %14 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
// FLOATS: [ 2.5 0.625]
// FLOATS: [ 0.875 0.3125]
// FLOATS: [ 1. 0.0625]
// FLOATS: [-1.5 -0.5]
// FLOATS: [-0.10{{.*}} 1.09{{.*}}]

func.func @integers() -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %x = stablehlo.constant dense<[7, -8, -1]> : tensor<3xi4>
  %y = stablehlo.constant dense<[1, -1, 0]> : tensor<3xi4>
  %0 = stablehlo.add %x, %y : tensor<3xi4>
  %1 = stablehlo.convert %0 : (tensor<3xi4>) -> tensor<3xi32>
  %2 = stablehlo.divide %x, %y : tensor<3xi4>
  %3 = stablehlo.convert %2 : (tensor<3xi4>) -> tensor<3xi32>
  %u = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui2>
  %4 = stablehlo.multiply %u, %u : tensor<3xui2>
  %5 = stablehlo.convert %4 : (tensor<3xui2>) -> tensor<3xi32>
  return %1, %3, %5 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}
// What is too large wraps; a division by zero gives -1.
// INTEGERS: [-8 7 -1]
// INTEGERS: [ 7 -8 -1]
// INTEGERS: [1 1 0]
