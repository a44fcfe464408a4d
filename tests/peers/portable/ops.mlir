// Ops of StableHLO with attributes that are not their defaults, a program a piece. Read by ../portable_artifacts.py.
func.func @elementwise(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  %1 = stablehlo.add %0, %b : tensor<4xf32>
  %2 = stablehlo.atan2 %1, %b : tensor<4xf32>
  %3 = stablehlo.cbrt %2 : tensor<4xf32>
  %4 = stablehlo.ceil %3 : tensor<4xf32>
  %5 = stablehlo.cosine %4 : tensor<4xf32>
  %6 = stablehlo.divide %5, %b : tensor<4xf32>
  %7 = stablehlo.exponential %6 : tensor<4xf32>
  %8 = stablehlo.exponential_minus_one %7 : tensor<4xf32>
  %9 = stablehlo.floor %8 : tensor<4xf32>
  %10 = stablehlo.log %9 : tensor<4xf32>
  %11 = stablehlo.log_plus_one %10 : tensor<4xf32>
  %12 = stablehlo.logistic %11 : tensor<4xf32>
  %13 = stablehlo.maximum %12, %b : tensor<4xf32>
  %14 = stablehlo.minimum %13, %b : tensor<4xf32>
  %15 = stablehlo.multiply %14, %b : tensor<4xf32>
  %16 = stablehlo.negate %15 : tensor<4xf32>
  %17 = stablehlo.power %16, %b : tensor<4xf32>
  %18 = stablehlo.remainder %17, %b : tensor<4xf32>
  %19 = stablehlo.round_nearest_afz %18 : tensor<4xf32>
  %20 = stablehlo.round_nearest_even %19 : tensor<4xf32>
  %21 = stablehlo.rsqrt %20 : tensor<4xf32>
  %22 = stablehlo.sign %21 : tensor<4xf32>
  %23 = stablehlo.sine %22 : tensor<4xf32>
  %24 = stablehlo.sqrt %23 : tensor<4xf32>
  %25 = stablehlo.subtract %24, %b : tensor<4xf32>
  %26 = stablehlo.tanh %25 : tensor<4xf32>
  %27 = stablehlo.is_finite %26 : (tensor<4xf32>) -> tensor<4xi1>
  %28 = stablehlo.select %27, %26, %a : tensor<4xi1>, tensor<4xf32>
  %29 = stablehlo.clamp %a, %28, %b : tensor<4xf32>
  %30 = stablehlo.reduce_precision %29, format = e5m10 : tensor<4xf32>
  return %30 : tensor<4xf32>
}
// -----
func.func @integers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.and %a, %b : tensor<4xi32>
  %1 = stablehlo.or %0, %b : tensor<4xi32>
  %2 = stablehlo.xor %1, %b : tensor<4xi32>
  %3 = stablehlo.not %2 : tensor<4xi32>
  %4 = stablehlo.popcnt %3 : tensor<4xi32>
  %5 = stablehlo.count_leading_zeros %4 : tensor<4xi32>
  %6 = stablehlo.shift_left %5, %b : tensor<4xi32>
  %7 = stablehlo.shift_right_arithmetic %6, %b : tensor<4xi32>
  %8 = stablehlo.shift_right_logical %7, %b : tensor<4xi32>
  return %8 : tensor<4xi32>
}
// -----
func.func @tan(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tan %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @accuracy(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, rtol = 0.25, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.tanh"(%0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
func.func @complex(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xcomplex<f64>>) {
  %0 = stablehlo.complex %a, %b : tensor<4xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.imag %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %3 = stablehlo.add %1, %2 : tensor<4xf32>
  %4 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 3.0)]> : tensor<2xcomplex<f64>>
  return %3, %4 : tensor<4xf32>, tensor<2xcomplex<f64>>
}
// -----
func.func @constants() -> (tensor<i1>, tensor<9xi1>, tensor<3xi1>, tensor<2x3xi1>, tensor<5xi4>, tensor<5xui8>, tensor<0xf32>, tensor<3xbf16>, tensor<2xf16>, tensor<f64>, tensor<2xi64>, tensor<8xi1>, tensor<16xi1>) {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.constant dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>
  %2 = stablehlo.constant dense<[true, false, false]> : tensor<3xi1>
  %3 = stablehlo.constant dense<true> : tensor<2x3xi1>
  %4 = stablehlo.constant dense<[-8, 7, 0, 1, -1]> : tensor<5xi4>
  %5 = stablehlo.constant dense<[255, 0, 1, 2, 128]> : tensor<5xui8>
  %6 = stablehlo.constant dense<> : tensor<0xf32>
  %7 = stablehlo.constant dense<[1.5, -2.0, 0x7F80]> : tensor<3xbf16>
  %8 = stablehlo.constant dense<0x7C00> : tensor<2xf16>
  %9 = stablehlo.constant dense<3.141592653589793> : tensor<f64>
  %10 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  %11 = stablehlo.constant dense<false> : tensor<8xi1>
  %12 = stablehlo.constant dense<[true, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true]> : tensor<16xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<i1>, tensor<9xi1>, tensor<3xi1>, tensor<2x3xi1>, tensor<5xi4>, tensor<5xui8>, tensor<0xf32>, tensor<3xbf16>, tensor<2xf16>, tensor<f64>, tensor<2xi64>, tensor<8xi1>, tensor<16xi1>
}
// -----
func.func @float8(%a: tensor<4xf8E4M3FN>, %b: tensor<4xf8E5M2>) -> tensor<4xf32> {
  %0 = stablehlo.convert %a : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  %1 = stablehlo.convert %b : (tensor<4xf8E5M2>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
func.func @more_float8(%a: tensor<4xf8E4M3FNUZ>, %b: tensor<4xf8E5M2FNUZ>, %c: tensor<4xf8E4M3B11FNUZ>) -> tensor<4xf8E4M3FNUZ> {
  return %a : tensor<4xf8E4M3FNUZ>
}
// -----
func.func @small_types(%a: tensor<4xf8E4M3>, %b: tensor<4xf8E3M4>, %c: tensor<2xi2>, %d: tensor<2xui2>) -> tensor<2xui2> {
  return %d : tensor<2xui2>
}
// -----
func.func @smaller_floats(%a: tensor<4xf4E2M1FN>, %b: tensor<4xf6E2M3FN>, %c: tensor<2xf6E3M2FN>, %d: tensor<2xf8E8M0FNU>) -> tensor<2xf8E8M0FNU> {
  return %d : tensor<2xf8E8M0FNU>
}
// -----
func.func @compare(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xi32>, %d: tensor<4xui32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare NE, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare GE, %c, %c, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.compare GT, %d, %d, UNSIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %6 = stablehlo.and %4, %5 : tensor<4xi1>
  return %0, %1, %2, %3, %6 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
// -----
func.func @dot(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
func.func @dot_algorithm(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
func.func @convolution(%a: tensor<1x8x8x16xf32>, %b: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 2], [0, 3]], rhs_dilate = [2, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x16xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}
// -----
func.func @dynamic_conv(%a: tensor<1x8x8x16xf32>, %b: tensor<3x3x16x8xf32>, %p: tensor<2x2xi64>) -> tensor<1x?x?x8xf32> {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>} : (tensor<1x8x8x16xf32>, tensor<3x3x16x8xf32>, tensor<2x2xi64>) -> tensor<1x?x?x8xf32>
  return %0 : tensor<1x?x?x8xf32>
}
// -----
func.func @gather(%a: tensor<3x4x2xi32>, %i: tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>, indices_are_sorted = true} : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  return %0 : tensor<2x3x2x2xi32>
}
// -----
func.func @gather_batched(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>} : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return %0 : tensor<2x2x3x2x2xi32>
}
// -----
func.func @dynamic_gather(%a: tensor<3x4x2xi32>, %i: tensor<2x3x2xi64>, %s: tensor<3xi64>) -> tensor<2x3x2x2xi32> {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>} : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xi32>
  return %0 : tensor<2x3x2x2xi32>
}
// -----
func.func @scatter(%a: tensor<3x4x2xi64>, %i: tensor<2x3x2xi64>, %u: tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %1 = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = true, unique_indices = true} : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
  return %0 : tensor<3x4x2xi64>
}
// -----
func.func @scatter_batched(%a: tensor<2x3x4x2xi64>, %i: tensor<2x2x3x2xi64>, %u: tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    stablehlo.return %y : tensor<i64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>} : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  return %0 : tensor<2x3x4x2xi64>
}
// -----
func.func @reduce(%a: tensor<4x5xf32>, %b: tensor<4x5xi32>, %i: tensor<f32>, %j: tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = stablehlo.reduce(%a init: %i), (%b init: %j) across dimensions = [1] : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %1 = stablehlo.add %x, %y : tensor<f32>
    %2 = stablehlo.maximum %p, %q : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}
