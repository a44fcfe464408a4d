// A loop that is called parallel and whose iterations write the same element is a reduction.
// RUN: fuselage-opt %s --fuselage-normalize-foreign | FileCheck %s

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#rows = affine_map<(i, j) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> (i + j)>
#columns = affine_map<(i, j) -> (j)>
#shifted = affine_map<(i, j) -> (2 * i + 1, j)>

// CHECK-LABEL: @scalar
// CHECK: iterator_types = ["reduction"]
func.func @scalar(%a: tensor<64xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @rows
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @rows(%a: tensor<4x8xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#both, #rows], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A convolution that is written as a scatter.
// CHECK-LABEL: @scatter
// CHECK: iterator_types = ["reduction", "reduction"]
func.func @scatter(%a: tensor<8xf32>, %w: tensor<3xf32>, %z: tensor<10xf32>) -> tensor<10xf32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : tensor<8xf32>, tensor<3xf32>) outs(%z : tensor<10xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// Each iteration has an element of its own, in the last dimension as there is one iteration.
// CHECK-LABEL: @apart
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK: iterator_types = ["parallel", "parallel"]
func.func @apart(%a: tensor<4x8xf32>, %b: tensor<4x1xf32>, %z: tensor<9x8xf32>, %y: tensor<4xf32>) -> (tensor<9x8xf32>, tensor<4xf32>) {
  %r = linalg.generic {indexing_maps = [#both, #shifted], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%z : tensor<9x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<9x8xf32>
  %s = linalg.generic {indexing_maps = [#both, #rows], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x1xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r, %s : tensor<9x8xf32>, tensor<4xf32>
}
