// Ops of other MLIR versions as the reader hands them over.
#map0 = affine_map<(d0, d1) -> (d0, d1)>
#trait = {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel"]}
func.func @generic_2020(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = std.constant 0 : index
  %cst = std.constant 0.000000e+00 : f32
  %t = std.constant true
  %0 = Linalg.generic #trait ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = std.addf %x, %y : f32
    Linalg.yield %z : f32
  } -> tensor<4x8xf32>
  %1 = Linalg.init_tensor [4, %n] : tensor<4x?xf32>
  %2 = Linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) init(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = Linalg.fill(%cst, %1) : f32, tensor<4x?xf32> -> tensor<4x?xf32>
  %4 = std.subtensor %0[%c0, 0] [1, 3] [1, 1] : tensor<4x8xf32> to tensor<1x3xf32>
  %5 = std.dim %1, %c0 : tensor<4x?xf32>
  %6 = std.cmpi "slt", %5, %c0 : index
  %7 = std.select %6, %5, %c0 : index
  %8 = std.addi %7, %5 : index
  %m = memref.alloc() : memref<4xf32>
  %9 = std.load %m[%c0] : memref<4xf32>
  %10 = arith.addf %9, %cst : f32
  std.store %10, %m[%c0] : memref<4xf32>
  Scf.for %i = %c0 to %n step %8 {
    %11 = std.addi %i, %c0 : index
    Scf.for %j = %c0 to %n step %11 {
      Scf.yield
    }
  }
  %12 = Scf.for %i = %c0 to %n step %8 iter_args(%acc = %0) -> (tensor<4x8xf32>) {
    Scf.yield %acc : tensor<4x8xf32>
  }
  Scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%8, %8) {
    %13 = std.muli %i, %j : index
    Scf.yield
  }
  Scf.if %6 {
    Scf.yield
  } else {
    Scf.yield
  }
  %14 = Tensor.extract_slice %0[0, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
  %15 = Linalg.tensor_reshape %0 [affine_map<(d0, d1) -> (d0, d1)>] : tensor<4x8xf32> into tensor<32xf32>
  %16 = Vector.transfer_read %a[%c0, %c0], %cst {in_bounds = [true]} : tensor<4x8xf32>, vector<8xf32>
  %17 = std.tensor_cast %0 : tensor<4x8xf32> to tensor<?x8xf32>
  std.br ^bb1(%c0 : index)
^bb1(%k: index):
  std.cond_br %6, ^bb2, ^bb1(%k : index)
^bb2:
  return %12 : tensor<4x8xf32>
}
func.func @tiles_2020() {
  %c0 = arith.constant 0 : index
  %0 = hal.interface.workgroup.id[0] : index
  %1 = hal.interface.load.tensor.tile @legacy_io::@arg0, base_offset = %c0, offsets = [%0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32>
  hal.interface.store.tensor.tile %1, @legacy_io::@ret0, base_offset = %c0, offsets = [%0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32>
  %2 = hal.interface.load.tensor @legacy_io::@arg1, offset = %c0 : tensor<8xf32>
  return
}
hal.interface @legacy_io attributes {sym_visibility = "private"} {
  hal.interface.binding @arg0, set=0, binding=0, type="StorageBuffer", access="Read"
  hal.interface.binding @ret0, set=0, binding=1, type="StorageBuffer", access="Write|Discard"
}
