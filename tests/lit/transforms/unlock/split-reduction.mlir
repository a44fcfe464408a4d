// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-split-reduction))' | FileCheck %s
// RUN: fuselage fuse %s --all | FileCheck %s --check-prefix=FUSE

// FUSE: dispatches: 6 before, 5 after
// FUSE: @softmax: max abs error 0.00e+00, {{.*}}ok

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Exponentials that are stored while they are added up: an elementwise op, and a sum of what that computes. They share
// the dispatch of the maximum then.
// CHECK-LABEL: @softmax
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %[[MAX]] :
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[EXP]] : tensor<4x8xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf
// CHECK: linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]] :
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %most: f32):
    %larger = arith.maximumf %in, %most : f32
    linalg.yield %larger : f32
  } -> tensor<4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %both:2 = linalg.generic {indexing_maps = [#all, #row, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%e, %g : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %most: f32, %old: f32, %sum: f32):
    %shifted = arith.subf %in, %most : f32
    %exp = math.exp %shifted : f32
    %next = arith.addf %exp, %sum : f32
    linalg.yield %exp, %next : f32, f32
  } -> (tensor<4x8xf32>, tensor<4xf32>)
  %out = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%both#0, %both#1 : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %old: f32):
    %quotient = arith.divf %in, %sum : f32
    linalg.yield %quotient : f32
  } -> tensor<4x8xf32>
  return %out : tensor<4x8xf32>
}

// A running sum is made of what was computed before: it stays.
// CHECK-LABEL: @running
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @running(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>, %zero: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %both:2 = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%e, %zero : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %old: f32, %sum: f32):
    %next = arith.addf %in, %sum : f32
    linalg.yield %next, %next : f32, f32
  } -> (tensor<4x8xf32>, tensor<4xf32>)
  return %both#0, %both#1 : tensor<4x8xf32>, tensor<4xf32>
}

// What the reduction overwrites with the same value again and again is computed by an op of its own.
// CHECK-LABEL: @overwritten
// CHECK-DAG: %[[COUNT:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} outs(%{{.*}} : tensor<8xf32>)
// CHECK-DAG: %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: return %[[SUM]], %[[COUNT]]
func.func @overwritten(%x: tensor<4x8xf32>, %zero: tensor<8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %both:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #row, #row],
                            iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%zero, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32, %count: f32):
    %index = linalg.index 0 : index
    %integer = arith.index_cast %index : index to i64
    %number = arith.sitofp %integer : i64 to f32
    %next = arith.addf %in, %sum : f32
    linalg.yield %next, %number : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %both#0, %both#1 : tensor<8xf32>, tensor<8xf32>
}

// The last iteration's value is another one than the first's: nothing to take out.
// CHECK-LABEL: @last_index
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @last_index(%x: tensor<4x8xf32>, %zero: tensor<4xf32>, %e: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %both:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%zero, %e : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %sum: f32, %last: i64):
    %index = linalg.index 1 : index
    %integer = arith.index_cast %index : index to i64
    %next = arith.addf %in, %sum : f32
    linalg.yield %next, %integer : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %both#0, %both#1 : tensor<4xf32>, tensor<4xi64>
}
