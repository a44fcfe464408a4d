// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function of_2021 --repeat 1 --print | FileCheck %s --check-prefix=OLDEST
// RUN: fuselage run %s --function gather_2021 --repeat 1 --print | FileCheck %s --check-prefix=GATHER
// RUN: fuselage run %s --function loop_2021 --repeat 1 --print | FileCheck %s --check-prefix=LOOP
// RUN: fuselage run %s --function of_2022 --repeat 1 --print | FileCheck %s --check-prefix=MIDDLE
// RUN: fuselage run %s --function of_2023 --repeat 1 --print | FileCheck %s --check-prefix=LATEST
// RUN: fuselage run %s --function fused --repeat 1 --print | FileCheck %s --check-prefix=FUSED
// Programs as each year's compilers printed them.

// Strings for what became attributes, dictionaries for dimension numbers, regions in `( {`.
// CHECK-LABEL: func.func @of_2021
//   CHECK-NOT:   mhlo
//       CHECK:   linalg.matmul
//       CHECK:   linalg.reduce
func @of_2021() -> (tensor<2xf32>, tensor<2x2xi1>) {
  %x = mhlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %zero = mhlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "mhlo.dot_general"(%x, %x) {dot_dimension_numbers = {lhs_batching_dimensions = dense<> : tensor<0xi64>, lhs_contracting_dimensions = dense<1> : tensor<1xi64>, rhs_batching_dimensions = dense<> : tensor<0xi64>, rhs_contracting_dimensions = dense<0> : tensor<1xi64>}, precision_config = ["DEFAULT", "DEFAULT"]} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "mhlo.reduce"(%0, %zero) ( {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):  // no predecessors
    %4 = mhlo.add %a, %b : tensor<f32>
    "mhlo.return"(%4) : (tensor<f32>) -> ()
  }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = "mhlo.broadcast_in_dim"(%zero) {broadcast_dimensions = dense<> : tensor<0xi64>} : (tensor<f32>) -> tensor<2x2xf32>
  %3 = "mhlo.compare"(%x, %2) {comparison_direction = "GT"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  return %1, %3 : tensor<2xf32>, tensor<2x2xi1>
}
// OLDEST: [17. 37.]

func @gather_2021() -> (tensor<2x3xf32>, tensor<1x2xf32>) {
  %x = mhlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %i = mhlo.constant dense<[2, 0]> : tensor<2xi32>
  %0 = "mhlo.gather"(%x, %i) {dimension_numbers = {collapsed_slice_dims = dense<0> : tensor<1xi64>, index_vector_dim = 1 : i64, offset_dims = dense<1> : tensor<1xi64>, start_index_map = dense<0> : tensor<1xi64>}, indices_are_sorted = false, slice_sizes = dense<[1, 3]> : tensor<2xi64>} : (tensor<3x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %one = mhlo.constant dense<1> : tensor<i32>
  %1 = "mhlo.dynamic-slice"(%x, %one, %one) {slice_sizes = dense<[1, 2]> : tensor<2xi64>} : (tensor<3x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<1x2xf32>
}
// GATHER: 7. 8. 9.]
// GATHER: 1. 2. 3.]
// GATHER: 5. 6.]

func @loop_2021() -> tensor<i32> {
  %zero = mhlo.constant dense<0> : tensor<i32>
  %0:2 = "mhlo.while"(%zero, %zero) ( {
  ^bb0(%i: tensor<i32>, %sum: tensor<i32>):
    %five = mhlo.constant dense<5> : tensor<i32>
    %1 = "mhlo.compare"(%i, %five) {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "mhlo.return"(%1) : (tensor<i1>) -> ()
  },  {
  ^bb0(%i: tensor<i32>, %sum: tensor<i32>):
    %one = mhlo.constant dense<1> : tensor<i32>
    %1 = mhlo.add %i, %one : tensor<i32>
    %2 = mhlo.add %sum, %i : tensor<i32>
    "mhlo.return"(%1, %2) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %0#1 : tensor<i32>
}
// LOOP: 10

// Attributes in angle brackets and after a dot.
// CHECK-LABEL: func.func @of_2022
//   CHECK-NOT:   mhlo
func.func @of_2022() -> (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) {
  %x = mhlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %zero = mhlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "mhlo.dot_general"(%x, %x) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = mhlo.reduce(%0 init: %zero) applies mhlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = "mhlo.compare"(%x, %0) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  %3 = "mhlo.select"(%2, %x, %0) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = "mhlo.slice"(%x) {limit_indices = dense<[1, 2]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<2x2xf32>) -> tensor<1x2xf32>
  %5 = "mhlo.reshape"(%4) : (tensor<1x2xf32>) -> tensor<2xf32>
  return %1, %3, %5 : tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>
}
// MIDDLE: [11. 25.]
// MIDDLE: 1. 2.]
// MIDDLE: 3. 4.]
// MIDDLE: [1. 2.]

// Short forms, and properties in `<{ }>`.
// CHECK-LABEL: func.func @of_2023
//   CHECK-NOT:   mhlo
func.func @of_2023() -> (tensor<2xf32>, tensor<2xi32>, tensor<3xf32>, tensor<3xf32>) {
  %x = mhlo.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %0:2 = mhlo.topk(%x, k = 2, largest = true) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %1 = mhlo.erf %x : tensor<3xf32>
  %2 = "mhlo.copy"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %3 = mhlo.tan %2 : tensor<3xf32>
  %token = "mhlo.create_token"() : () -> !mhlo.token
  %4 = "mhlo.add_dependency"(%3, %token) : (tensor<3xf32>, !mhlo.token) -> tensor<3xf32>
  return %0#0, %0#1, %1, %4 : tensor<2xf32>, tensor<2xi32>, tensor<3xf32>, tensor<3xf32>
}
// LATEST: [3. 2.]
// LATEST: [1 2]
// LATEST: [0.84270{{.*}} 0.99997{{.*}} 0.99532{{.*}}]
// LATEST: [ 1.5574{{.*}} -0.14254{{.*}} -2.1850{{.*}}]

// What a compiler had fused is opened: which ops share a kernel is decided here.
// CHECK-LABEL: func.func @fused
//   CHECK-NOT:   mhlo
func.func @fused() -> tensor<2xf32> {
  %x = mhlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    %1 = mhlo.multiply %a, %a : tensor<2xf32>
    %2 = mhlo.add %1, %a : tensor<2xf32>
    mhlo.return %2 : tensor<2xf32>
  }) {fusion_kind = #mhlo<fusion_kind kLoop>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// FUSED: [ 2. 12.]
