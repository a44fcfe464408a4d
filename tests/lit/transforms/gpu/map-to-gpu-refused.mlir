// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<workgroup_bytes = 128>'},func.func(fuselage-map-to-gpu))" -o /dev/null

func.func @tensors(%a: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 0 : i64} {
  // expected-error @below {{still works on tensors; bufferize it before mapping it to a GPU}}
  %r = scf.forall (%i) in (8) shared_outs(%o = %a) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<8xf32>
}

// -----

func.func @dynamic_count(%a: memref<8xf32>, %n: index) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{has a number of workgroups that is not known when it is compiled}}
  scf.forall (%i) in (%n) {
    memref.store %zero, %a[%i] : memref<8xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @too_many(%a: memref<8xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{needs more than 2^31 workgroups; use larger tiles}}
  scf.forall (%i, %j) in (65536, 65536) {
    memref.store %zero, %a[%i] : memref<8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// -----

func.func @no_bound(%n: index) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{cannot become workgroup memory: its size has no constant bound}}
    %t = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%t : memref<?xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// expected-remark @below {{has buffers of dynamic size and is not mapped to a GPU}}
func.func @dynamic_buffer(%a: memref<?xf32>) attributes {fuselage.dispatch = 0 : i64} {
  return
}

// -----

func.func @does_not_fit(%a: memref<4x64xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (4) {
    // expected-remark @below {{takes 256 bytes a workgroup, more than what is left of workgroup memory: it is put into global memory}}
    %tile = memref.alloc() : memref<64xf32>
    %row = memref.subview %a[%i, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%tile : memref<64xf32>)
    linalg.exp ins(%tile : memref<64xf32>) outs(%row : memref<64xf32, strided<[1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  return
}
