// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-drop-unused-results))' | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// The position of the maximum goes, and with it the loop's index.
// CHECK-LABEL: @maximum_with_position
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK-NOT: linalg.index
// CHECK: return %[[MAX]]
func.func @maximum_with_position(%x: tensor<4x8xf32>, %lowest: tensor<4xf32>, %zero: tensor<4xi64>) -> tensor<4xf32> {
  %max:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%lowest, %zero : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %most: f32, %at: i64):
    %index = linalg.index 1 : index
    %position = arith.index_cast %index : index to i64
    %larger = arith.maximumf %in, %most : f32
    %isLarger = arith.cmpf ogt, %in, %most : f32
    %where = arith.select %isLarger, %position, %at : i64
    linalg.yield %larger, %where : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %max#0 : tensor<4xf32>
}

// A result that another one is computed from stays.
// CHECK-LABEL: @position_of_maximum
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: return %[[BOTH]]#1
func.func @position_of_maximum(%x: tensor<4x8xf32>, %lowest: tensor<4xf32>, %zero: tensor<4xi64>) -> tensor<4xi64> {
  %max:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%lowest, %zero : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %most: f32, %at: i64):
    %index = linalg.index 1 : index
    %position = arith.index_cast %index : index to i64
    %larger = arith.maximumf %in, %most : f32
    %isLarger = arith.cmpf ogt, %in, %most : f32
    %where = arith.select %isLarger, %position, %at : i64
    linalg.yield %larger, %where : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %max#1 : tensor<4xi64>
}
