// A value that is read twice by one op is computed once: the chain becomes one op with 22 additions, not four million.
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-fuse-all))' | FileCheck %s
// RUN: fuselage fuse %s --all | FileCheck %s --check-prefix=REPORT

// CHECK:         linalg.generic
// CHECK-COUNT-22:  arith.addf
// CHECK-NOT:       arith.addf
// CHECK:           linalg.yield
// REPORT: all: nothing pays; the module stays as it is
// REPORT-NEXT: dispatches: 1 before, 1 after
// REPORT-NOT: on the host

func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %x1 = linalg.add ins(%x0, %x0 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x2 = linalg.add ins(%x1, %x1 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x3 = linalg.add ins(%x2, %x2 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x4 = linalg.add ins(%x3, %x3 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x5 = linalg.add ins(%x4, %x4 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x6 = linalg.add ins(%x5, %x5 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x7 = linalg.add ins(%x6, %x6 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x8 = linalg.add ins(%x7, %x7 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x9 = linalg.add ins(%x8, %x8 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x10 = linalg.add ins(%x9, %x9 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x11 = linalg.add ins(%x10, %x10 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x12 = linalg.add ins(%x11, %x11 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x13 = linalg.add ins(%x12, %x12 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x14 = linalg.add ins(%x13, %x13 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x15 = linalg.add ins(%x14, %x14 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x16 = linalg.add ins(%x15, %x15 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x17 = linalg.add ins(%x16, %x16 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x18 = linalg.add ins(%x17, %x17 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x19 = linalg.add ins(%x18, %x18 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x20 = linalg.add ins(%x19, %x19 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x21 = linalg.add ins(%x20, %x20 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  %x22 = linalg.add ins(%x21, %x21 : tensor<4xf32>, tensor<4xf32>) outs(%x0 : tensor<4xf32>) -> tensor<4xf32>
  return %x22 : tensor<4xf32>
}
