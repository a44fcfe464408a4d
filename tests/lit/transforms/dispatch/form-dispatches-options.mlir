// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches{fuse-consumers=false}))' | FileCheck %s --check-prefix=NOFUSE
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches{wrap-leftovers=false fuse-consumers=false}))' | FileCheck %s --check-prefix=ROOTS
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches{clone-producers=false}))' | FileCheck %s --check-prefix=NOCLONE
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches,fuselage-form-dispatches))' | FileCheck %s --check-prefix=TWICE

// NOFUSE-COUNT-2: flow.dispatch.region
// NOFUSE-NOT:     flow.dispatch.region

// ROOTS-COUNT-1: flow.dispatch.region
// ROOTS:         }
// ROOTS-NEXT:    linalg.exp

// NOCLONE:      %[[F:.*]] = flow.dispatch.region
// NOCLONE-NEXT:   linalg.fill
// NOCLONE:      flow.dispatch.region
// NOCLONE-NEXT:   linalg.matmul {{.*}} outs(%[[F]]

// TWICE-COUNT-1: flow.dispatch.region
// TWICE-NOT:     flow.dispatch.region
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.exp ins(%m : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
}
