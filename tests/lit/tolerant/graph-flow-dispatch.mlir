// A dispatch of an executable is one node, named and costed after the kernel, which has a graph of its own; at
// the level of dispatches the node stands for it.
// RUN: fuselage graph %s --format json 2>/dev/null | FileCheck %s
// RUN: fuselage graph %s --format svg --level dispatches 2>/dev/null | FileCheck %s --check-prefix=SVG

// CHECK: "flops": 65536,
// CHECK-NEXT: "function": "mm::mm_matmul_32x64x16",
// CHECK: "kind": "contraction",
// CHECK: "name": "mm::mm_matmul_32x64x16",
// CHECK: "outlined": true,
// CHECK: "bytes_read": 6144,
// CHECK-NEXT: "bytes_written": 8192,
// CHECK: "function": "mm::mm_matmul_32x64x16",
// CHECK: "name": "main",
// CHECK: "kind": "dispatch",
// CHECK-NEXT: "label": "mm_matmul_32x64x16",
// CHECK: "op": "flow.dispatch",

// SVG-NOT: <title>matmul 32x64x16
// SVG: <title>mm_matmul_32x64x16
// SVG-NOT: <title>matmul 32x64x16
flow.executable private @mm {
  flow.executable.export public @mm_matmul_32x64x16
  builtin.module {
    func.func @mm_matmul_32x64x16(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x16xf32>>, %b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x64xf32>>, %c: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x64xf32>>) {
      %zero = arith.constant 0.000000e+00 : f32
      %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 0], sizes = [32, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x16xf32>> -> tensor<32x16xf32>
      %1 = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0, 0], sizes = [16, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x64xf32>> -> tensor<16x64xf32>
      %2 = tensor.empty() : tensor<32x64xf32>
      %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<32x64xf32>) -> tensor<32x64xf32>
      %4 = linalg.matmul ins(%0, %1 : tensor<32x16xf32>, tensor<16x64xf32>) outs(%3 : tensor<32x64xf32>) -> tensor<32x64xf32>
      iree_tensor_ext.dispatch.tensor.store %4, %c, offsets = [0, 0], sizes = [32, 64], strides = [1, 1] : tensor<32x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x64xf32>>
      return
    }
  }
}
util.func public @main(%x: tensor<32x16xf32>, %w: tensor<16x64xf32>) -> tensor<32x64xf32> {
  %0 = flow.dispatch @mm::@mm_matmul_32x64x16(%x, %w) : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  util.return %0 : tensor<32x64xf32>
}
