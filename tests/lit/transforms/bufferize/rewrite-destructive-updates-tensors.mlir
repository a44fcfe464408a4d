// The same without a kernel's bindings: to buffers and to tensors.
// RUN: fuselage-opt %s --split-input-file --fuselage-rewrite-destructive-updates | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --fuselage-rewrite-destructive-updates --fuselage-rewrite-destructive-updates | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --fuselage-rewrite-destructive-updates --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @buffer
// CHECK:         scf.for %[[I:.+]] = %c0 to %c8 step %c2 {
// CHECK:           %[[T:.+]] = tensor.extract_slice %arg0[%[[I]]] [2] [1]
// CHECK:           %[[Y:.+]] = linalg.exp ins(%[[T]]
// CHECK:           %[[V:.+]] = memref.subview %arg1[%[[I]]] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
// CHECK:           bufferization.materialize_in_destination %[[Y]] in restrict writable %[[V]]
// CHECK-NOT:     materialize_in_destination
// CHECK:         return
// BUFFERS-LABEL: func.func @buffer
// BUFFERS-NOT:     memref<8xf32>{{.*}}memref.copy
func.func @buffer(%a: tensor<8xf32>, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %t = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %y = linalg.exp ins(%t : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    %n = tensor.insert_slice %y into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// The buffer holds the initial value: overlapping tiles are read from it.
// CHECK-LABEL: func.func @buffer_in_place
// CHECK-NOT:     to_tensor %arg0 restrict
// CHECK:         scf.for %[[I:.+]] = %c0 to %c6 step %c1 {
// CHECK:           %[[S:.+]] = memref.subview %arg0[%[[I]]] [2] [1]
// CHECK:           %[[T:.+]] = bufferization.to_tensor %[[S]] restrict
// CHECK:           linalg.exp ins(%[[T]]
// CHECK:           bufferization.materialize_in_destination
func.func @buffer_in_place(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %a = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%x = %a) -> (tensor<8xf32>) {
    %t = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %y = linalg.exp ins(%t : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    %n = tensor.insert_slice %y into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// To a tensor: the loops start with the destination and read what they started with before.
// CHECK-LABEL: func.func @tensor
// CHECK:         %[[R:.+]] = scf.for %[[I:.+]] = {{.*}} iter_args(%[[X:.+]] = %arg1)
// CHECK:           tensor.extract_slice %arg0[%[[I]]] [2] [1]
// CHECK:           %[[Y:.+]] = linalg.exp
// CHECK:           %[[P:.+]] = tensor.extract_slice %[[X]][%[[I]]] [2] [1]
// CHECK:           %[[T:.+]] = bufferization.materialize_in_destination %[[Y]] in %[[P]] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK:           tensor.insert_slice %[[T]] into %[[X]]
// CHECK:         return %[[R]]
func.func @tensor(%a: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %t = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %y = linalg.exp ins(%t : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    %n = tensor.insert_slice %y into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  %s = bufferization.materialize_in_destination %r in %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// Nowhere in particular: in place of what the loops start with. The tiles here are uneven.
// CHECK-LABEL: func.func @returned
// CHECK:         scf.for
// CHECK:           scf.for {{.*}} iter_args(%[[X:.+]] =
// CHECK:             %[[P:.+]] = tensor.extract_slice %[[X]][%{{.+}}, %{{.+}}] [%[[N:.+]], 4] [1, 1]
// CHECK:             linalg.exp
// CHECK:             %[[T:.+]] = bufferization.materialize_in_destination %{{.+}} in %[[P]]
// CHECK:             tensor.insert_slice %[[T]] into %[[X]][%{{.+}}, %{{.+}}] [%[[N]], 4]
func.func @returned(%a: tensor<7x8xf32>, %d: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c7 step %c2 iter_args(%x = %d) -> (tensor<7x8xf32>) {
    %row = scf.for %j = %c0 to %c8 step %c4 iter_args(%y = %x) -> (tensor<7x8xf32>) {
      %n = affine.min affine_map<(d0) -> (-d0 + 7, 2)>(%i)
      %t = tensor.extract_slice %a[%i, %j] [%n, 4] [1, 1] : tensor<7x8xf32> to tensor<?x4xf32>
      %o = tensor.extract_slice %y[%i, %j] [%n, 4] [1, 1] : tensor<7x8xf32> to tensor<?x4xf32>
      %v = linalg.exp ins(%t : tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
      %w = tensor.insert_slice %v into %y[%i, %j] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<7x8xf32>
      scf.yield %w : tensor<7x8xf32>
    }
    scf.yield %row : tensor<7x8xf32>
  }
  return %r : tensor<7x8xf32>
}
