// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function products --repeat 1 --print | FileCheck %s --check-prefix=PRODUCTS
// RUN: fuselage run %s --function select --repeat 1 --print | FileCheck %s --check-prefix=SELECT
// RUN: fuselage run %s --function broadcasts --repeat 1 --print | FileCheck %s --check-prefix=BROADCASTS

// CHECK-LABEL: func.func @products
//   CHECK-NOT:   stablehlo
func.func @products() -> (tensor<2x2xf32>, tensor<2xf32>, tensor<f32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = stablehlo.einsum %x, %x, config = "ab,cb->ca" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.unary_einsum"(%x) {einsum_config = "ii->i"} : (tensor<2x2xf32>) -> tensor<2xf32>
  %2 = "mhlo.unary_einsum"(%x) {einsum_config = "ab->"} : (tensor<2x2xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2xf32>, tensor<f32>
}
// PRODUCTS: 5. 11.]
// PRODUCTS: 11. 25.]
// PRODUCTS: [1. 4.]
// PRODUCTS: 10

// Indices beyond the edge take what is at the edge.
// CHECK-LABEL: func.func @select
//   CHECK-NOT:   stablehlo
func.func @select() -> (tensor<2x3xi32>, tensor<2x2xi32>) {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %i = stablehlo.constant dense<[1, 0, 7]> : tensor<3xi32>
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x2xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  %j = stablehlo.constant dense<[[1, 1], [0, 1]]> : tensor<2x2xi32>
  %1 = "stablehlo.torch_index_select"(%x, %j) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<2x2xi32>
}
// SELECT: 2 1 2]
// SELECT: 4 3 4]
// SELECT: 2 2]
// SELECT: 3 4]

// CHLO's broadcasts: with the last dimensions, or those that an attribute names.
// CHECK-LABEL: func.func @broadcasts
//   CHECK-NOT:   chlo
func.func @broadcasts() -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %0 = chlo.broadcast_add %x, %y : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  %1 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  %c = chlo.broadcast_compare %y, %x {comparison_direction = #chlo<comparison_direction GT>} : (tensor<2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
  %2 = chlo.broadcast_select %c, %x, %y : (tensor<2x2xi1>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %0, %1, %2 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
}
// BROADCASTS: 11 22]
// BROADCASTS: 13 24]
// BROADCASTS: 11 12]
// BROADCASTS: 23 24]
// BROADCASTS: 1 2]
// BROADCASTS: 3 4]
