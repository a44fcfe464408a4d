// StableHLO ops are nodes of the kinds that their names say, labelled with the shapes that they make; edges
// have the bytes of their tensors.
// RUN: fuselage graph %s --format json 2>/dev/null | FileCheck %s

// CHECK: "edges": [
// CHECK: "bytes": 128,
// CHECK: "bytes": 256,
// CHECK: "bytes": 512,
// CHECK: "name": "predict",
// CHECK: "kind": "constant",
// CHECK-NEXT: "label": "constant 0",
// CHECK: "kind": "compute",
// CHECK-NEXT: "label": "dot_general 8x16",
// CHECK: "op": "stablehlo.dot_general",
// CHECK: "kind": "reshape",
// CHECK-NEXT: "label": "reshape 128",
// CHECK: "kind": "slice",
// CHECK-NEXT: "label": "slice 64",
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
