// Parts of a concat, and what reads one along an inner dimension, are left to the compiler that reads the module.
// RUN: fuselage-opt %s --fuselage-portable-dispatches | FileCheck %s

// CHECK-LABEL: func.func @inner
//   CHECK-NOT:   flow.dispatch.region
//       CHECK:   linalg.generic
//       CHECK:   tensor.concat dim(1)
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

// A result that somebody else reads too is one of a dispatch, and so is what reads a concat along the outermost dimension.
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
