// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups,fuselage-fuse-producers))' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Both uses of the exponentials are one tile; nothing is computed outside.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT:     linalg.
// CHECK:         scf.forall
// CHECK:           linalg.fill
// CHECK:           arith.maximumf
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:           arith.addf
// CHECK:           arith.divf
// CHECK:         scf.forall.in_parallel
func.func @softmax(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {fuselage.dispatch = 0 : i64} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %full = tensor.empty() : tensor<64x128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%lows : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.maximumf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<64x128xf32>, tensor<64xf32>) outs(%full : tensor<64x128xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %d = arith.subf %in, %b : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<64x128xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%full : tensor<64x128xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %y = arith.divf %in, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %p : tensor<64x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A product that is needed outside as well is a second result of the loop.
// CHECK-LABEL: func.func @product_escapes
// CHECK-NOT:     linalg.
// CHECK:         %[[LOOP:.+]]:2 = scf.forall (%{{.+}}, %{{.+}}) in (2, 2) shared_outs
// CHECK:           %[[MM:.+]] = linalg.matmul
// CHECK:           linalg.generic {{.*}} ins(%[[MM]]
// CHECK:           scf.forall.in_parallel
// CHECK-COUNT-2:     tensor.parallel_insert_slice
// CHECK:         return %[[LOOP]]#1, %[[LOOP]]#0
func.func @product_escapes(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>)
    attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<64x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>) outs(%fill : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm : tensor<64x128xf32>) outs(%init : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.negf %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %mm, %r : tensor<64x128xf32>, tensor<64x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A row's norm would be computed by every workgroup along the row of the product: it gets a loop
// of its own. The scaling itself is cheap and moves into the matmul's loop.
// CHECK-LABEL: func.func @norm_then_matmul
// CHECK:         %[[NORM:.+]] = scf.forall
// CHECK:           linalg.generic {{.*}}"reduction"
// CHECK:         scf.forall
// CHECK:           tensor.extract_slice %[[NORM]]
// CHECK:           linalg.generic
// CHECK:           linalg.fill
// CHECK:           linalg.matmul
func.func @norm_then_matmul(%x: tensor<128x256xf32>, %w: tensor<256x512xf32>) -> tensor<128x512xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%rows : tensor<128xf32>) -> tensor<128xf32>
  %norm = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x256xf32>) outs(%fill : tensor<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %y = arith.addf %q, %out : f32
    linalg.yield %y : f32
  } -> tensor<128xf32>
  %full = tensor.empty() : tensor<128x256xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %norm : tensor<128x256xf32>, tensor<128xf32>) outs(%full : tensor<128x256xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %y = arith.divf %in, %b : f32
    linalg.yield %y : f32
  } -> tensor<128x256xf32>
  %init = tensor.empty() : tensor<128x512xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>
  %mm = linalg.matmul ins(%scaled, %w : tensor<128x256xf32>, tensor<256x512xf32>) outs(%zeros : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %mm : tensor<128x512xf32>
}

// -----

// The distinct destinations of two fills of one shape stay distinct: they become two buffers.
// CHECK-LABEL: func.func @two_fills
// CHECK:         scf.forall
// CHECK:           %[[A:.+]] = tensor.empty() : tensor<4xf32>
// CHECK:           %[[B:.+]] = tensor.empty() : tensor<4xf32>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @two_fills(%x: tensor<8x512xf32>) -> tensor<8x512xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %s0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x512xf32>) outs(%f0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %s1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x512xf32>) outs(%f1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.maximumf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %full = tensor.empty() : tensor<8x512xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s0, %s1 : tensor<8x512xf32>, tensor<8xf32>, tensor<8xf32>) outs(%full : tensor<8x512xf32>) {
  ^bb0(%in: f32, %b: f32, %c: f32, %out: f32):
    %d = arith.subf %in, %c : f32
    %y = arith.divf %d, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x512xf32>
  return %r : tensor<8x512xf32>
}
