// RUN: fuselage-opt %s --split-input-file --fuselage-merge-equal-dispatches | FileCheck %s

// Equal but for name, number and where they come from: one stays, and both calls go to it.
// CHECK-LABEL: func.func @layers
// CHECK:         %[[ONE:.+]] = call @layers_dispatch_0_exp(%{{.+}})
// CHECK:         %[[TWO:.+]] = call @layers_dispatch_0_exp(%[[ONE]])
// CHECK:         call @layers_dispatch_2_exp(%[[TWO]])
// CHECK:         call @layers_dispatch_3_scale
// CHECK:         call @layers_dispatch_4_scale
// CHECK:       func.func private @layers_dispatch_0_exp
// CHECK-NOT:   @layers_dispatch_1_exp
// CHECK:       func.func private @layers_dispatch_2_exp
// CHECK:       func.func private @layers_dispatch_3_scale
// CHECK:       func.func private @layers_dispatch_4_scale
func.func @layers(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layers_dispatch_0_exp(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @layers_dispatch_1_exp(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @layers_dispatch_2_exp(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @layers_dispatch_3_scale(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @layers_dispatch_4_scale(%3) : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func private @layers_dispatch_0_exp(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @layers_dispatch_1_exp(%y: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 1 : i64} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// In which order ops read what is made counts.
func.func private @layers_dispatch_2_exp(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 2 : i64} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%e : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// Constants count, to the last bit.
func.func private @layers_dispatch_3_scale(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 3 : i64} {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.mul ins(%x, %c : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @layers_dispatch_4_scale(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 4 : i64} {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.mul ins(%x, %c : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What others call by name stays, and so does what is no dispatch.
// CHECK-LABEL: func.func @main
// CHECK:         call @main_dispatch_0
// CHECK:         call @main_dispatch_1
// CHECK:         call @helper
// CHECK:       func.func private @main_dispatch_1
// CHECK:       func.func private @other
// CHECK:       func.func private @helper
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @main_dispatch_0(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @main_dispatch_1(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @helper(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @main_dispatch_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 0 : i64} {
  return %x : tensor<8xf32>
}
func.func private @main_dispatch_1(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch = 1 : i64} {
  return %x : tensor<8xf32>
}
func.func private @other() attributes {notes = [@main_dispatch_1]}
func.func private @helper(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
