// Through a pad, a strided slice, a reshape, a transpose, a concatenation and a window; exact.
// RUN: fuselage tiles %s --op %y --sizes 4 --tile 1 --fuse | FileCheck %s

func.func @f(%a: tensor<8x4xf32>, %b: tensor<6xf32>, %w: tensor<3xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%a : tensor<8x4xf32>) outs(%te : tensor<4x8xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %s = tensor.extract_slice %c[1] [10] [3] : tensor<32xf32> to tensor<10xf32>
  %k = tensor.concat dim(0) %s, %b : (tensor<10xf32>, tensor<6xf32>) -> tensor<16xf32>
  %p = tensor.pad %k low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<16xf32> to tensor<18xf32>
  %ye = tensor.empty() : tensor<16xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<16xf32>) -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%p, %w : tensor<18xf32>, tensor<3xf32>) outs(%yf : tensor<16xf32>) {
  ^bb0(%in: f32, %k0: f32, %out: f32):
    %m = arith.mulf %in, %k0 : f32
    %add = arith.addf %out, %m : f32
    linalg.yield %add : f32
  } -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// The tile computes y[4..8): the window reads p[4..10), which is k[3..9), s[3..9), c[10, 13, .., 25].
// CHECK: fused producers
// CHECK: linalg.fill
// CHECK-NEXT: [4:8], 4 elements
// CHECK: tensor.pad
// CHECK-NEXT: [4:10], 6 elements, halo 2
// CHECK-NEXT: 6 of 18 points a tile; recompute 1.333
// CHECK: tensor.concat
// CHECK-NEXT: [3:9], 6 elements
// CHECK: tensor.extract_slice
// CHECK-NEXT: [3:9], 6 elements
// CHECK: tensor.collapse_shape
// CHECK-NEXT: [10:26:3], 6 elements
// CHECK: linalg.transpose
// CHECK-NEXT: 3 pieces within [1:4, 0:7], 6 elements
// CHECK: read from memory
