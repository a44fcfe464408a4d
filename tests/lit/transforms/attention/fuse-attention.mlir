// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fuse-attention))' | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-fuse-attention{query-tile=20 key-tile=48}))' 2>/dev/null | FileCheck %s --check-prefix=ASKED

// One op, and no scores.

// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2)>
// CHECK-DAG: #[[V:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4)>
// CHECK-DAG: #[[R:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
// CHECK-LABEL: func.func @attention
// CHECK-SAME:      (%[[QS:.*]]: tensor<2x64x8xf32>, %[[KS:.*]]: tensor<2x8x96xf32>, %[[VS:.*]]: tensor<2x96x16xf32>)
// CHECK-NOT:     tensor<2x64x96xf32>
// CHECK:         %[[RESULT:.*]] = flow.dispatch.region -> (tensor<2x64x16xf32>) {
// CHECK-NEXT:      %[[INIT:.*]] = tensor.empty() : tensor<2x64x16xf32>
// CHECK-NEXT:      %[[OP:.*]] = flow.attention {indexing_maps = [#[[Q]], #[[K]], #[[V]], #[[R]]], key_dims = array<i64: 2>}
// CHECK-SAME:        queries(%[[QS]] : tensor<2x64x8xf32>) keys(%[[KS]] : tensor<2x8x96xf32>) values(%[[VS]] : tensor<2x96x16xf32>) outs(%[[INIT]] : tensor<2x64x16xf32>) scores {
// CHECK-NEXT:      ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT:        %[[PRODUCT:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT:        %[[MORE:.*]] = arith.addf %[[SUM]], %[[PRODUCT]] : f32
// CHECK-NEXT:        flow.return %[[MORE]] : f32
// CHECK-NEXT:      } context {
// CHECK:           } -> tensor<2x64x16xf32>
// CHECK-NEXT:      flow.return %[[OP]]
// CHECK:         return %[[RESULT]]
func.func @attention(%q: tensor<2x64x8xf32>, %k: tensor<2x8x96xf32>, %v: tensor<2x96x16xf32>) -> tensor<2x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x64x8xf32>, tensor<2x8x96xf32>) outs(%fs : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x64x96xf32>) outs(%es : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %e = tensor.empty() : tensor<2x64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x64x96xf32>, tensor<2x96x16xf32>) outs(%f : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  return %r : tensor<2x64x16xf32>
}

// -----

func.func @also_returned(%q: tensor<64x8xf32>, %k: tensor<8x96xf32>, %v: tensor<96x16xf32>) -> (tensor<64x16xf32>, tensor<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x8xf32>, tensor<8x96xf32>) outs(%fs : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{is not fused with the softmax that it reads: the probabilities are read by others as well}}
  %r = linalg.matmul ins(%p, %v : tensor<64x96xf32>, tensor<96x16xf32>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r, %p : tensor<64x16xf32>, tensor<64x96xf32>
}

// -----

func.func @along_rows(%q: tensor<64x8xf32>, %k: tensor<8x96xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x8xf32>, tensor<8x96xf32>) outs(%fs : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.softmax dimension(0) ins(%s : tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{is not fused with the softmax that it reads: the product with the values does not sum over the keys alone}}
  %r = linalg.matmul ins(%p, %v : tensor<64x96xf32>, tensor<96x16xf32>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}

// -----

func.func @no_scores(%s: tensor<64x96xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<64x96xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{is not fused with the softmax that it reads: the softmax is not taken of a product that starts at 0}}
  %r = linalg.matmul ins(%p, %v : tensor<64x96xf32>, tensor<96x16xf32>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}

// -----

// The keys are the places of a grid: softmax runs along both of its dimensions.
// CHECK-LABEL: func.func @keys_of_grid
// CHECK:         flow.dispatch.region
// CHECK:           flow.attention {{.*}}key_dims = array<i64: 1, 2>
// CHECK-NOT:     flow.dispatch.region
#q = affine_map<(q, x, y, d) -> (q, d)>
#k = affine_map<(q, x, y, d) -> (x, y, d)>
#s = affine_map<(q, x, y, d) -> (q, x, y)>
#grid = affine_map<(q, x, y) -> (q, x, y)>
#row = affine_map<(q, x, y) -> (q)>
func.func @keys_of_grid(%q: tensor<64x8xf32>, %k: tensor<24x12x8xf32>, %v: tensor<24x12x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<64x24x12xf32>
  %er = tensor.empty() : tensor<64xf32>
  %eo = tensor.empty() : tensor<64x16xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x24x12xf32>) -> tensor<64x24x12xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<64x8xf32>, tensor<24x12x8xf32>) outs(%fs : tensor<64x24x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<64x24x12xf32>
  %fm = linalg.fill ins(%lowest : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#grid, #row], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%scores : tensor<64x24x12xf32>) outs(%fm : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %exp = linalg.generic {indexing_maps = [#grid, #row, #grid], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<64x24x12xf32>, tensor<64xf32>) outs(%es : tensor<64x24x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.subf %a, %b : f32
    %n = math.exp %m : f32
    linalg.yield %n : f32
  } -> tensor<64x24x12xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#grid, #row], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%exp : tensor<64x24x12xf32>) outs(%fr : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %p = linalg.generic {indexing_maps = [#grid, #row, #grid], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<64x24x12xf32>, tensor<64xf32>) outs(%es : tensor<64x24x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64x24x12xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x16xf32>) -> tensor<64x16xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(q, d, x, y) -> (q, x, y)>, affine_map<(q, d, x, y) -> (x, y, d)>,
                                          affine_map<(q, d, x, y) -> (q, d)>],
                         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %v : tensor<64x24x12xf32>, tensor<24x12x16xf32>) outs(%fo : tensor<64x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<64x16xf32>
  return %out : tensor<64x16xf32>
}

