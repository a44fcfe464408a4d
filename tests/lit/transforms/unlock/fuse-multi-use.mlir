// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fuse-multi-use))' | FileCheck %s

// A scale is repeated in each user.

// CHECK-LABEL: func.func @cheap
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK-NEXT:      math.exp
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.negf
// CHECK-NOT:     linalg.generic
func.func @cheap(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.mul ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %n = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %l, %n : tensor<4xf32>, tensor<4xf32>
}

// -----

// An exponential is computed once, by one op with two results.

// CHECK-LABEL: func.func @dear
// CHECK:         %[[R:.*]]:2 = linalg.generic
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:           linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK:         return %[[R]]#{{.}}, %[[R]]#{{.}}
func.func @dear(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.log ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %n = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %l, %n : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @returned
// CHECK:         linalg.exp
// CHECK:         linalg.log
func.func @returned(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{stays an op of its own: 1 of 2 ops that read it cannot take it in}}
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.log ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %l, %x : tensor<4xf32>, tensor<4xf32>
}
