// The graph of a program in StableHLO is that of what it is lowered to; an op that has no lowering is a node of the kind
// that its name says. Nothing is said of an unknown dialect.
// RUN: fuselage graph %s --format json 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t

// SAID-NOT: unknown
// SAID:     graph-stablehlo.mlir:[[# @LINE + 19]]:8: remark: stays as it is: nothing here knows the function 'tanh_approx'

// CHECK: "name": "predict",
// CHECK: "label": "matmul 8x16x4",
// CHECK: "op": "linalg.matmul",
// CHECK: "kind": "reshape",
// CHECK-NEXT: "label": "collapse_shape",
// CHECK: "kind": "slice",
// CHECK-NEXT: "label": "extract_slice 64",
// CHECK: "kind": "compute",
// CHECK-NEXT: "label": "add 64",
// CHECK: "kind": "call",
// CHECK-NEXT: "label": "call @tanh_approx",
func.func @predict(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<64xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x16xf32>) -> tensor<128xf32>
  %2 = stablehlo.slice %1 [0:64] : (tensor<128xf32>) -> tensor<64xf32>
  %3 = stablehlo.add %2, %zero : tensor<64xf32>
  %4 = stablehlo.custom_call @tanh_approx(%3) : (tensor<64xf32>) -> tensor<64xf32>
  return %4 : tensor<64xf32>
}
