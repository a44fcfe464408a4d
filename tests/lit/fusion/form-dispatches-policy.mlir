// RUN: fuselage-opt %s --pass-pipeline="builtin.module(func.func(fuselage-form-dispatches{policy=conservative}))" | FileCheck %s
// RUN: fuselage-opt %s --pass-pipeline="builtin.module(func.func(fuselage-form-dispatches{policy=none}))" | FileCheck %s --check-prefix=NONE

// What elementwise fusion moves into the consumer's payload is computed in the consumer's dispatch.
// CHECK-LABEL: func.func @producers_move_in
// CHECK-COUNT-1: flow.dispatch.region
// CHECK: math.exp
// CHECK: arith.addf
// CHECK-NOT: flow.dispatch.region
// CHECK: return

// NONE-LABEL: func.func @producers_move_in
// NONE-COUNT-3: flow.dispatch.region
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @producers_move_in(%a: tensor<8x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<8x8xf32>
  %line = tensor.empty() : tensor<8xf32>
  %acc = linalg.fill ins(%zero : f32) outs(%line : tensor<8xf32>) -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %c = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}
