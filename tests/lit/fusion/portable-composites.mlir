// A scatter, a sort: what --dispatches writes has the op of the file, not the loops that stand for it in a run. The ops
// around it are formed as ever.
// RUN: fuselage fuse %s --all --dispatches --no-check -o %t.out.mlir | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s < %t.out.mlir
// RUN: fuselage run %t.out.mlir --function update --repeat 1 --input arg1=0 | FileCheck %s --check-prefix=BACK

// REPORT: written: {{[0-9]+}} dispatch region{{s?}} and {{[0-9]+}} op{{s?}} outside, of which the compiler that reads the module forms dispatches

// CHECK-NOT: scf.for
//     CHECK: flow.dispatch.region
//     CHECK: math.exp
//     CHECK: iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//     CHECK: iree_linalg_ext.sort dimension(1)
// CHECK-NOT: scf.for
//     CHECK: iree_tensor_ext.bitcast

// BACK: result 0 tensor<8x4xf32>{{.*}} ok

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @update(%row: tensor<1x4xf32>, %at: tensor<1x1xi32>, %cache: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<1x4xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%row : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x4xf32>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%x, %at : tensor<1x4xf32>, tensor<1x1xi32>) outs(%cache : tensor<8x4xf32>) {
  ^bb0(%update: f32, %old: f32):
    iree_linalg_ext.yield %update : f32
  } -> tensor<8x4xf32>
  %1 = iree_linalg_ext.sort dimension(1) outs(%0 : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

func.func @view_as_real(%x: tensor<3xcomplex<f32>>) -> tensor<3x2xf32> {
  %0 = iree_tensor_ext.bitcast %x : tensor<3xcomplex<f32>> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
