// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function inverses --repeat 1 --print | FileCheck %s --check-prefix=INVERSES
// RUN: fuselage run %s --function small --repeat 1 --print | FileCheck %s --check-prefix=SMALL
// Expected numbers are NumPy's, real and imaginary parts in turn.

// CHECK-LABEL: func.func @inverses
//   CHECK-NOT:   chlo
func.func @inverses() -> (tensor<6xf64>, tensor<6xf64>) {
  %z = stablehlo.constant dense<(1.0, 2.0)> : tensor<1xcomplex<f64>>
  %0 = chlo.asin %z : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %1 = chlo.acos %z : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %2 = chlo.atan %z : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %3 = chlo.asinh %z : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %4 = chlo.acosh %z : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %5 = chlo.atanh %z : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %all = stablehlo.concatenate %0, %1, %2, %3, %4, %5, dim = 0 : (tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>) -> tensor<6xcomplex<f64>>
  %re = stablehlo.real %all : (tensor<6xcomplex<f64>>) -> tensor<6xf64>
  %im = stablehlo.imag %all : (tensor<6xcomplex<f64>>) -> tensor<6xf64>
  return %re, %im : tensor<6xf64>, tensor<6xf64>
}
// INVERSES: 0.42707{{.*}} 1.14371{{.*}} 1.33897{{.*}} 1.46935{{.*}} 1.52857{{.*}} 0.17328
// INVERSES: 1.52857{{.*}} -1.52857{{.*}} 0.40235{{.*}} 1.06344{{.*}} 1.14371{{.*}} 1.17809

// Near 0 the usual formulas lose all digits.
// CHECK-LABEL: func.func @small
func.func @small() -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<(1.0e-4, 2.0e-4)> : tensor<1xcomplex<f32>>
  %0 = stablehlo.tanh %z : tensor<1xcomplex<f32>>
  %1 = stablehlo.exponential_minus_one %z : tensor<1xcomplex<f32>>
  %2 = stablehlo.log_plus_one %z : tensor<1xcomplex<f32>>
  %3 = chlo.sinh %z : tensor<1xcomplex<f32>> -> tensor<1xcomplex<f32>>
  %all = stablehlo.concatenate %0, %1, %2, %3, dim = 0 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %re = stablehlo.real %all : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %im = stablehlo.imag %all : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %re, %im : tensor<4xf32>, tensor<4xf32>
}
// SMALL: 9.99999{{.*}}e-05 9.998{{.*}}e-05 0.00010001{{.*}} 9.99999{{.*}}e-05
// SMALL: 0.00019999{{.*}} 0.00020002 0.00019998 0.00019999
