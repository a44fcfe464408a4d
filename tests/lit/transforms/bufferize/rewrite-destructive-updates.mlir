// Tiles that loops insert into a tensor go to the kernel's binding one by one.
// RUN: fuselage-opt %s --tolerant --fuselage-rewrite-destructive-updates 2>/dev/null | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// What the tiles accumulate onto is loaded tile by tile from where it was loaded as a whole.
// CHECK-LABEL: func.func @from_load
// CHECK-NOT:     dispatch.tensor.load
// CHECK:         scf.for %[[I:.+]] = %c0 to %c8 step %c2 {
// CHECK-NEXT:      scf.for %[[J:.+]] = %c0 to %c8 step %c4 {
// CHECK-NEXT:        %[[A:.+]] = flow.dispatch.tensor.load %{{.+}}, offsets = [%[[I]], 0], sizes = [2, 16], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<8x16xf32>> -> tensor<2x16xf32>
// CHECK-NEXT:        %[[B:.+]] = flow.dispatch.tensor.load %{{.+}}, offsets = [0, %[[J]]], sizes = [16, 4], strides = [1, 1]
// CHECK-NEXT:        %[[C:.+]] = flow.dispatch.tensor.load %{{.+}}, offsets = [%[[I]], %[[J]]], sizes = [2, 4], strides = [1, 1]
// CHECK-NEXT:        %[[R:.+]] = linalg.matmul ins(%[[A]], %[[B]] : tensor<2x16xf32>, tensor<16x4xf32>) outs(%[[C]] : tensor<2x4xf32>)
// CHECK-NEXT:        flow.dispatch.tensor.store %[[R]], %{{.+}}, offsets = [%[[I]], %[[J]]], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @from_load() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<8x16xf32>>
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<16x8xf32>>
  %b2 = hal.interface.binding.subspan set(0) binding(2) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<8x8xf32>>
  %b3 = hal.interface.binding.subspan set(0) binding(3) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>
  %a = flow.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<8x16xf32>> -> tensor<8x16xf32>
  %b = flow.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [16, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<16x8xf32>> -> tensor<16x8xf32>
  %c = flow.dispatch.tensor.load %b2, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<8x8xf32>> -> tensor<8x8xf32>
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%outer = %c) -> tensor<8x8xf32> {
    %row = scf.for %j = %c0 to %c8 step %c4 iter_args(%inner = %outer) -> tensor<8x8xf32> {
      %at = tensor.extract_slice %a[%i, 0] [2, 16] [1, 1] : tensor<8x16xf32> to tensor<2x16xf32>
      %bt = tensor.extract_slice %b[0, %j] [16, 4] [1, 1] : tensor<16x8xf32> to tensor<16x4xf32>
      %ct = tensor.extract_slice %inner[%i, %j] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
      %m = linalg.matmul ins(%at, %bt : tensor<2x16xf32>, tensor<16x4xf32>) outs(%ct : tensor<2x4xf32>) -> tensor<2x4xf32>
      %n = tensor.insert_slice %m into %inner[%i, %j] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
      scf.yield %n : tensor<8x8xf32>
    }
    scf.yield %row : tensor<8x8xf32>
  }
  flow.dispatch.tensor.store %r, %b3, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : tensor<8x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>
  return
}

