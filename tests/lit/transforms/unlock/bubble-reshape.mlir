// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-bubble-reshape-up))' | FileCheck %s --check-prefix=UP
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-bubble-reshape-down))' | FileCheck %s --check-prefix=DOWN
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-bubble-reshape-down{by-collapsing=true}))' | FileCheck %s --check-prefix=FEWER

// A product whose columns are split into heads gets a loop over heads.

// UP-LABEL: func.func @split_heads
// UP:         tensor.expand_shape %{{.*}} output_shape [8, 3, 4] : tensor<8x12xf32>
// UP:         linalg.generic
// UP-SAME:      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// UP:         tensor.expand_shape %{{.*}} output_shape [3, 4] : tensor<12xf32>
// UP:         linalg.generic
// UP-SAME:      iterator_types = ["parallel", "parallel", "parallel"]
// UP:         linalg.exp
// UP-NOT:     expand_shape
// DOWN-LABEL: func.func @split_heads
// DOWN:         linalg.matmul
// DOWN:         tensor.expand_shape
// DOWN:         linalg.exp
// FEWER-LABEL: func.func @split_heads
// FEWER:         iterator_types = ["parallel", "parallel", "reduction"]
// FEWER:         ins(%{{.*}} : tensor<6x12xf32>) outs(%{{.*}} : tensor<6x12xf32>)
// FEWER:           math.exp
// FEWER:         tensor.expand_shape
// FEWER-NEXT:    return
#id = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>
func.func @split_heads(%x: tensor<6x8xf32>, %w: tensor<8x12xf32>, %b: tensor<12xf32>) -> tensor<6x3x4xf32> {
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
  %e3 = tensor.empty() : tensor<6x3x4xf32>
  %x3 = linalg.exp ins(%heads : tensor<6x3x4xf32>) outs(%e3 : tensor<6x3x4xf32>) -> tensor<6x3x4xf32>
  return %x3 : tensor<6x3x4xf32>
}

// -----

// A merge of dimensions moves after what reads it. At the end of the function it costs nothing.

// DOWN-LABEL: func.func @merge
// DOWN:         linalg.exp
// DOWN-NOT:     collapse_shape
// DOWN:         %[[R:.*]] = linalg.{{.*}} ins(%{{.*}} : tensor<2x3x4xf32>)
// DOWN:         %[[C:.*]] = tensor.collapse_shape %[[R]]
// DOWN-NEXT:    return %[[C]]
// UP-LABEL: func.func @merge
// UP:         linalg.exp
// UP:         tensor.collapse_shape
// UP:         linalg.abs ins(%{{.*}} : tensor<6x4xf32>)
func.func @merge(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %e3 = tensor.empty() : tensor<2x3x4xf32>
  %a = linalg.exp ins(%x : tensor<2x3x4xf32>) outs(%e3 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %r = linalg.abs ins(%c : tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
