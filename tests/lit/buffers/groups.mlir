// What is the same but for where it is makes one row, with what all of it takes.
// RUN: fuselage buffers %s | FileCheck %s
// RUN: fuselage buffers %s --flat | FileCheck %s --check-prefix=FLAT
// RUN: fuselage buffers %s --format json | FileCheck %s --check-prefix=JSON

// CHECK: 3 inserted copies, 96 B copied in all
// CHECK: groups.mlir:[[#@LINE+19]]:{{[0-9]+}}: remark: copy of 32 B for operand 1 of tensor.insert {{.*}}[READ_AFTER_WRITE]
// CHECK: note: the same in 3 places, 96 B in all: line 26, line 28, line 30
// CHECK-NOT: remark
// CHECK: bytes times total space kind
// CHECK-DAG: 32 B x3 96 B global copy 26-{{[0-9]+}} main operand 1 of tensor.insert READ_AFTER_WRITE line 26, line 28, line 30
// CHECK-DAG: 32 B x3 96 B global argument {{.*}} main argument 0 argument 0 to 2
// CHECK: --flat lists each

// FLAT-COUNT-3: remark: copy of 32 B for operand 1 of tensor.insert
// FLAT: bytes space kind
// FLAT-COUNT-3: 32 B global copy
// FLAT-NOT: --flat

// JSON: "groups": [
// JSON: "bytes": 96
// JSON: "operands": [
// JSON-NEXT: 0,

func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, f32, f32, f32) {
  %0 = tensor.insert %x into %a[%i] : tensor<8xf32>
  %1 = tensor.extract %a[%i] : tensor<8xf32>
  %2 = tensor.insert %x into %b[%i] : tensor<8xf32>
  %3 = tensor.extract %b[%i] : tensor<8xf32>
  %4 = tensor.insert %x into %c[%i] : tensor<8xf32>
  %5 = tensor.extract %c[%i] : tensor<8xf32>
  return %0, %2, %4, %1, %3, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, f32, f32, f32
}