// An elementwise op on an input was fused into the loops; its input is loaded by tiles, too. Another
// dialect's spelling, and a store into a part of the binding, at an offset that is computed after the
// loop.
// CHECK-LABEL: func.func @from_pointwise_input
// CHECK:         %[[ID:.+]] = hal.interface.workgroup.id[0]
// CHECK:         scf.for %[[I:.+]] = %c0 to %c8 step %c4 {
// CHECK:           %[[T:.+]] = iree_tensor_ext.dispatch.tensor.load %{{.+}}, offsets = [%[[I]]], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<4xf32>
// CHECK:           %[[E:.+]] = linalg.exp ins(%[[T]] : tensor<4xf32>)
// CHECK:           %[[P:.+]] = affine.apply #{{.+}}()[%[[I]], %[[ID]]]
// CHECK:           iree_tensor_ext.dispatch.tensor.store %[[E]], %{{.+}}, offsets = [%[[P]]], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?xf32>>{%{{.+}}}
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @from_pointwise_input(%size: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b0 = hal.interface.binding.subspan layout(#hal.pipeline.layout<bindings = [storage_buffer]>) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%acc = %e) -> tensor<8xf32> {
    %t = tensor.extract_slice %x[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %o = tensor.extract_slice %acc[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %y = linalg.exp ins(%t : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    %n = tensor.insert_slice %y into %acc[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  %cast = tensor.cast %r : tensor<8xf32> to tensor<?xf32>
  %b1 = hal.interface.binding.subspan layout(#hal.pipeline.layout<bindings = [storage_buffer]>) binding(1) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?xf32>>{%size}
  %id = hal.interface.workgroup.id[0] : index
  %at = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%id]
  iree_tensor_ext.dispatch.tensor.store %cast, %b1, offsets = [%at], sizes = [%c8], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?xf32>>{%size}
  return
}

// What initialises the tensor was fused into the loops: the op that computed all of it is dead.
// CHECK-LABEL: func.func @from_pointwise_init
// CHECK-NOT:     linalg.exp {{.*}}tensor<8x8xf32>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[X:.+]] = flow.dispatch.tensor.load {{.+}} -> tensor<2x4xf32>
// CHECK:             %[[Y:.+]] = linalg.exp ins(%[[X]]
// CHECK:             flow.dispatch.tensor.store %[[Y]]
func.func @from_pointwise_init() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<8x8xf32>>
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>
  %x = flow.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<8x8xf32>> -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%outer = %init) -> tensor<8x8xf32> {
    %row = scf.for %j = %c0 to %c8 step %c4 iter_args(%inner = %outer) -> tensor<8x8xf32> {
      %t = tensor.extract_slice %x[%i, %j] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
      %o = tensor.empty() : tensor<2x4xf32>
      %y = linalg.exp ins(%t : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
      %n = tensor.insert_slice %y into %inner[%i, %j] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
      scf.yield %n : tensor<8x8xf32>
    }
    scf.yield %row : tensor<8x8xf32>
  }
  flow.dispatch.tensor.store %r, %b1, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : tensor<8x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>
  return
}

// In place: iterations read what earlier ones wrote, so that tiles come from the destination.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     dispatch.tensor.load
// CHECK:         scf.for %[[I:.+]] = %c0 to %c6 step %c1 {
// CHECK:           %[[T:.+]] = flow.dispatch.tensor.load %[[B:.+]], offsets = [%[[I]]], sizes = [2]
// CHECK:           %[[Y:.+]] = linalg.exp ins(%[[T]]
// CHECK:           flow.dispatch.tensor.store %[[Y]], %[[B]], offsets = [%[[I]]], sizes = [2]
func.func @in_place() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readwrite:tensor<8xf32>>
  %x = flow.dispatch.tensor.load %b0, offsets = [0], sizes = [8], strides = [1] : !flow.dispatch.tensor<readwrite:tensor<8xf32>> -> tensor<8xf32>
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%acc = %x) -> tensor<8xf32> {
    %t = tensor.extract_slice %acc[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %y = linalg.exp ins(%t : tensor<2xf32>) outs(%t : tensor<2xf32>) -> tensor<2xf32>
    %n = tensor.insert_slice %y into %acc[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  flow.dispatch.tensor.store %r, %b0, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !flow.dispatch.tensor<readwrite:tensor<8xf32>>
  return
}

// The tiles leave two elements out: the initial value is stored first.
// CHECK-LABEL: func.func @not_covered
// CHECK:         %[[FILL:.+]] = linalg.fill
// CHECK:         flow.dispatch.tensor.store %[[FILL]], %{{.+}}, offsets = [0], sizes = [8]
// CHECK:         scf.for %{{.+}} = %c0 to %c6 step %c2 {
// CHECK:           flow.dispatch.tensor.store {{.*}} : tensor<2xf32> ->
func.func @not_covered(%one: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%acc = %x) -> tensor<8xf32> {
    %t = tensor.extract_slice %acc[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %y = linalg.exp ins(%t : tensor<2xf32>) outs(%t : tensor<2xf32>) -> tensor<2xf32>
    %n = tensor.insert_slice %y into %acc[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  flow.dispatch.tensor.store %r, %b0, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  return
}

// The result is used after the loops as well: it is loaded again. Another value that the loop carries
// stays.
// CHECK-LABEL: func.func @other_users
// CHECK:         %[[N:.+]] = scf.for {{.*}} iter_args(%{{.+}} = %c0) -> (index) {
// CHECK:           flow.dispatch.tensor.store
// CHECK:         }
// CHECK:         %[[R:.+]] = flow.dispatch.tensor.load %{{.+}}, offsets = [0], sizes = [8]
// CHECK:         return %[[R]], %[[N]]
func.func @other_users() -> (tensor<8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readwrite:tensor<8xf32>>
  %e = tensor.empty() : tensor<8xf32>
  %k, %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%sum = %c0, %acc = %e) -> (index, tensor<8xf32>) {
    %t = tensor.empty() : tensor<2xf32>
    %next = arith.addi %sum, %i : index
    %n = tensor.insert_slice %t into %acc[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %next, %n : index, tensor<8xf32>
  }
  flow.dispatch.tensor.store %r, %b0, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !flow.dispatch.tensor<readwrite:tensor<8xf32>>
  return %r, %k : tensor<8xf32>, index
}

// Text of 2020: named bindings, bare ops, sizes as values, a generic without outs. The loops start at
// the workgroup's index.
// CHECK-LABEL: func.func @text_of_2020
// CHECK-NOT:     load.tensor @
// CHECK:         scf.for %[[I:.+]] = %{{.+}} to %c4 step %c2 {
// CHECK:           %[[T:.+]] = hal.interface.load.tensor.tile @io::@arg, base_offset = %c0, offsets = [%[[I]]], sizes = [2], strides = [1] : tensor<2xf32>
// CHECK:           %[[Y:.+]] = linalg.generic {{.*}} ins(%[[T]] : tensor<2xf32>) outs(%{{.+}} : tensor<2xf32>)
// CHECK:           hal.interface.store.tensor.tile %[[Y]], @io::@ret, base_offset = %c0, offsets = [%[[I]]], sizes = [2], strides = [1] : tensor<2xf32>
// CHECK-NOT:     store.tensor %
// CHECK:         return
func @text_of_2020() {
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  %c2 = constant 2 : index
  %c4 = constant 4 : index
  %x = hal.interface.load.tensor @io::@arg, offset = %c0 {operand_result_index = 0 : i32} : tensor<4xf32>
  %id = iree.workgroup_id {dimension = "x"} : index
  %r = scf.for %i = %id to %c4 step %c2 iter_args(%acc = %x) -> (tensor<4xf32>) {
    %t = subtensor %acc[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%t : tensor<2xf32>) {
    ^bb0(%v: f32):
      %w = addf %v, %v : f32
      linalg.yield %w : f32
    } -> tensor<2xf32>
    %n = subtensor_insert %y into %acc[%i] [%c2] [%c1] : tensor<2xf32> into tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  hal.interface.store.tensor %r, @io::@ret, offset = %c0 {operand_result_index = 1 : i32} : tensor<4xf32>
  return
}
