// TOSA of 2023: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: tosa.clamp %0 {max_fp
// CHECK: tosa.fully_connected

func.func @old_tosa(%arg0: tensor<1x4x4x4xf32>, %w: tensor<8x1x1x4xf32>, %b: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = "tosa.conv2d"(%arg0, %w, %b) {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<8x1x1x4xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %1 = tosa.clamp %0 {max_fp = 6.0 : f32, max_int = 6 : i64, min_fp = 0.0 : f32, min_int = 0 : i64} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %2 = tosa.mul %1, %1 {shift = 0 : i32} : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %3 = tosa.reshape %2 {new_shape = array<i64: 16, 8>} : (tensor<1x4x4x8xf32>) -> tensor<16x8xf32>
  %4 = tosa.fully_connected %3, %3, %b : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<8xf32>) -> tensor<16x16xf32>
  return %2 : tensor<1x4x4x8xf32>
}
