// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function split --repeat 1 --print | FileCheck %s --check-prefix=SPLIT
// RUN: fuselage run %s --function join --repeat 1 --print | FileCheck %s --check-prefix=JOIN
// RUN: fuselage run %s --function nibbles --repeat 1 --print | FileCheck %s --check-prefix=NIBBLES
// RUN: fuselage run %s --function complex --repeat 1 --print | FileCheck %s --check-prefix=COMPLEX
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The low bits come first.
// CHECK-LABEL: func.func @split
//   CHECK-NOT:   stablehlo
//       CHECK:   arith.shrui {{.*}} : i32
//       CHECK:   arith.trunci {{.*}} : i32 to i16
func.func @split() -> tensor<2x2xui16> {
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x2xui16>
  return %0 : tensor<2x2xui16>
}
// SPLIT:      0 16256]
// SPLIT-NEXT: 0 49152]

// CHECK-LABEL: func.func @join
//       CHECK:   arith.extui {{.*}} : i16 to i32
//       CHECK:   arith.bitcast {{.*}} : i32 to f32
func.func @join() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[[0, 16256], [0, 49152]]> : tensor<2x2xui16>
  %0 = stablehlo.bitcast_convert %x : (tensor<2x2xui16>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// JOIN: 1. -2.]

func.func @nibbles() -> tensor<2x2xi8> {
  %x = stablehlo.constant dense<[33, -2]> : tensor<2xi8>
  %0 = stablehlo.bitcast_convert %x : (tensor<2xi8>) -> tensor<2x2xi4>
  %1 = stablehlo.convert %0 : (tensor<2x2xi4>) -> tensor<2x2xi8>
  return %1 : tensor<2x2xi8>
}
// NIBBLES:      1 2]
// NIBBLES-NEXT: [-2 -1]

// Real and imaginary part of one number are bits of two.
func.func @complex() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = stablehlo.constant dense<(2.0, -3.0)> : tensor<complex<f64>>
  %0 = stablehlo.bitcast_convert %x : (tensor<complex<f64>>) -> tensor<2xcomplex<f32>>
  %re = stablehlo.real %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %im = stablehlo.imag %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %re, %im : tensor<2xf32>, tensor<2xf32>
}
// COMPLEX: [0. 0.]
// COMPLEX: 2. -2.125]

// REMARK: stays as it is: its types do not have the same bits
func.func @misfit(%x: tensor<3xf32>) -> tensor<4xf32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
