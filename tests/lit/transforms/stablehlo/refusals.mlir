// What StableHLO's specification does not allow, or nothing here can do, stays as it is and says why.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s 2>&1 >%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=LEFT < %t
// RUN: not fuselage run %s --function unknown_call 2>&1 | FileCheck %s --check-prefix=RAN

// CHECK: refusals.mlir:[[# @LINE + 5]]:8: remark: stays as it is: nothing here knows the function 'my_kernel'
// LEFT-LABEL: func.func @unknown_call
//       LEFT:   stablehlo.custom_call @my_kernel
// RAN: error: 'stablehlo.custom_call' cannot run
func.func @unknown_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @my_kernel(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: refusals.mlir:[[# @LINE + 3]]:8: remark: stays as it is: its bounds are not within its operand
// LEFT-LABEL: func.func @slice
func.func @slice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.slice %x [2:6] : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: refusals.mlir:[[# @LINE + 2]]:8: remark: stays as it is: its dimensions do not fit its operands
func.func @dot(%x: tensor<4x3xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A body may not read more than elements.
// CHECK: refusals.mlir:[[# @LINE + 3]]:8: remark: stays as it is: 'stablehlo.reverse' in its body is not known on single elements
func.func @body(%x: tensor<4xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.reverse %a, dims = [] : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A collective needs more than one device. The rest is lowered.
// CHECK: remark: stays as it is: it exchanges data with other devices, and a run has one
// LEFT-LABEL: func.func @collective
//       LEFT:   linalg.generic
//       LEFT:   stablehlo.all_gather
func.func @collective(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
