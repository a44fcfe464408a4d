// What `run` takes, the default pipeline goes through to its end: results of dynamic size, and arithmetic
// on whole tensors, inside of dispatches and beside them.
// RUN: split-file %s %t
// RUN: fuselage step %t/dynamic.mlir | FileCheck %s --check-prefix=END
// RUN: fuselage step %t/dynamic.mlir --at 9 | FileCheck %s --check-prefix=DYNAMIC
// RUN: fuselage step %t/elementwise.mlir | FileCheck %s --check-prefix=END
// RUN: fuselage step %t/elementwise.mlir --at 1 | FileCheck %s --check-prefix=CLEAN
// RUN: fuselage step %t/elementwise.mlir --at 2 | FileCheck %s --check-prefix=FORMED
// RUN: fuselage step %t/beside.mlir | FileCheck %s --check-prefix=END
// RUN: fuselage step %t/static.mlir --at 9 | FileCheck %s --check-prefix=STATIC

// END: Bufferize
// END: Lower to SPIR-V

//--- dynamic.mlir
// The dispatch makes the buffer of its result: its sizes are only known inside.
// DYNAMIC: func.func @mm_dispatch_0{{.*}} -> memref<?x?xf32>
func.func @mm(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

//--- static.mlir
// STATIC: func.func private @mm_dispatch_0{{.*}}memref<8x4xf32>{{[^>]*}}) attributes
func.func @mm(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

//--- elementwise.mlir
// CLEAN-NOT: arith.addf {{.*}} : tensor
// CLEAN-COUNT-3: linalg.generic
// FORMED-COUNT-1: flow.dispatch.region
// FORMED-NOT: flow.dispatch.region
func.func @f(%a: tensor<?x6xf32>, %b: tensor<?x6xf32>) -> tensor<?x6xi1> {
  %0 = arith.addf %a, %b : tensor<?x6xf32>
  %1 = math.exp %0 : tensor<?x6xf32>
  %2 = arith.cmpf olt, %1, %a : tensor<?x6xf32>
  return %2 : tensor<?x6xi1>
}

//--- beside.mlir
func.func @f(%c: i1, %a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<16x6xf32>) {
  %0 = scf.if %c -> tensor<8x6xf32> {
    %x = math.exp %a : tensor<8x6xf32>
    scf.yield %x : tensor<8x6xf32>
  } else {
    %y = arith.addf %a, %b : tensor<8x6xf32>
    scf.yield %y : tensor<8x6xf32>
  }
  %1 = tensor.concat dim(0) %0, %b : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<16x6xf32>
}
