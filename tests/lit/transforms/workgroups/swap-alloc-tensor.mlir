// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-swap-alloc-tensor))' | FileCheck %s

// The copy's memory becomes the destination; what was the destination before is gone.
// CHECK-LABEL: func.func @overwritten
// CHECK-NOT:     tensor.empty
// CHECK:         %[[A:.+]] = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<8xf32>
// CHECK:         %[[X:.+]] = linalg.exp ins(%{{.+}} : tensor<8xf32>) outs(%[[A]] : tensor<8xf32>)
// CHECK-NEXT:    linalg.dot ins(%[[X]], %[[X]]
func.func @overwritten(%x: tensor<8xf32>, %r: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = bufferization.alloc_tensor() copy(%v) {memory_space = #gpu.address_space<workgroup>} : tensor<8xf32>
  %d = linalg.dot ins(%c, %c : tensor<8xf32>, tensor<8xf32>) outs(%r : tensor<f32>) -> tensor<f32>
  return %d : tensor<f32>
}

// -----

// Of dynamic size: as large as what was written before.
// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[N:.+]] = tensor.dim %{{.+}}, %{{.+}}
// CHECK:         bufferization.alloc_tensor(%[[N]]) : tensor<?xf32>
func.func @dynamic(%x: tensor<?xf32>, %o: tensor<?xf32>, %r: tensor<f32>) -> tensor<f32> {
  %v = linalg.exp ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %c = bufferization.alloc_tensor() copy(%v) : tensor<?xf32>
  %d = linalg.dot ins(%c, %c : tensor<?xf32>, tensor<?xf32>) outs(%r : tensor<f32>) -> tensor<f32>
  return %d : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @accumulates
// CHECK:         bufferization.alloc_tensor() copy
func.func @accumulates(%x: tensor<8xf32>, %o: tensor<8xf32>, %r: tensor<f32>) -> tensor<f32> {
  %v = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  // expected-remark @below {{stays a copy: its producer reads what its destination holds}}
  %c = bufferization.alloc_tensor() copy(%v) {memory_space = #gpu.address_space<workgroup>} : tensor<8xf32>
  %d = linalg.dot ins(%c, %c : tensor<8xf32>, tensor<8xf32>) outs(%r : tensor<f32>) -> tensor<f32>
  return %d : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @escapes
// CHECK:         bufferization.alloc_tensor() copy
func.func @escapes(%x: tensor<8xf32>, %r: tensor<f32>) -> (tensor<f32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{stays a copy: other ops than computations on tiles use the value, too}}
  %c = bufferization.alloc_tensor() copy(%v) {memory_space = #gpu.address_space<workgroup>} : tensor<8xf32>
  %d = linalg.dot ins(%c, %c : tensor<8xf32>, tensor<8xf32>) outs(%r : tensor<f32>) -> tensor<f32>
  return %d, %v : tensor<f32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @in_front_of_the_loop
// CHECK:         bufferization.alloc_tensor() copy
func.func @in_front_of_the_loop(%x: tensor<8xf32>, %r: tensor<f32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> tensor<f32> {
    // expected-remark @below {{stays a copy: its producer stands in another block, and the memory would outlive the loop}}
    %c = bufferization.alloc_tensor() copy(%v) {memory_space = #gpu.address_space<workgroup>} : tensor<8xf32>
    %d = linalg.dot ins(%c, %c : tensor<8xf32>, tensor<8xf32>) outs(%acc : tensor<f32>) -> tensor<f32>
    scf.yield %d : tensor<f32>
  }
  return %sum : tensor<f32>
}
