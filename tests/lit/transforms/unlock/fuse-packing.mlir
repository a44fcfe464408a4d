// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-fuse-packing))' | FileCheck %s
// RUN: fuselage fuse %s --all | FileCheck %s --check-prefix=FUSE

// FUSE: dispatches: 9 before, 6 after
// FUSE: @unpack_add_pack: max abs error 0.00e+00, {{.*}}ok

#all = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @unpack_add_pack
// CHECK: flow.dispatch.region
// CHECK: linalg.unpack
// CHECK: linalg.generic
// CHECK: linalg.pack
// CHECK: flow.return
func.func @unpack_add_pack(%x: tensor<4x4x8x4xf32>) -> tensor<4x4x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %plain = tensor.empty() : tensor<31x15xf32>
  %u = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %plain : tensor<4x4x8x4xf32> -> tensor<31x15xf32>
  %g = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%u : tensor<31x15xf32>) outs(%plain : tensor<31x15xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<31x15xf32>
  %packed = tensor.empty() : tensor<4x4x8x4xf32>
  %p = linalg.pack %g padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %packed
      : tensor<31x15xf32> -> tensor<4x4x8x4xf32>
  return %p : tensor<4x4x8x4xf32>
}

// CHECK-LABEL: @product_padded
// CHECK: flow.dispatch.region
// CHECK: linalg.matmul
// CHECK: tensor.pad
// CHECK: flow.return
func.func @product_padded(%a: tensor<10x5xf32>, %b: tensor<5x7xf32>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x7xf32>) -> tensor<10x7xf32>
  %m = linalg.matmul ins(%a, %b : tensor<10x5xf32>, tensor<5x7xf32>) outs(%f : tensor<10x7xf32>) -> tensor<10x7xf32>
  %p = tensor.pad %m low[0, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x7xf32> to tensor<12x8xf32>
  return %p : tensor<12x8xf32>
}

// What others read as well is stored: no dispatch around both.
// CHECK-LABEL: @read_twice
// CHECK-NOT: flow.dispatch.region
func.func @read_twice(%a: tensor<10x7xf32>) -> (tensor<12x8xf32>, tensor<10x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x7xf32>
  %g = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<10x7xf32>) outs(%e : tensor<10x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.exp %in : f32
    linalg.yield %s : f32
  } -> tensor<10x7xf32>
  %p = tensor.pad %g low[0, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x7xf32> to tensor<12x8xf32>
  return %p, %g : tensor<12x8xf32>, tensor<10x7xf32>
}

// The reshape between what is unpacked and what is computed moves after that.
// CHECK-LABEL: @unpack_split
// CHECK: %[[D:.*]] = flow.dispatch.region -> (tensor<8x16xf32>)
// CHECK: linalg.unpack
// CHECK: math.exp
// CHECK: tensor.expand_shape %[[D]]
func.func @unpack_split(%x: tensor<2x4x4x4xf32>) -> tensor<8x2x8xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %u = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<2x4x4x4xf32> -> tensor<8x16xf32>
  %s = tensor.expand_shape %u [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
  %e3 = tensor.empty() : tensor<8x2x8xf32>
  %r = linalg.exp ins(%s : tensor<8x2x8xf32>) outs(%e3 : tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
  return %r : tensor<8x2x8xf32>
}

// The size of what is padded is asked of what is before the dispatch.
// CHECK-LABEL: @pad_of_dynamic
// CHECK-SAME: (%[[X:.*]]: tensor<?x7xf32>, %[[N:.*]]: index)
// CHECK-NOT: tensor.dim
// CHECK: flow.dispatch.region -> (tensor<?x8xf32>{%[[N]]})
// CHECK: linalg.exp
// CHECK: tensor.pad
func.func @pad_of_dynamic(%x: tensor<?x7xf32>, %n: index) -> tensor<?x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x7xf32>
  %g = linalg.exp ins(%x : tensor<?x7xf32>) outs(%e : tensor<?x7xf32>) -> tensor<?x7xf32>
  %p = tensor.pad %g low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x7xf32> to tensor<?x8xf32>
  return %p : tensor<?x8xf32>
}
