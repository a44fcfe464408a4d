// A layer of BERT as torch exports it, with the embeddings in front: the softmax comes with positions of the maximum
// that nobody reads, the mask of one head is repeated, weights are transposed and repeated for a batch of one. After
// fusion the embeddings and their norm are one dispatch, attention is one, and the layer has six more.
// RUN: fuselage fuse %s --all -o %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=FUSED --input-file=%t.mlir
// RUN: fuselage run %t.mlir --device host --repeat 1 --flat | FileCheck %s --check-prefix=RAN

// CHECK: dispatches: 40 before, 8 after
// CHECK: on the host, @main: max abs error {{.*}}, ok
// FUSED-NOT: linalg.batch_matmul
// FUSED: flow.attention
// FUSED-NOT: flow.attention
// RAN: main_dispatch_2_attention
// RAN: main_dispatch_7
// RAN: result 0 {{.*}} ok

#m0 = affine_map<(d0, d1) -> (d0, d1)>
#m1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#m2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#m4 = affine_map<(d0, d1, d2) -> (d2)>
#m5 = affine_map<(d0) -> (d0)>
#m6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m8 = affine_map<(d0, d1, d2, d3) -> ()>
#m9 = affine_map<(d0, d1, d2) -> (d1, d2)>
#m10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#m11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
func.func @main(%in0: tensor<1x8xi64>,
                 %embeddings.word_embeddings.weight: tensor<30x48xf32>,
                 %embeddings.token_type_embeddings.weight: tensor<2x48xf32>,
                 %embeddings.position_embeddings.weight: tensor<16x48xf32>,
                 %embeddings.LayerNorm.weight: tensor<48xf32>,
                 %embeddings.LayerNorm.bias: tensor<48xf32>,
                 %encoder.layer.0.attention.self.query.weight: tensor<48x48xf32>,
                 %encoder.layer.0.attention.self.query.bias: tensor<48xf32>,
                 %encoder.layer.0.attention.self.key.weight: tensor<48x48xf32>,
                 %encoder.layer.0.attention.self.key.bias: tensor<48xf32>,
                 %encoder.layer.0.attention.self.value.weight: tensor<48x48xf32>,
                 %encoder.layer.0.attention.self.value.bias: tensor<48xf32>,
                 %encoder.layer.0.attention.output.dense.weight: tensor<48x48xf32>,
                 %encoder.layer.0.attention.output.dense.bias: tensor<48xf32>,
                 %encoder.layer.0.attention.output.LayerNorm.weight: tensor<48xf32>,
                 %encoder.layer.0.attention.output.LayerNorm.bias: tensor<48xf32>,
                 %encoder.layer.0.intermediate.dense.weight: tensor<96x48xf32>,
                 %encoder.layer.0.intermediate.dense.bias: tensor<96xf32>,
                 %encoder.layer.0.output.dense.weight: tensor<48x96xf32>,
                 %encoder.layer.0.output.dense.bias: tensor<48xf32>,
                 %encoder.layer.0.output.LayerNorm.weight: tensor<48xf32>,
                 %encoder.layer.0.output.LayerNorm.bias: tensor<48xf32>) -> tensor<1x8x48xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 16 : index
    %c30522 = arith.constant 30 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.41421354 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_6 = arith.constant 9.99999996E-13 : f32
    %cst_7 = arith.constant dense<0> : tensor<1x16xi64>
    %cst_8 = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]> : tensor<1x16xi64>
    %cst_9 = arith.constant 4.800000e+01 : f32
    %cst_10 = arith.constant 1.250000e-01 : f32
    %extracted_slice = tensor.extract_slice %cst_8[0, 0] [1, 8] [1, 1] : tensor<1x16xi64> to tensor<1x8xi64>
    %1 = tensor.empty() : tensor<1x8xi64>
    %2 = linalg.fill ins(%c0_i64 : i64) outs(%1 : tensor<1x8xi64>) -> tensor<1x8xi64>
    %3 = linalg.generic {indexing_maps = [#m0, #m0], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<1x8xi64>) outs(%2 : tensor<1x8xi64>) {
    ^bb0(%in: i64, %out: i64):
      %730 = arith.index_cast %in : i64 to index
      %extracted = tensor.extract %cst_7[%c0, %730] : tensor<1x16xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x8xi64>
    %4 = tensor.empty() : tensor<1x8x48xf32>
    %5 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in0 : tensor<1x8xi64>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: i64, %out: f32):
      %730 = arith.index_cast %in : i64 to index
      %731 = linalg.index 2 : index
      %extracted = tensor.extract %embeddings.word_embeddings.weight[%730, %731] : tensor<30x48xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x8x48xf32>
    %6 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x8xi64>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: i64, %out: f32):
      %730 = arith.index_cast %in : i64 to index
      %731 = linalg.index 2 : index
      %extracted = tensor.extract %embeddings.token_type_embeddings.weight[%730, %731] : tensor<2x48xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x8x48xf32>
    %7 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %6 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %8 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x8xi64>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: i64, %out: f32):
      %730 = arith.index_cast %in : i64 to index
      %731 = linalg.index 2 : index
      %extracted = tensor.extract %embeddings.position_embeddings.weight[%730, %731] : tensor<16x48xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x8x48xf32>
    %9 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %10 = tensor.empty() : tensor<1x8x1xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
    %12 = linalg.generic {indexing_maps = [#m2, #m3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x8x48xf32>) outs(%11 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %out : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %13 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.divf %in, %cst_9 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %collapsed = tensor.collapse_shape %13 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %14 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x8xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x48xf32>
    %15 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %14 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.subf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %16 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %15 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %17 = linalg.generic {indexing_maps = [#m2, #m3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<1x8x48xf32>) outs(%11 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %out : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %18 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.divf %in, %cst_9 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %19 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %cst_6 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %20 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = math.rsqrt %in : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_11 = tensor.collapse_shape %20 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %21 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_11 : tensor<1x8xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x48xf32>
    %22 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %21 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %23 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %embeddings.LayerNorm.weight : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %24 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %embeddings.LayerNorm.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %25 = tensor.empty() : tensor<8xi64>
    %26 = linalg.generic {indexing_maps = [#m5], iterator_types = ["parallel"]} outs(%25 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %730 = linalg.index 0 : index
      %731 = arith.index_cast %730 : index to i64
      linalg.yield %731 : i64
    } -> tensor<8xi64>
    %expanded = tensor.expand_shape %26 [[0, 1, 2, 3]] output_shape [1, 1, 8, 1] : tensor<8xi64> into tensor<1x1x8x1xi64>
    %27 = tensor.empty() : tensor<1x1x8x1xi1>
    %28 = linalg.generic {indexing_maps = [#m6, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x8x1xi64>) outs(%27 : tensor<1x1x8x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %730 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %730 : i1
    } -> tensor<1x1x8x1xi1>
    %29 = tensor.empty() : tensor<1x1x8x8xi1>
    %collapsed_12 = tensor.collapse_shape %28 [[0], [1], [2, 3]] : tensor<1x1x8x1xi1> into tensor<1x1x8xi1>
    %30 = linalg.generic {indexing_maps = [#m7, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_12 : tensor<1x1x8xi1>) outs(%29 : tensor<1x1x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x8x8xi1>
    %31 = tensor.empty() : tensor<1x1x8x8xf32>
    %32 = linalg.generic {indexing_maps = [#m6, #m8, #m8, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_5, %cst_4 : tensor<1x1x8x8xi1>, tensor<f32>, tensor<f32>) outs(%31 : tensor<1x1x8x8xf32>) {
    ^bb0(%in: i1, %in_312: f32, %in_313: f32, %out: f32):
      %730 = arith.select %in, %in_312, %in_313 : f32
      linalg.yield %730 : f32
    } -> tensor<1x1x8x8xf32>
    %33 = tensor.empty() : tensor<48x48xf32>
    %transposed = linalg.transpose ins(%encoder.layer.0.attention.self.query.weight : tensor<48x48xf32>) outs(%33 : tensor<48x48xf32>) permutation = [1, 0]
    %34 = tensor.empty() : tensor<1x48x48xf32>
    %35 = linalg.generic {indexing_maps = [#m9, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<48x48xf32>) outs(%34 : tensor<1x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x48x48xf32>
    %36 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x8x48xf32>) -> tensor<1x8x48xf32>
    %37 = linalg.batch_matmul ins(%24, %35 : tensor<1x8x48xf32>, tensor<1x48x48xf32>) outs(%36 : tensor<1x8x48xf32>) -> tensor<1x8x48xf32>
    %38 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %encoder.layer.0.attention.self.query.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %expanded_13 = tensor.expand_shape %38 [[0], [1], [2, 3]] output_shape [1, 8, 2, 24] : tensor<1x8x48xf32> into tensor<1x8x2x24xf32>
    %39 = tensor.empty() : tensor<1x2x8x24xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<1x8x2x24xf32>) outs(%39 : tensor<1x2x8x24xf32>) permutation = [0, 2, 1, 3]
    %transposed_15 = linalg.transpose ins(%encoder.layer.0.attention.self.key.weight : tensor<48x48xf32>) outs(%33 : tensor<48x48xf32>) permutation = [1, 0]
    %40 = linalg.generic {indexing_maps = [#m9, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_15 : tensor<48x48xf32>) outs(%34 : tensor<1x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x48x48xf32>
    %41 = linalg.batch_matmul ins(%24, %40 : tensor<1x8x48xf32>, tensor<1x48x48xf32>) outs(%36 : tensor<1x8x48xf32>) -> tensor<1x8x48xf32>
    %42 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41, %encoder.layer.0.attention.self.key.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %expanded_16 = tensor.expand_shape %42 [[0], [1], [2, 3]] output_shape [1, 8, 2, 24] : tensor<1x8x48xf32> into tensor<1x8x2x24xf32>
    %transposed_17 = linalg.transpose ins(%encoder.layer.0.attention.self.value.weight : tensor<48x48xf32>) outs(%33 : tensor<48x48xf32>) permutation = [1, 0]
    %43 = linalg.generic {indexing_maps = [#m9, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_17 : tensor<48x48xf32>) outs(%34 : tensor<1x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x48x48xf32>
    %44 = linalg.batch_matmul ins(%24, %43 : tensor<1x8x48xf32>, tensor<1x48x48xf32>) outs(%36 : tensor<1x8x48xf32>) -> tensor<1x8x48xf32>
    %45 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44, %encoder.layer.0.attention.self.value.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %expanded_18 = tensor.expand_shape %45 [[0], [1], [2, 3]] output_shape [1, 8, 2, 24] : tensor<1x8x48xf32> into tensor<1x8x2x24xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<1x8x2x24xf32>) outs(%39 : tensor<1x2x8x24xf32>) permutation = [0, 2, 1, 3]
    %46 = tensor.empty() : tensor<1x2x24x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_16 : tensor<1x8x2x24xf32>) outs(%46 : tensor<1x2x24x8xf32>) permutation = [0, 2, 3, 1]
    %collapsed_21 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<1x2x8x24xf32> into tensor<2x8x24xf32>
    %collapsed_22 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<1x2x24x8xf32> into tensor<2x24x8xf32>
    %47 = tensor.empty() : tensor<2x8x8xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %49 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<2x8x24xf32>, tensor<2x24x8xf32>) outs(%48 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %expanded_23 = tensor.expand_shape %49 [[0, 1], [2], [3]] output_shape [1, 2, 8, 8] : tensor<2x8x8xf32> into tensor<1x2x8x8xf32>
    %50 = tensor.empty() : tensor<1x2x8x8xf32>
    %51 = linalg.generic {indexing_maps = [#m6, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x2x8x8xf32>) outs(%50 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.mulf %in, %cst_10 : f32
      linalg.yield %730 : f32
    } -> tensor<1x2x8x8xf32>
    %52 = linalg.generic {indexing_maps = [#m6, #m10, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %32 : tensor<1x2x8x8xf32>, tensor<1x1x8x8xf32>) outs(%50 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x2x8x8xf32>
    %53 = tensor.empty() : tensor<1x2x8xi64>
    %54 = linalg.fill ins(%c0_i64 : i64) outs(%53 : tensor<1x2x8xi64>) -> tensor<1x2x8xi64>
    %55 = tensor.empty() : tensor<1x2x8xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    %57:2 = linalg.generic {indexing_maps = [#m6, #m7, #m7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x2x8x8xf32>) outs(%56, %54 : tensor<1x2x8xf32>, tensor<1x2x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_312: i64):
      %730 = linalg.index 3 : index
      %731 = arith.index_cast %730 : index to i64
      %732 = arith.maximumf %in, %out : f32
      %733 = arith.cmpf ogt, %in, %out : f32
      %734 = arith.select %733, %731, %out_312 : i64
      linalg.yield %732, %734 : f32, i64
    } -> (tensor<1x2x8xf32>, tensor<1x2x8xi64>)
    %expanded_24 = tensor.expand_shape %57#0 [[0], [1], [2, 3]] output_shape [1, 2, 8, 1] : tensor<1x2x8xf32> into tensor<1x2x8x1xf32>
    %58 = linalg.generic {indexing_maps = [#m6, #m11, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %expanded_24 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%50 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.subf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x2x8x8xf32>
    %59 = linalg.generic {indexing_maps = [#m6, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x8x8xf32>) outs(%50 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = math.exp %in : f32
      linalg.yield %730 : f32
    } -> tensor<1x2x8x8xf32>
    %60 = tensor.empty() : tensor<1x2x8x1xf32>
    %61 = linalg.fill ins(%cst : f32) outs(%60 : tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
    %62 = linalg.generic {indexing_maps = [#m6, #m11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x2x8x8xf32>) outs(%61 : tensor<1x2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %out : f32
      linalg.yield %730 : f32
    } -> tensor<1x2x8x1xf32>
    %63 = linalg.generic {indexing_maps = [#m6, #m11, #m6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<1x2x8x8xf32>, tensor<1x2x8x1xf32>) outs(%50 : tensor<1x2x8x8xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.divf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x2x8x8xf32>
    %collapsed_25 = tensor.collapse_shape %63 [[0, 1], [2], [3]] : tensor<1x2x8x8xf32> into tensor<2x8x8xf32>
    %collapsed_26 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<1x2x8x24xf32> into tensor<2x8x24xf32>
    %64 = tensor.empty() : tensor<2x8x24xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %66 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<2x8x8xf32>, tensor<2x8x24xf32>) outs(%65 : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %expanded_27 = tensor.expand_shape %66 [[0, 1], [2], [3]] output_shape [1, 2, 8, 24] : tensor<2x8x24xf32> into tensor<1x2x8x24xf32>
    %67 = tensor.empty() : tensor<1x8x2x24xf32>
    %transposed_28 = linalg.transpose ins(%expanded_27 : tensor<1x2x8x24xf32>) outs(%67 : tensor<1x8x2x24xf32>) permutation = [0, 2, 1, 3]
    %collapsed_29 = tensor.collapse_shape %transposed_28 [[0], [1], [2, 3]] : tensor<1x8x2x24xf32> into tensor<1x8x48xf32>
    %transposed_30 = linalg.transpose ins(%encoder.layer.0.attention.output.dense.weight : tensor<48x48xf32>) outs(%33 : tensor<48x48xf32>) permutation = [1, 0]
    %68 = linalg.generic {indexing_maps = [#m9, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_30 : tensor<48x48xf32>) outs(%34 : tensor<1x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x48x48xf32>
    %69 = linalg.batch_matmul ins(%collapsed_29, %68 : tensor<1x8x48xf32>, tensor<1x48x48xf32>) outs(%36 : tensor<1x8x48xf32>) -> tensor<1x8x48xf32>
    %70 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %encoder.layer.0.attention.output.dense.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %71 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %24 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %72 = linalg.generic {indexing_maps = [#m2, #m3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<1x8x48xf32>) outs(%11 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %out : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %73 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.divf %in, %cst_9 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_31 = tensor.collapse_shape %73 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %74 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_31 : tensor<1x8xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x48xf32>
    %75 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %74 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.subf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %76 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %75 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %77 = linalg.generic {indexing_maps = [#m2, #m3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%76 : tensor<1x8x48xf32>) outs(%11 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %out : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %78 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.divf %in, %cst_9 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %79 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %cst_6 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %80 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = math.rsqrt %in : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_32 = tensor.collapse_shape %80 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %81 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_32 : tensor<1x8xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x48xf32>
    %82 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %81 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %83 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %encoder.layer.0.attention.output.LayerNorm.weight : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %84 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %encoder.layer.0.attention.output.LayerNorm.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %85 = tensor.empty() : tensor<48x96xf32>
    %transposed_33 = linalg.transpose ins(%encoder.layer.0.intermediate.dense.weight : tensor<96x48xf32>) outs(%85 : tensor<48x96xf32>) permutation = [1, 0]
    %86 = tensor.empty() : tensor<1x48x96xf32>
    %87 = linalg.generic {indexing_maps = [#m9, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_33 : tensor<48x96xf32>) outs(%86 : tensor<1x48x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x48x96xf32>
    %88 = tensor.empty() : tensor<1x8x96xf32>
    %89 = linalg.fill ins(%cst : f32) outs(%88 : tensor<1x8x96xf32>) -> tensor<1x8x96xf32>
    %90 = linalg.batch_matmul ins(%84, %87 : tensor<1x8x48xf32>, tensor<1x48x96xf32>) outs(%89 : tensor<1x8x96xf32>) -> tensor<1x8x96xf32>
    %91 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %encoder.layer.0.intermediate.dense.bias : tensor<1x8x96xf32>, tensor<96xf32>) outs(%88 : tensor<1x8x96xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x96xf32>
    %92 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x8x96xf32>) outs(%88 : tensor<1x8x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.divf %in, %cst_1 : f32
      %731 = math.erf %730 : f32
      %732 = arith.addf %731, %cst_2 : f32
      %733 = arith.mulf %732, %cst_3 : f32
      %734 = arith.mulf %in, %733 : f32
      linalg.yield %734 : f32
    } -> tensor<1x8x96xf32>
    %93 = tensor.empty() : tensor<96x48xf32>
    %transposed_34 = linalg.transpose ins(%encoder.layer.0.output.dense.weight : tensor<48x96xf32>) outs(%93 : tensor<96x48xf32>) permutation = [1, 0]
    %94 = tensor.empty() : tensor<1x96x48xf32>
    %95 = linalg.generic {indexing_maps = [#m9, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_34 : tensor<96x48xf32>) outs(%94 : tensor<1x96x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x96x48xf32>
    %96 = linalg.batch_matmul ins(%92, %95 : tensor<1x8x96xf32>, tensor<1x96x48xf32>) outs(%36 : tensor<1x8x48xf32>) -> tensor<1x8x48xf32>
    %97 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %encoder.layer.0.output.dense.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %98 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %84 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %99 = linalg.generic {indexing_maps = [#m2, #m3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<1x8x48xf32>) outs(%11 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %out : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %100 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.divf %in, %cst_9 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_35 = tensor.collapse_shape %100 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %101 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_35 : tensor<1x8xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x48xf32>
    %102 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %101 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.subf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %103 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %102 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %104 = linalg.generic {indexing_maps = [#m2, #m3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%103 : tensor<1x8x48xf32>) outs(%11 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %out : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %105 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.divf %in, %cst_9 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %106 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = arith.addf %in, %cst_6 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %107 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x8x1xf32>) outs(%10 : tensor<1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %730 = math.rsqrt %in : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x1xf32>
    %collapsed_36 = tensor.collapse_shape %107 [[0], [1, 2]] : tensor<1x8x1xf32> into tensor<1x8xf32>
    %108 = linalg.generic {indexing_maps = [#m1, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_36 : tensor<1x8xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x48xf32>
    %109 = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %108 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %110 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %encoder.layer.0.output.LayerNorm.weight : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.mulf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    %111 = linalg.generic {indexing_maps = [#m2, #m4, #m2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %encoder.layer.0.output.LayerNorm.bias : tensor<1x8x48xf32>, tensor<48xf32>) outs(%4 : tensor<1x8x48xf32>) {
    ^bb0(%in: f32, %in_312: f32, %out: f32):
      %730 = arith.addf %in, %in_312 : f32
      linalg.yield %730 : f32
    } -> tensor<1x8x48xf32>
    return %111 : tensor<1x8x48xf32>
}