// -----
func.func @reduce_window(%a: tensor<1x8x8x4xf32>, %i: tensor<f32>) -> tensor<1x5x6x4xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 3, 1>, window_strides = array<i64: 1, 2, 1, 1>, window_dilations = array<i64: 1, 1, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 2], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x8x8x4xf32>, tensor<f32>) -> tensor<1x5x6x4xf32>
  return %0 : tensor<1x5x6x4xf32>
}
// -----
func.func @select_and_scatter(%a: tensor<4x2xi64>, %s: tensor<2x2xi64>, %i: tensor<i64>) -> tensor<4x2xi64> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %1 = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  return %0 : tensor<4x2xi64>
}
// -----
func.func @shapes(%a: tensor<2x3xf32>, %v: tensor<f32>) -> (tensor<3x2xf32>, tensor<6xf32>, tensor<4x3xf32>, tensor<7x8xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<5x2x3xf32>, tensor<2x3x4xf32>, tensor<3x4xi32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = stablehlo.pad %a, %v, low = [1, 2], high = [3, -1], interior = [1, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<7x8xf32>
  %4 = stablehlo.slice %a [1:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %5 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>
  %6 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 5>} : (tensor<2x3xf32>) -> tensor<5x2x3xf32>
  %7 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x4xf32>
  %8 = stablehlo.iota dim = 1 : tensor<3x4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<3x2xf32>, tensor<6xf32>, tensor<4x3xf32>, tensor<7x8xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<5x2x3xf32>, tensor<2x3x4xf32>, tensor<3x4xi32>
}
// -----
func.func @dynamic(%a: tensor<?x?xf32>, %s: tensor<2xi64>, %t: tensor<3xi64>, %i: tensor<i64>, %v: tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x2xf32>, tensor<?x?xf32>, tensor<i32>) {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %t, dims = [1, 2] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %2 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x?xi32>
  %3 = stablehlo.dynamic_pad %a, %v, %s, %s, %s : (tensor<?x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %4 = stablehlo.real_dynamic_slice %a, %s, %s, %s : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %5 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 2] : (tensor<?x?xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
  %6 = stablehlo.dynamic_update_slice %a, %5, %i, %i : (tensor<?x?xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<?x?xf32>
  %7 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x2xf32>, tensor<?x?xf32>, tensor<i32>
}
// -----
func.func @bounded(%a: tensor<?x4xf32, #stablehlo.bounds<10, ?>>, %n: tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<10, ?>> {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<?x4xf32, #stablehlo.bounds<10, ?>>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<10, ?>>
  return %0 : tensor<?x4xf32, #stablehlo.bounds<10, ?>>
}
// -----
func.func @control(%p: tensor<i1>, %k: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<4xf32>
  }, {
    %n = stablehlo.negate %a : tensor<4xf32>
    stablehlo.return %n : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %1 = "stablehlo.case"(%k) ({
    stablehlo.return %0 : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %c = stablehlo.constant dense<10> : tensor<i32>
  %2:2 = stablehlo.while(%i = %k, %x = %1) : tensor<i32>, tensor<4xf32>
    cond {
    %l = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  } do {
    %m = stablehlo.add %i, %c : tensor<i32>
    %d = stablehlo.add %x, %x : tensor<4xf32>
    stablehlo.return %m, %d : tensor<i32>, tensor<4xf32>
  }
  %3 = stablehlo.optimization_barrier %2#1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
// -----
func.func @sort(%a: tensor<4x5xf32>, %b: tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xi32>
}
// -----
func.func @map(%a: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.multiply %x, %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
func.func @linear_algebra(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  %1 = "stablehlo.triangular_solve"(%0, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// -----
func.func @fft(%a: tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  return %0 : tensor<3x5xcomplex<f32>>
}
// -----
func.func @batch_norm(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %1#1, %1#2, %0) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0, %1#0, %2#0 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}
// -----
func.func @random(%s: tensor<2xui64>, %a: tensor<f32>, %n: tensor<2xi64>) -> (tensor<2x3xui32>, tensor<2x3xf32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %2, %3 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %4 = stablehlo.rng %a, %a, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %3, %4 : tensor<2x3xui32>, tensor<2x3xf32>
}
// -----
func.func @tuples(%a: tensor<4xf32>, %t: !stablehlo.token) -> tensor<4xf32> {
  %0 = stablehlo.tuple %a, %t : tuple<tensor<4xf32>, !stablehlo.token>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4xf32>, !stablehlo.token>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
func.func @tokens(%a: tensor<4xf32>, %t: !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token) {
  %0 = stablehlo.after_all %t, %t : !stablehlo.token
  %1:2 = "stablehlo.infeed"(%0) {infeed_config = "foo", layout = [[0]]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %2 = "stablehlo.outfeed"(%1#0, %1#1) {outfeed_config = "bar"} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %3 = "stablehlo.send"(%a, %2) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %4:2 = "stablehlo.recv"(%3) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %4#0, %4#1 : tensor<4xf32>, !stablehlo.token
}
// -----
func.func @pairs(%a: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// -----
func.func @collectives(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x8xf32>
  %2 = "stablehlo.all_to_all"(%1) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = "stablehlo.reduce_scatter"(%2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %4 = "stablehlo.collective_permute"(%3) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.replica_id : tensor<ui32>
  %6 = stablehlo.partition_id : tensor<ui32>
  return %4 : tensor<4x4xf32>
}
// -----
func.func @collective_broadcast(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @custom_call(%a: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>) {
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "foo", has_side_effect = true, backend_config = "text", api_version = 2 : i32, called_computations = [@helper], operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.custom_call @bar(%0) : (tensor<4x2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<2xf32>
}
func.func private @helper(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
func.func @custom_call_dictionary(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "foo", api_version = 4 : i32, backend_config = {one = 1 : i64, flag = true, text = "x", list = [1.5 : f32, 2 : i8], type = tensor<4xf32>}} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// -----
func.func @composite(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %a {composite_attributes = {k = 3 : i32, name = "n"}, decomposition = @body, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.other" %0 {decomposition = @body} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @body(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @inner(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
func.func @old(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %i: tensor<2xi32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.dot %a, %b, precision = [HIGH, HIGH] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1 = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ik"} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %2 = "stablehlo.torch_index_select"(%a, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return %0, %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<2x4xf32>
}
// -----
func.func @bitcast(%a: tensor<4xf32>) -> tensor<4x4xi8> {
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4x4xi8>
  return %0 : tensor<4x4xi8>
}
// -----
module @named attributes {mhlo.num_partitions = 2 : i32} {
  func.func public @main(%weights: tensor<4xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}) -> (tensor<4xf32> {jax.result_info = "out"}) {
    %0 = stablehlo.add %weights, %weights {mhlo.frontend_attributes = {key = "value"}} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
func.func @mesh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 4>], device_ids = dense<[7, 6, 5, 4, 3, 2, 1, 0]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @async(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %s = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
func.func @composite_with_a_body(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.composite"(%a) <{decomposition = @body, name = "my.op"}> ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @body(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
func.func @chlo(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<2xi32>, tensor<4xi1>) {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  %1, %2 = chlo.top_k(%0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %3 = chlo.broadcast_compare %a, %0 {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction GT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<2xf32>, tensor<2xi32>, tensor<4xi1>
}