// -----

// The context leaves the dispatch in the order and type of the op that casts it.
// CHECK-LABEL: func.func @cast_and_transposed
// CHECK:         flow.dispatch.region -> (tensor<16x64xf16>)
// CHECK:           flow.attention {{.*}} outs(%{{.*}} : tensor<16x64xf16>)
// CHECK-NOT:     linalg.generic {{.*}}tensor<64x16xf32>
func.func @cast_and_transposed(%q: tensor<64x8xf32>, %k: tensor<8x96xf32>, %v: tensor<96x16xf32>) -> tensor<16x64xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x8xf32>, tensor<8x96xf32>) outs(%f : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %eo = tensor.empty() : tensor<64x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x16xf32>) -> tensor<64x16xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x96xf32>, tensor<96x16xf32>) outs(%fo : tensor<64x16xf32>) -> tensor<64x16xf32>
  %et = tensor.empty() : tensor<16x64xf16>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]} ins(%o : tensor<64x16xf32>) outs(%et : tensor<16x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %v16 = arith.truncf %in : f32 to f16
    linalg.yield %v16 : f16
  } -> tensor<16x64xf16>
  return %t : tensor<16x64xf16>
}

// -----

// What happens to queries, scores and probabilities is in regions; tiles that somebody asks for are an attribute.
// ASKED-LABEL: func.func @regions
// ASKED-SAME:      (%[[QS:.*]]: tensor<64x8xf16>, %[[KS:.*]]: tensor<96x8xf16>, %[[VS:.*]]: tensor<96x16xf16>, %[[MASK:.*]]: tensor<96xf32>)
// ASKED:           flow.attention {fuselage.tiling = {reduction = array<i64: 48>, workgroup = array<i64: 16>}, indexing_maps
// ASKED-SAME:        queries(%[[QS]] : tensor<64x8xf16>) keys(%[[KS]] : tensor<96x8xf16>) with(%[[MASK]] : tensor<96xf32>) values(%[[VS]] : tensor<96x16xf16>)
// ASKED-SAME:        queries {
// ASKED-NEXT:      ^bb0(%[[Q:.*]]: f16):
// ASKED-NEXT:        %[[SCALED:.*]] = arith.mulf %[[Q]], %{{.*}} : f16
// ASKED-NEXT:        flow.return %[[SCALED]] : f16
// ASKED-NEXT:      } scores {
// ASKED-NEXT:      ^bb0(%{{.*}}: f16, %{{.*}}: f16, %{{.*}}: f32):
// ASKED:           } logits {
// ASKED-NEXT:      ^bb0(%[[S:.*]]: f32, %[[M:.*]]: f32, %{{.*}}: index, %{{.*}}: index):
// ASKED-NEXT:        %[[LOGIT:.*]] = arith.addf %[[S]], %[[M]] : f32
// ASKED-NEXT:        flow.return %[[LOGIT]] : f32
// ASKED-NEXT:      } probabilities {
// ASKED-NEXT:      ^bb0(%[[P:.*]]: f32):
// ASKED-NEXT:        %[[NARROW:.*]] = arith.truncf %[[P]] : f32 to f16
// ASKED-NEXT:        flow.return %[[NARROW]] : f16
// ASKED-NEXT:      } context {
#id = affine_map<(i, j) -> (i, j)>
#key = affine_map<(i, j) -> (j)>
func.func @regions(%q: tensor<64x8xf16>, %k: tensor<96x8xf16>, %v: tensor<96x16xf16>, %mask: tensor<96xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f16
  %eq = tensor.empty() : tensor<64x8xf16>
  %sq = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<64x8xf16>) outs(%eq : tensor<64x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.mulf %a, %scale : f16
    linalg.yield %m : f16
  } -> tensor<64x8xf16>
  %es = tensor.empty() : tensor<64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>]
      ins(%sq, %k : tensor<64x8xf16>, tensor<96x8xf16>) outs(%fs : tensor<64x96xf32>) -> tensor<64x96xf32>
  %masked = linalg.generic {indexing_maps = [#id, #key, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<64x96xf32>, tensor<96xf32>) outs(%es : tensor<64x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64x96xf32>
  %p = linalg.softmax dimension(1) ins(%masked : tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %eh = tensor.empty() : tensor<64x96xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x96xf32>) outs(%eh : tensor<64x96xf16>) {
  ^bb0(%a: f32, %o: f16):
    %m = arith.truncf %a : f32 to f16
    linalg.yield %m : f16
  } -> tensor<64x96xf16>
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %r = linalg.matmul ins(%h, %v : tensor<64x96xf16>, tensor<96x16xf16>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
