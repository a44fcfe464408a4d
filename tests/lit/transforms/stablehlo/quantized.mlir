// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function elementwise --repeat 1 --print | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: fuselage run %s --function requantize --repeat 1 --print | FileCheck %s --check-prefix=REQUANTIZE
// RUN: fuselage run %s --function static_range --repeat 1 --print | FileCheck %s --check-prefix=STATIC
// RUN: fuselage run %s --function hybrid --repeat 1 --print | FileCheck %s --check-prefix=HYBRID
// RUN: fuselage run %s --function conv_per_axis --repeat 1 --print | FileCheck %s --check-prefix=CONV
// RUN: fuselage run %s --function reduce --repeat 1 --print | FileCheck %s --check-prefix=REDUCE
// RUN: fuselage run %s --function moved --repeat 1 --print --input arg0=iota | FileCheck %s --check-prefix=MOVED
// RUN: fuselage run %s --function unsigned --repeat 1 --print | FileCheck %s --check-prefix=UNSIGNED
// RUN: fuselage run %s --function integers32 --repeat 1 --print | FileCheck %s --check-prefix=INTEGERS

!q = !quant.uniform<i8:f32, 0.5:3>

// One loop: what the stored numbers stand for is added, and the sum stored. Ties go to even: 2.25 / 0.5 + 3 is 7.5.
// CHECK-LABEL: func.func @elementwise() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi1>)
//   CHECK-NOT:   stablehlo
func.func @elementwise() -> (tensor<4x!q>, tensor<4x!q>, tensor<4xi1>) {
  %f = stablehlo.constant dense<[1.0, 2.25, 77.0, -99.0]> : tensor<4xf32>
  %0 = stablehlo.uniform_quantize %f : (tensor<4xf32>) -> tensor<4x!q>
  %1 = stablehlo.add %0, %0 : tensor<4x!q>
  %c = stablehlo.constant() {value = dense<[5, 9, 5, 5]> : tensor<4xi8>} : () -> tensor<4x!q>
  %2 = stablehlo.compare LT, %0, %c : (tensor<4x!q>, tensor<4x!q>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4x!q>, tensor<4x!q>, tensor<4xi1>
}
// ELEMENTWISE: 5 8 127 -128]
// ELEMENTWISE: 7 13 127 -128]
// ELEMENTWISE: [false true false true]

// From one scale to another, and one scale for each column.
// CHECK-LABEL: func.func @requantize
func.func @requantize() -> (tensor<2x2x!quant.uniform<i8:f32, 0.25:-1>>, tensor<2x2xf32>) {
  %c = stablehlo.constant() {value = dense<[[5, 9], [3, -1]]> : tensor<2x2xi8>} : () -> tensor<2x2x!q>
  %0 = stablehlo.uniform_quantize %c : (tensor<2x2x!q>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:-1>>
  %p = stablehlo.constant() {value = dense<[[4, 4], [-6, -6]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:2, 2.0:-4}>>
  %1 = stablehlo.uniform_dequantize %p : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:2, 2.0:-4}>>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2x!quant.uniform<i8:f32, 0.25:-1>>, tensor<2x2xf32>
}
// REQUANTIZE:      3 11]
// REQUANTIZE-NEXT: -1 -9]
// REQUANTIZE:      1. 16.]
// REQUANTIZE-NEXT: -4. -4.]

// CHECK-LABEL: func.func @static_range
//       CHECK:   linalg.matmul
//       CHECK:   math.roundeven
func.func @static_range() -> tensor<1x2x!quant.uniform<i8:f32, 1.0:1>> {
  %a = stablehlo.constant() {value = dense<[[5, 7]]> : tensor<1x2xi8>} : () -> tensor<1x2x!q>
  %b = stablehlo.constant() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8<-127:127>:f32, 2.0>>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2x!q>, tensor<2x2x!quant.uniform<i8<-127:127>:f32, 2.0>>) -> tensor<1x2x!quant.uniform<i8:f32, 1.0:1>>
  return %0 : tensor<1x2x!quant.uniform<i8:f32, 1.0:1>>
}
// [1, 2] x [[2, 4], [6, 8]] is [14, 20].
// STATIC: 15 21]

func.func @hybrid() -> tensor<1x2xf32> {
  %a = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = stablehlo.constant() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {2.0, 0.5}>>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {2.0, 0.5}>>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
// HYBRID: 14. 5.]

// CHECK-LABEL: func.func @conv_per_axis
//       CHECK:   linalg.conv_2d
func.func @conv_per_axis() -> tensor<1x1x1x2x!q> {
  %x = stablehlo.constant() {value = dense<[[[[5], [5]], [[7], [1]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1x!q>
  %w = stablehlo.constant() {value = dense<2> : tensor<2x2x1x2xi8>} : () -> tensor<2x2x1x2x!quant.uniform<i8<-127:127>:f32:3, {1.0, 0.25}>>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x1x!q>, tensor<2x2x1x2x!quant.uniform<i8<-127:127>:f32:3, {1.0, 0.25}>>) -> tensor<1x1x1x2x!q>
  return %0 : tensor<1x1x1x2x!q>
}
// 1 + 1 + 2 - 1 is 3: times 2 it is 6, stored as 15; times 0.5 it is 1.5, stored as 6.
// CONV: 15 6]

func.func @reduce() -> tensor<!q> {
  %x = stablehlo.constant() {value = dense<[5, 7, 9]> : tensor<3xi8>} : () -> tensor<3x!q>
  %zero = stablehlo.constant() {value = dense<3> : tensor<i8>} : () -> tensor<!q>
  %0 = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<!q>, %b: tensor<!q>):
    %1 = stablehlo.add %a, %b : tensor<!q>
    stablehlo.return %1 : tensor<!q>
  }) {dimensions = array<i64: 0>} : (tensor<3x!q>, tensor<!q>) -> tensor<!q>
  return %0 : tensor<!q>
}
// 1 + 2 + 3
// REDUCE: 15

// What only moves elements does not look at them.
// CHECK-LABEL: func.func @moved(
//  CHECK-SAME:   tensor<2x2xi8>
//   CHECK-NOT:   arith.sitofp
//       CHECK:   return
func.func @moved(%x: tensor<2x2x!q>) -> tensor<4x!q> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2x!q>) -> tensor<2x2x!q>
  %1 = stablehlo.reshape %0 : (tensor<2x2x!q>) -> tensor<4x!q>
  return %1 : tensor<4x!q>
}
// MOVED: 0 2 1 3]

// CHECK-LABEL: func.func @unsigned
//       CHECK:   arith.fptoui
//       CHECK:   arith.uitofp
func.func @unsigned() -> tensor<2xf32> {
  %f = stablehlo.constant dense<[20.0, 999.0]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %f : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8:f32, 0.1:10>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<u8:f32, 0.1:10>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
// UNSIGNED: 20. 24.5]

// 2^31 - 1 has no place in f32: the bound is the number below.
func.func @integers32() -> tensor<2x!quant.uniform<i32:f32, 1.0>> {
  %f = stablehlo.constant dense<[7.0, 1.0e30]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %f : (tensor<2xf32>) -> tensor<2x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x!quant.uniform<i32:f32, 1.0>>
}
// INTEGERS: 7 2147483520]
