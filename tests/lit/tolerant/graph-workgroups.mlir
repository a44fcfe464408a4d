// A region of workgroups is a cluster: a node and, under the same id, the box around its body.
// RUN: fuselage graph %s --format json 2>/dev/null | FileCheck %s

// CHECK: "clusters": [
// CHECK: "dispatch": 0,
// CHECK-NEXT: "id": [[#WORK:]],
// CHECK-NEXT: "kind": "dispatch",
// CHECK: "dispatches": [
// CHECK: "kind": "contraction",
// CHECK: "id": [[#WORK]],
// CHECK: "kind": "dispatch",
// CHECK: "op": "flow.dispatch.workgroups",
// CHECK: "label": "load 16x32",
// CHECK: "label": "matmul 16x8x32",
// CHECK: "label": "store 16x8",
func.func @scaled(%x: tensor<16x32xf32>, %w: tensor<32x8xf32>) -> tensor<16x8xf32> {
  %0 = flow.dispatch.workgroups(%x, %w) : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32> =
      (%a: !flow.dispatch.tensor<readonly:tensor<16x32xf32>>, %b: !flow.dispatch.tensor<readonly:tensor<32x8xf32>>, %c: !flow.dispatch.tensor<writeonly:tensor<16x8xf32>>) {
    %zero = arith.constant 0.000000e+00 : f32
    %la = flow.dispatch.tensor.load %a, offsets = [0, 0], sizes = [16, 32], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<16x32xf32>> -> tensor<16x32xf32>
    %lb = flow.dispatch.tensor.load %b, offsets = [0, 0], sizes = [32, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<32x8xf32>> -> tensor<32x8xf32>
    %e = tensor.empty() : tensor<16x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
    %m = linalg.matmul ins(%la, %lb : tensor<16x32xf32>, tensor<32x8xf32>) outs(%f : tensor<16x8xf32>) -> tensor<16x8xf32>
    flow.dispatch.tensor.store %m, %c, offsets = [0, 0], sizes = [16, 8], strides = [1, 1] : tensor<16x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<16x8xf32>>
    flow.return
  }
  return %0 : tensor<16x8xf32>
}
