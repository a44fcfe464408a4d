// The two stages of a transform of four numbers that are in bit-reversed order: 1, 3, 2, 4 for 1, 2, 3, 4.
// RUN: fuselage run %s --function given --print --repeat 1 | FileCheck %s
// RUN: fuselage run %s --function computed --print --repeat 1 --device vulkan:0 | FileCheck %s --check-prefix=NEAR

// CHECK: {{^}}[10. -2. -2. -2.]
// CHECK: {{^}}[ 0.  2.  0. -2.]
// NEAR: result 0 {{.*}} ok
// NEAR: result 1 {{.*}} ok
// NEAR: {{\[ *10. +-(2.|1.999999).* -2. +-2.\]}}
func.func @given() -> (tensor<4xf32>, tensor<4xf32>) {
  %re = arith.constant dense<[1.0, 3.0, 2.0, 4.0]> : tensor<4xf32>
  %im = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r1 = arith.constant dense<1.0> : tensor<1xf32>
  %i1 = arith.constant dense<-0.0> : tensor<1xf32>
  %r2 = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %i2 = arith.constant dense<[0.0, -1.0]> : tensor<2xf32>
  %a:2 = iree_linalg_ext.fft ins(%one, %r1, %i1 : index, tensor<1xf32>, tensor<1xf32>) outs(%re, %im : tensor<4xf32>, tensor<4xf32>) : tensor<4xf32>, tensor<4xf32>
  %b:2 = iree_linalg_ext.fft ins(%two, %r2, %i2 : index, tensor<2xf32>, tensor<2xf32>) outs(%a#0, %a#1 : tensor<4xf32>, tensor<4xf32>) : tensor<4xf32>, tensor<4xf32>
  return %b#0, %b#1 : tensor<4xf32>, tensor<4xf32>
}

// Without factors each stage computes its own.
func.func @computed() -> (tensor<4xf32>, tensor<4xf32>) {
  %re = arith.constant dense<[1.0, 3.0, 2.0, 4.0]> : tensor<4xf32>
  %im = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %a:2 = iree_linalg_ext.fft ins(%one : index) outs(%re, %im : tensor<4xf32>, tensor<4xf32>) : tensor<4xf32>, tensor<4xf32>
  %b:2 = iree_linalg_ext.fft ins(%two : index) outs(%a#0, %a#1 : tensor<4xf32>, tensor<4xf32>) : tensor<4xf32>, tensor<4xf32>
  return %b#0, %b#1 : tensor<4xf32>, tensor<4xf32>
}
