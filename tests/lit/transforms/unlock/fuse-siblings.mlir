// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-fuse-siblings))' | FileCheck %s
// RUN: fuselage fuse %s --all | FileCheck %s --check-prefix=FUSE

// FUSE: dispatches: 9 before, 6 after
// FUSE: @one_transposed: max abs error 0.00e+00, {{.*}}ok

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// The second op walks its loops in the order of the first one, and writes what it wrote.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[TURNED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: @one_transposed
// CHECK: %[[BOTH:.*]]:2 = linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[TURNED]]], {{.*}} ins(%{{.*}} : tensor<4x8xf32>)
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @one_transposed(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = tensor.empty() : tensor<8x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%t : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<8x4xf32>
  return %a, %b : tensor<4x8xf32>, tensor<8x4xf32>
}

// Cosine and sine of the same angles.
// CHECK-LABEL: @cosine_and_sine
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: math.cos
// CHECK: math.sin
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @cosine_and_sine(%x: tensor<?x8xf32>, %n: index) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.cos %in : f32
    linalg.yield %v : f32
  } -> tensor<?x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.sin %in : f32
    linalg.yield %v : f32
  } -> tensor<?x8xf32>
  return %a, %b : tensor<?x8xf32>, tensor<?x8xf32>
}

// The one waits for a product between them, the other is read by it.
// CHECK-LABEL: @product_between
// CHECK-NOT: :2 = linalg.generic
// CHECK: return
func.func @product_between(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.negf ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p, %b : tensor<8x8xf32>, tensor<8x8xf32>
}

// What follows a product goes into its dispatch, where it can; the transposed reader walks the product's order.
// CHECK-LABEL: @behind_product
// CHECK-NOT: :2 = linalg.generic
// CHECK: return
func.func @behind_product(%x: tensor<8x4xf32>, %y: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %t = tensor.empty() : tensor<6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %p = linalg.matmul ins(%x, %y : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  %a = linalg.exp ins(%p : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %b = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x6xf32>) outs(%t : tensor<6x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  return %a, %b : tensor<8x6xf32>, tensor<6x8xf32>
}
