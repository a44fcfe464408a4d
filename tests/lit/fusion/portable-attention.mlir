// Attention that --dispatches writes is one op with a dynamic number of keys, too, and where the number that replaces a masked
// score is a tensor; what the op cannot say (powers of two) is left to the compiler that reads it, and never a loop.
// RUN: fuselage fuse %s --all --dispatches --no-check -o %t.out.mlir | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s < %t.out.mlir

// REPORT: written: {{[0-9]+}} dispatch regions and 0 ops outside

// CHECK-NOT: scf.for
//     CHECK: func.func @causal
// CHECK-NOT: linalg.softmax
//     CHECK: "iree_linalg_ext.attention"
// CHECK-NOT: scf.for
//     CHECK: func.func @powers_of_two
// CHECK-NOT: iree_linalg_ext
// CHECK-NOT: scf.for
//     CHECK: math.exp2
// CHECK-NOT: iree_linalg_ext
// CHECK-NOT: scf.for

#q = affine_map<(b, m, n, k) -> (b, m, k)>
#k = affine_map<(b, m, n, k) -> (b, n, k)>
#v = affine_map<(b, m, n, k) -> (b, k, n)>
#o = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>
#all = affine_map<(b, m, n) -> ()>
func.func @causal(%q: tensor<2x8x4xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant dense<-1.0e30> : tensor<f32>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %k, %c1 : tensor<2x?x4xf32>
  %e = tensor.empty(%n) : tensor<2x8x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x?xf32>) -> tensor<2x8x?xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x8x4xf32>, tensor<2x?x4xf32>) outs(%f : tensor<2x8x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x?xf32>
  %m = linalg.generic {indexing_maps = [#all, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%low, %s : tensor<f32>, tensor<2x8x?xf32>) outs(%e : tensor<2x8x?xf32>) {
  ^bb0(%l: f32, %a: f32, %c: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %0 = arith.cmpi sle, %j, %i : index
    %1 = arith.select %0, %a, %l : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x?xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x8x?xf32>) outs(%e : tensor<2x8x?xf32>) -> tensor<2x8x?xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %w = linalg.generic {indexing_maps = [#q, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %v : tensor<2x8x?xf32>, tensor<2x?x4xf32>) outs(%of : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x4xf32>
  return %w : tensor<2x8x4xf32>
}

func.func @powers_of_two(%q: tensor<2x8x4xf32>, %k: tensor<2x16x4xf32>, %v: tensor<2x16x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x8x4xf32>, tensor<2x16x4xf32>) outs(%f : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x16xf32>
  %re = tensor.empty() : tensor<2x8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x8xf32>) -> tensor<2x8xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s : tensor<2x8x16xf32>) outs(%ri : tensor<2x8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.maximumf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  %x = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %max : tensor<2x8x16xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp2 %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x16xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x8x16xf32>) outs(%rz : tensor<2x8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.addf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sum : tensor<2x8x16xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x16xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %w = linalg.batch_matmul ins(%p, %v : tensor<2x8x16xf32>, tensor<2x16x4xf32>) outs(%of : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %w : tensor<2x8x4xf32>
}
