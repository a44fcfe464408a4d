// RUN: fuselage-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(fuselage-fuse-within-dispatches))' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @chain
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: math.exp
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = flow.dispatch.region -> (tensor<8x16xf32>) {
    %e = tensor.empty() : tensor<8x16xf32>
    %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %y = arith.mulf %in, %in : f32
      linalg.yield %y : f32
    } -> tensor<8x16xf32>
    %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %y = math.exp %in : f32
      linalg.yield %y : f32
    } -> tensor<8x16xf32>
    flow.return %b : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}

// -----

// What scales its operand joins the payload of a contraction; what unpacks narrow integers does not.
#id = affine_map<(d0, d1) -> (d0, d1)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @dequantize
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: arith.sitofp
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[W]] :
// CHECK-NEXT: ^bb0
// CHECK: arith.negf
// CHECK: arith.mulf
func.func @dequantize(%x: tensor<8x16xf32>, %q: tensor<16x32xi4>, %init: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %r = flow.dispatch.region -> (tensor<8x32xf32>) {
    %we = tensor.empty() : tensor<16x32xf32>
    %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%q : tensor<16x32xi4>) outs(%we : tensor<16x32xf32>) {
    ^bb0(%in: i4, %o: f32):
      %f = arith.sitofp %in : i4 to f32
      linalg.yield %f : f32
    } -> tensor<16x32xf32>
    %xe = tensor.empty() : tensor<8x16xf32>
    %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x16xf32>) outs(%xe : tensor<8x16xf32>) {
    ^bb0(%in: f32, %o: f32):
      %y = arith.negf %in : f32
      linalg.yield %y : f32
    } -> tensor<8x16xf32>
    %y = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%n, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<8x32xf32>
    flow.return %y : tensor<8x32xf32>
  }
  return %r : tensor<8x32xf32>
}
