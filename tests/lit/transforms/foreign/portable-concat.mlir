// Concats along an inner dimension are joined along the outermost one, as IREE does: what computes a part writes it transposed,
// and what reads the whole is left to the compiler that reads the module.
// RUN: fuselage-opt %s --fuselage-portable-dispatches | FileCheck %s

// CHECK-DAG: #[[TRANSPOSED:.+]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @inner
//       CHECK:   %[[PART:.+]] = flow.dispatch.region -> (tensor<8x4xf32>)
//       CHECK:     linalg.generic {indexing_maps = [#{{.+}}, #[[TRANSPOSED]]]
//       CHECK:   %[[ARGUMENT:.+]] = linalg.transpose ins(%arg0
//       CHECK:   %[[ALL:.+]] = tensor.concat dim(0) %[[ARGUMENT]], %[[PART]]
//       CHECK:   linalg.transpose ins(%[[ALL]]
//   CHECK-NOT:   flow.dispatch.region
//       CHECK:   linalg.generic
//       CHECK:   return
func.func @inner(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %a = flow.dispatch.region -> (tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.return %0 : tensor<4x8xf32>
  }
  %c = tensor.concat dim(1) %x, %a : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %b = flow.dispatch.region -> (tensor<4x16xf32>) {
    %e = tensor.empty() : tensor<4x16xf32>
    %0 = linalg.tanh ins(%c : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    flow.return %0 : tensor<4x16xf32>
  }
  return %b : tensor<4x16xf32>
}

// What a concat along the outermost dimension reads and what reads it are dispatches.
// CHECK-LABEL: func.func @outer
//       CHECK:   flow.dispatch.region
//       CHECK:   tensor.concat dim(0)
//       CHECK:   flow.dispatch.region
func.func @outer(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
  %a = flow.dispatch.region -> (tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.return %0 : tensor<4x8xf32>
  }
  %c = tensor.concat dim(0) %x, %a : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %b = flow.dispatch.region -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.tanh ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.return %0 : tensor<8x8xf32>
  }
  return %a, %b : tensor<4x8xf32>, tensor<8x8xf32>
}

// A part that somebody else reads too, an op whose result is padded, and ops on both sides of a reshape are left, too.
// CHECK-LABEL: func.func @others
//   CHECK-NOT:   flow.dispatch.region
//       CHECK:   return
func.func @others(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x16xf32>, tensor<6x8xf32>, tensor<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = flow.dispatch.region -> (tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.return %0 : tensor<4x8xf32>
  }
  %c = tensor.concat dim(1) %x, %a : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %b = flow.dispatch.region -> (tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.tanh ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.return %0 : tensor<4x8xf32>
  }
  %p = tensor.pad %b low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<6x8xf32>
  %d = flow.dispatch.region -> (tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.sqrt ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.return %0 : tensor<4x8xf32>
  }
  %f = tensor.collapse_shape %d [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %g = flow.dispatch.region -> (tensor<32xf32>) {
    %e = tensor.empty() : tensor<32xf32>
    %0 = linalg.negf ins(%f : tensor<32xf32>) outs(%e : tensor<32xf32>) -> tensor<32xf32>
    flow.return %0 : tensor<32xf32>
  }
  return %a, %c, %p, %g : tensor<4x8xf32>, tensor<4x16xf32>, tensor<6x8xf32>, tensor<32xf32>
}
