// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-absorb-pad))' | FileCheck %s
// RUN: fuselage fuse %s --all | FileCheck %s --check-prefix=FUSE

// FUSE: dispatches: 4 before, 2 after
// FUSE: @window: max abs error 0.00e+00, {{.*}}ok

// CHECK-LABEL: @window
// CHECK-SAME: (%[[X:.*]]: tensor<6x6xf32>)
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic
// CHECK: arith.subi
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi slt
// CHECK: %[[IN:.*]] = tensor.extract %[[X]]
// CHECK: arith.select %{{.*}}, %[[IN]], %cst
func.func @window(%x: tensor<6x6xf32>) -> tensor<8x7xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[1, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<6x6xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<8x7xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %next = arith.addi %j, %c1 : index
    %v = tensor.extract %p[%i, %next] : tensor<8x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x7xf32>
  return %r : tensor<8x7xf32>
}

// Of a table that is made of another one, only what is looked up is made.
// CHECK-LABEL: @looked_up
// CHECK-SAME: (%[[TABLE:.*]]: tensor<64x8xi8>,
// CHECK: linalg.generic
// CHECK: %[[OLD:.*]] = tensor.extract %[[TABLE]]
// CHECK: arith.sitofp %[[OLD]]
// CHECK-NOT: linalg.generic
func.func @looked_up(%table: tensor<64x8xi8>, %at: tensor<4xi32>) -> tensor<4x8xf32> {
  %f = tensor.empty() : tensor<64x8xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]} ins(%table : tensor<64x8xi8>) outs(%f : tensor<64x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %v = arith.sitofp %in : i8 to f32
    linalg.yield %v : f32
  } -> tensor<64x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]} ins(%at : tensor<4xi32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: i32, %out: f32):
    %i = arith.index_cast %in : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%i, %j] : tensor<64x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
