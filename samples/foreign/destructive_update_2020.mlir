// A matrix product in tiles, updated in place, as it was written in 2020: std ops without a dialect's
// name, subtensors, named bindings, and the accumulator as `init`.

func @tiled_product() {
  %c0 = constant 0 : index
  %c8 = constant 8 : index
  %c16 = constant 16 : index
  %lhs = hal.interface.load.tensor @io::@lhs, offset = %c0 {operand_result_index = 0 : i32} : tensor<8x32xf32>
  %rhs = hal.interface.load.tensor @io::@rhs, offset = %c0 {operand_result_index = 1 : i32} : tensor<32x16xf32>
  %acc = hal.interface.load.tensor @io::@acc, offset = %c0 {operand_result_index = 2 : i32} : tensor<8x16xf32>
  %x = iree.workgroup_id {dimension = "x"} : index
  %y = iree.workgroup_id {dimension = "y"} : index
  %rows = scf.for %i = %y to %c8 step %c8 iter_args(%outer = %acc) -> (tensor<8x16xf32>) {
    %columns = scf.for %j = %x to %c16 step %c16 iter_args(%inner = %outer) -> (tensor<8x16xf32>) {
      %a = subtensor %lhs[%i, 0] [2, 32] [1, 1] : tensor<8x32xf32> to tensor<2x32xf32>
      %b = subtensor %rhs[0, %j] [32, 4] [1, 1] : tensor<32x16xf32> to tensor<32x4xf32>
      %c = subtensor %inner[%i, %j] [2, 4] [1, 1] : tensor<8x16xf32> to tensor<2x4xf32>
      %p = linalg.matmul ins(%a, %b : tensor<2x32xf32>, tensor<32x4xf32>)
                        init(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
      %u = subtensor_insert %p into %inner[%i, %j] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x16xf32>
      scf.yield %u : tensor<8x16xf32>
    }
    scf.yield %columns : tensor<8x16xf32>
  }
  hal.interface.store.tensor %rows, @io::@ret0, offset = %c0 {operand_result_index = 3 : i32} : tensor<8x16xf32>
  return
}

// The same once loads and stores have sunk to the tiles.
func @tiles_in_place() {
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  %i = iree.workgroup_id {dimension = "y"} : index
  %j = iree.workgroup_id {dimension = "x"} : index
  %a = hal.interface.load.tensor.tile @io::@lhs, base_offset = %c0, offsets = [%i, 0], sizes = [2, 32], strides = [1, 1] : tensor<2x32xf32>
  %b = hal.interface.load.tensor.tile @io::@rhs, base_offset = %c0, offsets = [0, %j], sizes = [32, 4], strides = [1, 1] : tensor<32x4xf32>
  %c = hal.interface.load.tensor.tile @io::@ret0, base_offset = %c0, offsets = [%i, %j], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<2x32xf32>, tensor<32x4xf32>) init(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  hal.interface.store.tensor.tile %p, @io::@ret0, base_offset = %c0, offsets = [%i, %j], sizes = [2, 4], strides = [%c1, %c1] : tensor<2x4xf32>
  return
}
