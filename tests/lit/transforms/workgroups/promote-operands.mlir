// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups,fuselage-fuse-producers,fuselage-tile-reductions,fuselage-promote-operands,fuselage-swap-alloc-tensor))' 2>&1 | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// The tile of A is copied. The transposed tile of B is computed here, so that its destination is
// the workgroup memory itself.
// CHECK-LABEL: func.func @transposed_weight
// CHECK:         scf.for
// CHECK:           %[[B:.+]] = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<32x64xf32>
// CHECK:           %[[T:.+]] = linalg.generic {{.*}} outs(%[[B]] : tensor<32x64xf32>)
// CHECK:           %[[A:.+]] = bufferization.alloc_tensor() copy(%{{.+}}) {memory_space = #gpu.address_space<workgroup>} : tensor<32x32xf32>
// CHECK:           linalg.matmul {{.*}}ins(%[[A]], %[[T]] : tensor<32x32xf32>, tensor<32x64xf32>)
func.func @transposed_weight(%a: tensor<128x768xf32>, %w: tensor<768x768xf32>) -> tensor<128x768xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<768x768xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<768x768xf32>) outs(%e : tensor<768x768xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<768x768xf32>
  %init = tensor.empty() : tensor<128x768xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<128x768xf32>) -> tensor<128x768xf32>
  %mm = linalg.matmul ins(%a, %t : tensor<128x768xf32>, tensor<768x768xf32>) outs(%fill : tensor<128x768xf32>) -> tensor<128x768xf32>
  return %mm : tensor<128x768xf32>
}
