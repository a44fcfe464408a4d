// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-prepare-dispatches))' | FileCheck %s

// Made in f32, which the product keeps its name for, and rounded by an op of its own where nobody else does.
// CHECK-LABEL: func.func @matmul
// CHECK:         %[[START:.+]] = linalg.fill ins(%{{.+}} : f32) {{.*}} -> tensor<4x8xf32>
// CHECK:         %[[SUM:.+]] = linalg.matmul ins(%{{.+}}, %{{.+}} : tensor<4x64xbf16>, tensor<64x8xbf16>) outs(%[[START]] : tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK:         linalg.generic {{.*}}"parallel", "parallel"]} ins(%[[SUM]] : tensor<4x8xf32>) outs(%{{.+}} : tensor<4x8xbf16>)
// CHECK:           arith.truncf %{{.+}} : f32 to bf16
func.func @matmul(%a: tensor<4x64xbf16>, %b: tensor<64x8xbf16>) -> tensor<4x8xbf16> attributes {fuselage.dispatch = 0 : i64} {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4x8xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %m = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x8xbf16>) outs(%f : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %m : tensor<4x8xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// The elementwise op after it rounds what it reads; what it starts with is repeated in f32.
// CHECK-LABEL: func.func @epilogue
// CHECK-SAME:    %[[BIAS:[a-z0-9]+]]: tensor<8xf16>
// CHECK:         linalg.generic {{.*}} ins(%[[BIAS]] : tensor<8xf16>) outs(%{{.+}} : tensor<8xf32>)
// CHECK:           arith.extf
// CHECK:         linalg.broadcast {{.*}} outs(%{{.+}} : tensor<4x8xf32>) dimensions = [0]
// CHECK:         %[[SUM:.+]] = linalg.matmul {{.*}} -> tensor<4x8xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xf32>) outs(%{{.+}} : tensor<4x8xf16>)
// CHECK-NEXT:    ^bb0(%[[X:.+]]: f32, %{{.+}}: f16):
// CHECK-NEXT:      arith.truncf %[[X]] : f32 to f16
// CHECK-NOT:     linalg.generic
func.func @epilogue(%a: tensor<4x64xf16>, %b: tensor<64x8xf16>, %bias: tensor<8xf16>) -> tensor<4x8xf16> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<4x8xf16>
  %f = linalg.broadcast ins(%bias : tensor<8xf16>) outs(%e : tensor<4x8xf16>) dimensions = [0]
  %m = linalg.matmul ins(%a, %b : tensor<4x64xf16>, tensor<64x8xf16>) outs(%f : tensor<4x8xf16>) -> tensor<4x8xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%x: f16, %o: f16):
    %y = math.exp %x : f16
    linalg.yield %y : f16
  } -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// Whatever is computed on the way of the accumulator is wide: here a subtraction and a choice. Terms are not rounded twice.
// CHECK-LABEL: func.func @chain
// CHECK:         linalg.generic {{.*}}"parallel", "reduction"]} ins(%{{.+}} : tensor<4x64xbf16>) outs(%{{.+}} : tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.+]]: bf16, %[[ACC:.+]]: f32):
// CHECK:           %[[TERM:.+]] = arith.mulf %{{.+}}, %{{.+}} : f32
// CHECK:           %[[LEFT:.+]] = arith.subf %[[ACC]], %[[TERM]] : f32
// CHECK:           %[[CHOICE:.+]] = arith.select %{{.+}}, %[[LEFT]], %[[ACC]] : f32
// CHECK:           linalg.yield %[[CHOICE]] : f32
func.func @chain(%a: tensor<4x64xbf16>) -> tensor<4xbf16> attributes {fuselage.dispatch = 0 : i64} {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x64xbf16>) outs(%f : tensor<4xbf16>) {
  ^bb0(%x: bf16, %acc: bf16):
    %t = arith.mulf %x, %x : bf16
    %s = arith.subf %acc, %t : bf16
    %c = arith.cmpf ogt, %x, %z : bf16
    %p = arith.select %c, %s, %acc : bf16
    linalg.yield %p : bf16
  } -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// -----

// Maxima are exact, and f32 is wide enough.
// CHECK-LABEL: func.func @stay
// CHECK-NOT:     truncf
func.func @stay(%a: tensor<4x64xbf16>, %b: tensor<4x64xf32>) -> (tensor<4xbf16>, tensor<4xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %z = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<4xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
  %m = linalg.reduce { arith.maximumf } ins(%a : tensor<4x64xbf16>) outs(%f : tensor<4xbf16>) dimensions = [1]
  %z32 = arith.constant 0.0 : f32
  %e32 = tensor.empty() : tensor<4xf32>
  %f32 = linalg.fill ins(%z32 : f32) outs(%e32 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce { arith.addf } ins(%b : tensor<4x64xf32>) outs(%f32 : tensor<4xf32>) dimensions = [1]
  return %m, %s : tensor<4xbf16>, tensor<4xf32>
}
