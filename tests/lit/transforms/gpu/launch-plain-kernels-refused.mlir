// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-launch-plain-kernels))' -o /dev/null

func.func @tensors(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 0 : i64} {
  // expected-error @below {{still works on tensors; bufferize it before mapping it to a GPU}}
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// expected-error @below {{branches between blocks; a dispatch must be one block}}
func.func @branches(%c: i1) attributes {fuselage.dispatch = 0 : i64} {
  cf.cond_br %c, ^yes, ^no
^yes:
  return
^no:
  return
}

// -----

func.func @chosen_buffer(%c: memref<i1>, %a: memref<4xf32>, %b: memref<4xf32>, %r: memref<4xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %x = memref.load %c[] : memref<i1>
  // expected-error @below {{yields a buffer that is chosen when the kernel runs}}
  %t = scf.if %x -> memref<4xf32> {
    memref.copy %a, %r : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  linalg.exp ins(%t : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}

// -----

memref.global "private" constant @unknown : memref<2xf32> = uninitialized
func.func @no_values(%r: memref<2xf32>) attributes {fuselage.dispatch = 0 : i64} {
  // expected-error @below {{reads a constant whose values are not in the module}}
  %t = memref.get_global @unknown : memref<2xf32>
  memref.copy %t, %r : memref<2xf32> to memref<2xf32>
  return
}

// -----

func.func @too_many(%a: memref<65536x65536xi8>, %x: i8) attributes {fuselage.dispatch = 0 : i64} {
  // expected-error @below {{has more than 2^31 parallel iterations; tile it first}}
  linalg.fill ins(%x : i8) outs(%a : memref<65536x65536xi8>)
  return
}

// -----

// expected-remark @below {{has buffers of dynamic size and is not mapped to a GPU}}
func.func @dynamic_buffer(%a: memref<?xf32>) attributes {fuselage.dispatch = 0 : i64} {
  return
}
