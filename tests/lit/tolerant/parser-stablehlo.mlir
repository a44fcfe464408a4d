// StableHLO, CHLO, MHLO, VHLO, Shardy: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0]
// CHECK: stablehlo.while(

module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<16x4xf32>, %arg2: tensor<i32>, %k: tensor<2xui32>) -> (tensor<8x4xf32> {jax.result_info = ""}, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %2:2 = stablehlo.reduce(%0 init: %cst), (%0 init: %cst) across dimensions = [0] : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%x: tensor<f32>, %y: tensor<f32>)  {
      %m = stablehlo.maximum %a, %b : tensor<f32>
      %n = stablehlo.minimum %x, %y : tensor<f32>
      stablehlo.return %m, %n : tensor<f32>, tensor<f32>
    }
    %3 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
    %4 = stablehlo.compare  GT, %0, %3,  FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %5 = stablehlo.select %4, %0, %3 : tensor<8x4xi1>, tensor<8x4xf32>
    %img = stablehlo.iota dim = 1 : tensor<1x8x8x3xf32>
    %ker = stablehlo.constant dense<1.0> : tensor<3x3x3x4xf32>
    %6 = stablehlo.convolution(%img, %ker) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
    %7 = "stablehlo.gather"(%5, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
    %8:2 = stablehlo.while(%i = %arg2, %acc = %5) : tensor<i32>, tensor<8x4xf32>
     cond {
      %lim = stablehlo.constant dense<10> : tensor<i32>
      %lt = stablehlo.compare  LT, %i, %lim,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %sum = stablehlo.add %acc, %5 : tensor<8x4xf32>
      stablehlo.return %next, %sum : tensor<i32>, tensor<8x4xf32>
    }
    %9 = "stablehlo.case"(%8#0) ({
      stablehlo.return %5 : tensor<8x4xf32>
    }, {
      stablehlo.return %8#1 : tensor<8x4xf32>
    }) : (tensor<i32>) -> tensor<8x4xf32>
    %10 = stablehlo.pad %9, %cst, low = [0, 1], high = [1, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<9x5xf32>
    %11 = stablehlo.slice %10 [0:8, 1:5:1] : (tensor<9x5xf32>) -> tensor<8x4xf32>
    %12 = stablehlo.dynamic_slice %11, %arg2, %arg2, sizes = [1, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %13 = stablehlo.custom_call @Sharding(%11) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %14:2 = stablehlo.custom_call @topk(%11, %c) {mhlo.backend_config = {k = 4 : i64}, called_computations = [@helper]} : (tensor<8x4xf32>, tensor<2xi64>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
    %15, %16 = stablehlo.rng_bit_generator %k, algorithm =  THREE_FRY : (tensor<2xui32>) -> (tensor<2xui32>, tensor<4xui32>)
    %17 = stablehlo.convert %16 : (tensor<4xui32>) -> tensor<4xf32>
    %18 = stablehlo.bitcast_convert %16 : (tensor<4xui32>) -> tensor<4xf32>
    %19 = stablehlo.reshape %13 : (tensor<8x4xf32>) -> tensor<32xf32>
    %20 = stablehlo.concatenate %19, %19, dim = 0 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %21 = "stablehlo.all_reduce"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %22 = sdy.sharding_constraint %21 <@mesh, [{"x"}, {?}]> : tensor<8x4xf32>
    %23 = sdy.manual_computation(%22) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%loc: tensor<4x4xf32>) {
      %t = stablehlo.tanh %loc : tensor<4x4xf32>
      sdy.return %t : tensor<4x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %24 = chlo.broadcast_add %23, %cst : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %25 = chlo.erf %24 : tensor<8x4xf32> -> tensor<8x4xf32>
    %values, %indices = chlo.top_k(%25, k = 2) : tensor<8x4xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
    %26 = chlo.broadcast_compare %25, %cst {comparison_direction = #chlo<comparison_direction GT>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xi1>
    %27 = chlo.constant dense<1> : tensor<4xi32>
    %28 = stablehlo.composite "my.gelu" %25 {composite_attributes = {approx = "tanh"}, decomposition = @helper, version = 1 : i32} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %lt0 = stablehlo.compare  EQ, %cst, %cst : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %30 = stablehlo.tuple %28, %lt0 : tuple<tensor<8x4xf32>, tensor<i1>>
    %29 = stablehlo.get_tuple_element %30[0] : (tuple<tensor<8x4xf32>, tensor<i1>>) -> tensor<8x4xf32>
    %tok = stablehlo.create_token : !stablehlo.token
    %31 = stablehlo.optimization_barrier %29 : tensor<8x4xf32>
    return %31, %lt0 : tensor<8x4xf32>, tensor<i1>
  }
  func.func private @helper(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = mhlo.add %arg0, %arg0 : tensor<8x4xf32>
    %1 = "mhlo.fusion"(%0) ({
    ^bb0(%a: tensor<8x4xf32>):
      mhlo.return %a : tensor<8x4xf32>
    }) {fusion_kind = #mhlo<fusion_kind kLoop>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = vhlo.negate_v1 %1 : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
