// Dispatches that read the same values and do the same are one; that holds along a chain. Others stay, and bear no mark.
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-cse-dispatches))' | FileCheck %s
// What cse does, it does, too.
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(cse,fuselage-cse-dispatches))' > %t.both
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(cse))' | diff %t.both -

// CHECK-LABEL: func.func @main
// CHECK-NOT: fuselage.reads
// CHECK: %[[A:.*]] = flow.dispatch.region
// CHECK: linalg.exp
// CHECK: %[[B:.*]] = flow.dispatch.region
// CHECK: linalg.log ins(%[[A]]
// CHECK: %[[C:.*]] = flow.dispatch.region
// CHECK: linalg.exp ins(%arg1
// CHECK-NOT: flow.dispatch.region
// CHECK: return %[[B]], %[[B]], %[[C]]
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = flow.dispatch.region -> (tensor<8xf32>) {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    flow.return %0 : tensor<8xf32>
  }
  %b = flow.dispatch.region -> (tensor<8xf32>) {
    %0 = linalg.log ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    flow.return %0 : tensor<8xf32>
  }
  %a2 = flow.dispatch.region -> (tensor<8xf32>) {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    flow.return %0 : tensor<8xf32>
  }
  %b2 = flow.dispatch.region -> (tensor<8xf32>) {
    %0 = linalg.log ins(%a2 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    flow.return %0 : tensor<8xf32>
  }
  %c = flow.dispatch.region -> (tensor<8xf32>) {
    %0 = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    flow.return %0 : tensor<8xf32>
  }
  return %b, %b2, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
