// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches))' | FileCheck %s --check-prefix=BEFORE
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-fuse-epilogue,fuselage-form-dispatches))' | FileCheck %s

// Bias, split into heads, transpose: three dispatches' worth of traffic after one product.

// BEFORE-COUNT-2: flow.dispatch.region
// BEFORE-NOT:     flow.dispatch.region

// CHECK-COUNT-1:  flow.dispatch.region
// CHECK-NOT:      flow.dispatch.region
// CHECK:          flow.return %{{.*}} : tensor<3x6x4xf32>
#id = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>
func.func @heads(%x: tensor<6x8xf32>, %w: tensor<8x12xf32>, %b: tensor<12xf32>) -> tensor<3x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x12xf32>) -> tensor<6x12xf32>
  %m = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x12xf32>) outs(%f : tensor<6x12xf32>) -> tensor<6x12xf32>
  %s = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<6x12xf32>, tensor<12xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %r = arith.addf %in, %bias : f32
    linalg.yield %r : f32
  } -> tensor<6x12xf32>
  %heads = tensor.expand_shape %s [[0], [1, 2]] output_shape [6, 3, 4] : tensor<6x12xf32> into tensor<6x3x4xf32>
  %e3 = tensor.empty() : tensor<3x6x4xf32>
  %t = linalg.transpose ins(%heads : tensor<6x3x4xf32>) outs(%e3 : tensor<3x6x4xf32>) permutation = [1, 0, 2]
  return %t : tensor<3x6x4xf32>
}
