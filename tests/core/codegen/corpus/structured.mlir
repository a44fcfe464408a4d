// Structured ops of every kind, ranks 0 to 6, odd shapes.
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#tr2 = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#red0 = affine_map<(d0, d1) -> (d1)>
#none2 = affine_map<(d0, d1) -> ()>

func.func @matmul(%a: tensor<17x33xf32>, %b: tensor<33x29xf32>) -> tensor<17x29xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x29xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<17x29xf32>) -> tensor<17x29xf32>
  %m = linalg.matmul ins(%a, %b : tensor<17x33xf32>, tensor<33x29xf32>) outs(%f : tensor<17x29xf32>) -> tensor<17x29xf32>
  return %m : tensor<17x29xf32>
}
func.func @matmul_accumulate(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x16xf32>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %m : tensor<16x16xf32>
}
func.func @matmul_bias_relu(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>, %bias: tensor<64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#id2, #col, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%m, %bias : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.maximumf %s, %z : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @matmul_f16(%a: tensor<32x64xf16>, %b: tensor<64x32xf16>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x32xf16>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %m : tensor<32x32xf32>
}
func.func @matmul_f16_f16(%a: tensor<32x64xf16>, %b: tensor<64x32xf16>) -> tensor<32x32xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<32x32xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<32x32xf16>) -> tensor<32x32xf16>
  %m = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x32xf16>) outs(%f : tensor<32x32xf16>) -> tensor<32x32xf16>
  return %m : tensor<32x32xf16>
}
func.func @matmul_bf16(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %m : tensor<32x32xf32>
}
func.func @matmul_i8(%a: tensor<32x64xi8>, %b: tensor<64x32xi8>) -> tensor<32x32xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<32x32xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<32x32xi32>) -> tensor<32x32xi32>
  %m = linalg.matmul ins(%a, %b : tensor<32x64xi8>, tensor<64x32xi8>) outs(%f : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %m : tensor<32x32xi32>
}
func.func @matmul_f64(%a: tensor<16x24xf64>, %b: tensor<24x16xf64>) -> tensor<16x16xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<16x16xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<16x16xf64>) -> tensor<16x16xf64>
  %m = linalg.matmul ins(%a, %b : tensor<16x24xf64>, tensor<24x16xf64>) outs(%f : tensor<16x16xf64>) -> tensor<16x16xf64>
  return %m : tensor<16x16xf64>
}
func.func @matmul_large_prime(%a: tensor<61x67xf32>, %b: tensor<67x71xf32>) -> tensor<61x71xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x71xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<61x71xf32>) -> tensor<61x71xf32>
  %m = linalg.matmul ins(%a, %b : tensor<61x67xf32>, tensor<67x71xf32>) outs(%f : tensor<61x71xf32>) -> tensor<61x71xf32>
  return %m : tensor<61x71xf32>
}
func.func @matvec(%a: tensor<65x130xf32>, %b: tensor<130xf32>) -> tensor<65xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<65xf32>) -> tensor<65xf32>
  %m = linalg.matvec ins(%a, %b : tensor<65x130xf32>, tensor<130xf32>) outs(%f : tensor<65xf32>) -> tensor<65xf32>
  return %m : tensor<65xf32>
}
func.func @dot(%a: tensor<1000xf32>, %b: tensor<1000xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %m = linalg.dot ins(%a, %b : tensor<1000xf32>, tensor<1000xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  return %m : tensor<f32>
}
func.func @batch_matmul(%a: tensor<3x20x32xf32>, %b: tensor<3x32x24xf32>) -> tensor<3x20x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x20x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x20x24xf32>) -> tensor<3x20x24xf32>
  %m = linalg.batch_matmul ins(%a, %b : tensor<3x20x32xf32>, tensor<3x32x24xf32>) outs(%f : tensor<3x20x24xf32>) -> tensor<3x20x24xf32>
  return %m : tensor<3x20x24xf32>
}
func.func @mmt4d(%a: tensor<2x3x4x5xf32>, %b: tensor<6x3x7x5xf32>) -> tensor<2x6x4x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x4x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  %m = linalg.mmt4d ins(%a, %b : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%f : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  return %m : tensor<2x6x4x7xf32>
}
func.func @conv_nhwc(%a: tensor<1x10x10x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<1x8x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %m = linalg.conv_2d_nhwc_hwcf ins(%a, %w : tensor<1x10x10x3xf32>, tensor<3x3x3x8xf32>) outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %m : tensor<1x8x8x8xf32>
}
func.func @conv_nchw_stride(%a: tensor<2x3x11x11xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %m = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %w : tensor<2x3x11x11xf32>, tensor<5x3x3x3xf32>) outs(%f : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %m : tensor<2x5x5x5xf32>
}
func.func @depthwise(%a: tensor<1x9x9x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<1x7x7x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  %m = linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %w : tensor<1x9x9x4xf32>, tensor<3x3x4xf32>) outs(%f : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  return %m : tensor<1x7x7x4xf32>
}
func.func @conv_pad(%a: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x8x8x3xf32> to tensor<1x10x10x3xf32>
  %e = tensor.empty() : tensor<1x8x8x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %m = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x10x10x3xf32>, tensor<3x3x3x4xf32>) outs(%f : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %m : tensor<1x8x8x4xf32>
}
func.func @max_pool(%a: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %z = arith.constant -3.40282347E+38 : f32
  %w = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %m = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%a, %w : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %m : tensor<1x4x4x4xf32>
}
func.func @softmax_op(%a: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %e = tensor.empty() : tensor<5x33xf32>
  %m = linalg.softmax dimension(1) ins(%a : tensor<5x33xf32>) outs(%e : tensor<5x33xf32>) -> tensor<5x33xf32>
  return %m : tensor<5x33xf32>
}
func.func @softmax_long(%a: tensor<7x3000xf32>) -> tensor<7x3000xf32> {
  %e = tensor.empty() : tensor<7x3000xf32>
  %m = linalg.softmax dimension(1) ins(%a : tensor<7x3000xf32>) outs(%e : tensor<7x3000xf32>) -> tensor<7x3000xf32>
  return %m : tensor<7x3000xf32>
}
func.func @row_sum(%a: tensor<50x77xf32>) -> tensor<50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %m = linalg.reduce { arith.addf } ins(%a : tensor<50x77xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  return %m : tensor<50xf32>
}
func.func @column_max(%a: tensor<50x77xf32>) -> tensor<77xf32> {
  %z = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<77xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<77xf32>) -> tensor<77xf32>
  %m = linalg.generic {indexing_maps = [#id2, #red0], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<50x77xf32>) outs(%f : tensor<77xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<77xf32>
  return %m : tensor<77xf32>
}
func.func @argmax(%a: tensor<20x77xf32>) -> (tensor<20xf32>, tensor<20xi32>) {
  %z = arith.constant -1.0e30 : f32
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<20xf32>
  %ei = tensor.empty() : tensor<20xi32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %fi = linalg.fill ins(%c0 : i32) outs(%ei : tensor<20xi32>) -> tensor<20xi32>
  %m:2 = linalg.generic {indexing_maps = [#id2, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<20x77xf32>) outs(%f, %fi : tensor<20xf32>, tensor<20xi32>) {
  ^bb0(%x: f32, %o: f32, %i: i32):
    %n = linalg.index 1 : index
    %k = arith.index_cast %n : index to i32
    %g = arith.cmpf ogt, %x, %o : f32
    %s = arith.select %g, %x, %o : f32
    %t = arith.select %g, %k, %i : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<20xf32>, tensor<20xi32>)
  return %m#0, %m#1 : tensor<20xf32>, tensor<20xi32>
}
func.func @full_sum(%a: tensor<50x77xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %m = linalg.generic {indexing_maps = [#id2, #none2], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<50x77xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %m : tensor<f32>
}
func.func @layernorm(%a: tensor<6x64xf32>, %g: tensor<64xf32>) -> tensor<6x64xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %er = tensor.empty() : tensor<6xf32>
  %e = tensor.empty() : tensor<6x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<6x64xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %var = linalg.generic {indexing_maps = [#id2, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %sum : tensor<6x64xf32>, tensor<6xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %u = arith.divf %m, %n : f32
    %d = arith.subf %x, %u : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#id2, #row, #row, #col, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a, %sum, %var, %g : tensor<6x64xf32>, tensor<6xf32>, tensor<6xf32>, tensor<64xf32>) outs(%e : tensor<6x64xf32>) {
  ^bb0(%x: f32, %m: f32, %v: f32, %w: f32, %o: f32):
    %u = arith.divf %m, %n : f32
    %d = arith.subf %x, %u : f32
    %vv = arith.divf %v, %n : f32
    %ve = arith.addf %vv, %eps : f32
    %rs = math.rsqrt %ve : f32
    %p = arith.mulf %d, %rs : f32
    %y = arith.mulf %p, %w : f32
    linalg.yield %y : f32
  } -> tensor<6x64xf32>
  return %r : tensor<6x64xf32>
}
func.func @transpose2(%a: tensor<33x65xf32>) -> tensor<65x33xf32> {
  %e = tensor.empty() : tensor<65x33xf32>
  %m = linalg.transpose ins(%a : tensor<33x65xf32>) outs(%e : tensor<65x33xf32>) permutation = [1, 0]
  return %m : tensor<65x33xf32>
}
func.func @transpose6(%a: tensor<2x3x2x5x2x3xf32>) -> tensor<3x2x5x2x3x2xf32> {
  %e = tensor.empty() : tensor<3x2x5x2x3x2xf32>
  %m = linalg.transpose ins(%a : tensor<2x3x2x5x2x3xf32>) outs(%e : tensor<3x2x5x2x3x2xf32>) permutation = [5, 4, 3, 2, 1, 0]
  return %m : tensor<3x2x5x2x3x2xf32>
}
func.func @broadcast3(%a: tensor<7xf32>) -> tensor<5x7x3xf32> {
  %e = tensor.empty() : tensor<5x7x3xf32>
  %m = linalg.broadcast ins(%a : tensor<7xf32>) outs(%e : tensor<5x7x3xf32>) dimensions = [0, 2]
  return %m : tensor<5x7x3xf32>
}
func.func @map_op(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %e = tensor.empty() : tensor<5x7xf32>
  %m = linalg.map { arith.mulf } ins(%a, %b : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>)
  return %m : tensor<5x7xf32>
}
func.func @rank0(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %m = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%a, %b : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %m : tensor<f32>
}
func.func @iota() -> tensor<4x9xi32> {
  %e = tensor.empty() : tensor<4x9xi32>
  %m = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x9xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 9 : index
    %k = arith.muli %i, %c : index
    %s = arith.addi %k, %j : index
    %t = arith.index_cast %s : index to i32
    linalg.yield %t : i32
  } -> tensor<4x9xi32>
  return %m : tensor<4x9xi32>
}
func.func @gather(%table: tensor<8x16xf32>, %ids: tensor<10xi64>) -> tensor<10x16xf32> {
  %e = tensor.empty() : tensor<10x16xf32>
  %m = linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<10xi64>) outs(%e : tensor<10x16xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<8x16xf32>
    linalg.yield %v : f32
  } -> tensor<10x16xf32>
  return %m : tensor<10x16xf32>
}
func.func @control_flow(%a: tensor<31xf32>) -> tensor<31xf32> {
  %e = tensor.empty() : tensor<31xf32>
  %m = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%a : tensor<31xf32>) outs(%e : tensor<31xf32>) {
  ^bb0(%x: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %p = arith.cmpf ogt, %x, %z : f32
    %j = linalg.index 0 : index
    %r = scf.if %p -> f32 {
      %s = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %x) -> f32 {
        %n = arith.addf %acc, %x : f32
        scf.yield %n : f32
      }
      scf.yield %s : f32
    } else {
      %k = arith.index_cast %j : index to i32
      %f = arith.sitofp %k : i32 to f32
      scf.yield %f : f32
    }
    linalg.yield %r : f32
  } -> tensor<31xf32>
  return %m : tensor<31xf32>
}
func.func @strided_map(%a: tensor<20xf32>) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<10xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2 + 1)>, #id1], iterator_types = ["parallel"]}
      ins(%a : tensor<20xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<10xf32>
  return %m : tensor<10xf32>
}
func.func @pad_const(%a: tensor<5x7xf32>) -> tensor<8x12xf32> {
  %z = arith.constant 1.5 : f32
  %p = tensor.pad %a low[1, 2] high[2, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<5x7xf32> to tensor<8x12xf32>
  return %p : tensor<8x12xf32>
}
func.func @concat_op(%a: tensor<5x7xf32>, %b: tensor<5x4xf32>) -> tensor<5x11xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<5x7xf32>, tensor<5x4xf32>) -> tensor<5x11xf32>
  return %c : tensor<5x11xf32>
}
func.func @insert_slice_op(%a: tensor<3x4xf32>, %b: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %c = tensor.insert_slice %a into %b[2, 3] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<8x9xf32>
  return %c : tensor<8x9xf32>
}
func.func @extract_slice_op(%b: tensor<8x9xf32>) -> tensor<3x4xf32> {
  %c = tensor.extract_slice %b[2, 1] [3, 4] [1, 2] : tensor<8x9xf32> to tensor<3x4xf32>
  return %c : tensor<3x4xf32>
}
func.func @reshape_then_add(%a: tensor<6x8xf32>, %b: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %x = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %e = tensor.empty() : tensor<2x3x8xf32>
  %r = linalg.add ins(%x, %b : tensor<2x3x8xf32>, tensor<2x3x8xf32>) outs(%e : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}
func.func @collapse_of_slice(%a: tensor<6x4x8xf32>) -> tensor<12x8xf32> {
  %s = tensor.extract_slice %a[1, 0, 0] [3, 4, 8] [1, 1, 1] : tensor<6x4x8xf32> to tensor<3x4x8xf32>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<3x4x8xf32> into tensor<12x8xf32>
  %e = tensor.empty() : tensor<12x8xf32>
  %r = linalg.exp ins(%c : tensor<12x8xf32>) outs(%e : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}
func.func @identity(%a: tensor<4x5xf32>) -> tensor<4x5xf32> {
  return %a : tensor<4x5xf32>
}
func.func @same_twice(%a: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %e = tensor.empty() : tensor<4x5xf32>
  %r = linalg.exp ins(%a : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r, %r : tensor<4x5xf32>, tensor<4x5xf32>
}
func.func @scalars(%a: tensor<4x5xf32>, %s: f32, %i: index) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %k = arith.index_cast %i : index to i32
  %f = arith.sitofp %k : i32 to f32
  %g = arith.mulf %f, %s : f32
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %g : f32
    linalg.yield %y : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @constants(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %d = arith.constant dense<0.5> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.add ins(%a, %c : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %q = linalg.mul ins(%r, %d : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %q : tensor<2x3xf32>
}
func.func @scalar_code(%a: tensor<6xf32>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %x = tensor.extract %a[%c3] : tensor<6xf32>
  %y = arith.mulf %x, %x : f32
  %i = tensor.insert %y into %a[%c0] : tensor<6xf32>
  %z = tensor.extract %i[%c0] : tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%i : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %z : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
func.func @from_elements(%a: f32, %b: f32) -> tensor<2x2xf32> {
  %t = tensor.from_elements %a, %b, %b, %a : tensor<2x2xf32>
  return %t : tensor<2x2xf32>
}
func.func @generate(%a: tensor<9xf32>) -> tensor<3x9xf32> {
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %a[%j] : tensor<9xf32>
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.addf %v, %f : f32
    tensor.yield %s : f32
  } : tensor<3x9xf32>
  return %g : tensor<3x9xf32>
}
func.func @scatter_forall(%a: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %e = tensor.empty() : tensor<12x8xf32>
  %r = scf.forall (%i) in (12) shared_outs(%o = %e) -> tensor<12x8xf32> {
    %s = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<12x8xf32> to tensor<1x8xf32>
    %t = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<12x8xf32> to tensor<1x8xf32>
    %x = linalg.exp ins(%s : tensor<1x8xf32>) outs(%t : tensor<1x8xf32>) -> tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<12x8xf32>
    }
  }
  return %r : tensor<12x8xf32>
}
func.func @i4_dequant(%w: tensor<16x32xi4>, %s: tensor<16xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %r = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<16x32xi4>, tensor<16xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%q: i4, %k: f32, %o: f32):
    %x = arith.extui %q : i4 to i32
    %f = arith.uitofp %x : i32 to f32
    %y = arith.mulf %f, %k : f32
    linalg.yield %y : f32
  } -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}
func.func @pack_op(%a: tensor<8x12xf32>) -> tensor<2x3x4x4xf32> {
  %e = tensor.empty() : tensor<2x3x4x4xf32>
  %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<8x12xf32> -> tensor<2x3x4x4xf32>
  return %p : tensor<2x3x4x4xf32>
}
func.func @unpack_op(%a: tensor<2x3x4x4xf32>) -> tensor<8x12xf32> {
  %e = tensor.empty() : tensor<8x12xf32>
  %p = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<2x3x4x4xf32> -> tensor<8x12xf32>
  return %p : tensor<8x12xf32>
}
func.func @select_scalar(%c: i1, %a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %r = arith.select %c, %a, %b : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @reverse_op(%a: tensor<6x5xf32>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<6x5xf32>
  %c5 = arith.constant 5 : index
  %r = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c5, %i : index
    %v = tensor.extract %a[%k, %j] : tensor<6x5xf32>
    linalg.yield %v : f32
  } -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}
func.func @cumulative(%a: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %er = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id2, #id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x6xf32>) outs(%e, %f : tensor<4x6xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s, %s : f32, f32
  } -> (tensor<4x6xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4x6xf32>, tensor<4xf32>
}
