// What the reasons' pages name is listed only where it fuses the edge at hand: a product that is transposed and
// nothing else can write its result that way; one whose exponential is taken on the way stays what it is.
// RUN: fuselage explain %s --policy conservative | FileCheck %s
// RUN: fuselage explain %s --policy conservative --pipeline 'builtin.module(func.func(fuselage-absorb-transpose))' | FileCheck %s --check-prefix=AFTER
// RUN: fuselage explain %s --policy conservative --pipeline 'builtin.module(func.func(cse),func.func(fuselage-absorb-transpose))' --at 1 --side before | FileCheck %s
// RUN: not fuselage explain %s --at 3 2>&1 | FileCheck %s --check-prefix=NOLOG
// RUN: not fuselage explain %s --pipeline 'builtin.module(cse)' --at 3 2>&1 | FileCheck %s --check-prefix=NOSTEP
// RUN: not fuselage explain %s --device host --bandwidth 3 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not fuselage explain %s --device cuda:99 2>&1 | FileCheck %s --check-prefix=NODEVICE

// CHECK-DAG: linalg.matmul (line {{[0-9]+}}) {{.*}} ROOT_LOOP_MISMATCH absorb-transpose{{$}}
// CHECK-DAG: linalg.matmul (line {{[0-9]+}}) {{.*}} ROOT_LOOP_MISMATCH{{$}}
// AFTER: 1 separate
// NOLOG: --at is a step of a log, a pipeline or a schedule
// NOSTEP: there is no step 3; the steps are 0 to 0
// BOTH: --device and --bandwidth exclude each other
// NODEVICE: there is no device 'cuda:99'
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  %turned = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  %q = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  %exp = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  return %turned, %exp : tensor<8x8xf32>, tensor<8x8xf32>
}
