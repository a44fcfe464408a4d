// What --dispatches writes is for other compilers, too: attention is the one op that they know, no op has a name that
// some versions of MLIR lack. Read back, it is the same dispatch as before.
// RUN: fuselage fuse %s --all --dispatches --no-check -o %t.out.mlir
// RUN: FileCheck %s < %t.out.mlir
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %t.out.mlir | FileCheck %s --check-prefix=BACK
// RUN: fuselage run %t.out.mlir --repeat 1 | FileCheck %s --check-prefix=RUN-BACK
// RUN: fuselage-opt --fuselage-portable-dispatches %s | FileCheck %s --check-prefix=NAMED

//      CHECK: flow.dispatch.region
//      CHECK: "iree_linalg_ext.attention"
// CHECK-SAME: ({
//      CHECK:   arith.mulf
//      CHECK:   "iree_linalg_ext.yield"
//      CHECK: operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>
//  CHECK-NOT: scf.forall

//      BACK: flow.dispatch.region
//      BACK:   flow.attention
//  BACK-NOT: iree_linalg_ext

// RUN-BACK: attention_2x8x4x16
// RUN-BACK: result 0 tensor<2x8x4xf32>{{.*}} ok

func.func @attention(%q: tensor<2x8x4xf32>, %k: tensor<2x16x4xf32>, %v: tensor<2x16x4xf32>, %mask: tensor<8x16xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c = arith.constant 0.5 : f32
  %s0 = tensor.empty() : tensor<2x8x16xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x8x4xf32>, tensor<2x16x4xf32>) outs(%s1 : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x8x16xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x8x16xf32>, tensor<8x16xf32>) outs(%s0 : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x8x16xf32>
  %soft = linalg.softmax dimension(2) ins(%l : tensor<2x8x16xf32>) outs(%s0 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %o0 = tensor.empty() : tensor<2x8x4xf32>
  %o1 = linalg.fill ins(%zero : f32) outs(%o0 : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%soft, %v : tensor<2x8x16xf32>, tensor<2x16x4xf32>) outs(%o1 : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}

// NAMED-LABEL: @named
//   NAMED-NOT:   linalg.add
//       NAMED:   linalg.generic
//       NAMED:     arith.addf
//       NAMED:   linalg.transpose
func.func private @named(%a: tensor<4x8xf32>, %o: tensor<4x8xf32>, %t: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.add ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x8xf32>) outs(%t : tensor<8x4xf32>) permutation = [1, 0]
  return %1 : tensor<8x4xf32>
}
