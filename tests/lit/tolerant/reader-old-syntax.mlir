// Text of 2020 is read in today's words; what today's ops cannot say stays as it is.
// RUN: fuselage-opt --tolerant %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR < %t.err

#trait = {
  indexing_maps = [affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}

// CHECK-LABEL: func.func @old(
// ERR: old-syntax.mlir:[[#@LINE+1]]:1: warning: old syntax: 'func'
func @old(%a: tensor<8x8xf32>, %b: tensor<8xf32>, %c: i1) -> tensor<4x4xf32> {
  // CHECK: arith.constant 0 : index
  %c0 = constant 0 : index
  // CHECK: arith.select
  %i = select %c, %c0, %c0 : index
  // CHECK: tensor.extract_slice
  %0 = subtensor %a[%i, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  // CHECK: linalg.matmul ins({{.*}}) outs({{.*}}) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>)
                    init(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  // A generic without outputs has no form today.
  // ERR: warning: read as another version's 'linalg.generic'
  // CHECK: linalg.generic {{{.*}}} ins({{.*}} : tensor<8xf32>) {
  %2 = linalg.generic #trait ins(%b : tensor<8xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  // CHECK: scf.if
  scf.if %c {
    // CHECK: func.call @declared()
    call @declared() : () -> ()
  }
  return %1 : tensor<4x4xf32>
}

// CHECK: func.func private @declared()
func @declared()
