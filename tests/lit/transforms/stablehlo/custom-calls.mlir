// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: fuselage run %s --function mhlo_ops --repeat 1 --print | FileCheck %s --check-prefix=OPS
// RUN: fuselage run %s --function approximate --repeat 1 --print | FileCheck %s --check-prefix=APPROXIMATE
// RUN: fuselage run %s --function dynamic_window --repeat 1 --print | FileCheck %s --check-prefix=WINDOW
// RUN: fuselage run %s --function dynamic_bits --repeat 1 --print | FileCheck %s --check-prefix=BITS
// RUN: fuselage run %s --function dynamic_pad --repeat 1 --print | FileCheck %s --check-prefix=PAD

// CHECK-LABEL: func.func @mhlo_ops
//   CHECK-NOT:   custom_call
func.func @mhlo_ops() -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}} : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %1:2 = stablehlo.custom_call @TopK(%x) {called_computations = [], backend_config = ""} : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %2 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}} : (tensor<3xf32>) -> tensor<3xf32>
  return %0#0, %0#1, %1#0, %1#1, %2 : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<3xf32>
}
// OPS: [1. 2.]
// OPS: [0 2]
// OPS: [3. 2.]
// OPS: [1 2]
// OPS: [0.8427{{.*}}

// The k largest are right for any recall. The comparator is no function that could be run.
// CHECK-LABEL: func.func private @greater
func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @approximate() -> (tensor<1x2xf32>, tensor<1x2xi32>) {
  %x = stablehlo.constant dense<[[1.0, 3.0, 2.0]]> : tensor<1x3xf32>
  %i = stablehlo.iota dim = 1 : tensor<1x3xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %low, %none) {backend_config = "", called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<1x3xf32>, tensor<1x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x2xf32>, tensor<1x2xi32>)
  return %0#0, %0#1 : tensor<1x2xf32>, tensor<1x2xi32>
}
// APPROXIMATE: [3. 2.]
// APPROXIMATE: [1 2]

// JAX's form for sizes that a shape refinement has made known.
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @dynamic_window() -> tensor<3xf32> {
  %x = stablehlo.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %pad = stablehlo.constant dense<[[2, 0]]> : tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %three, %one, %one, %one, %pad) {api_version = 2 : i32, called_computations = [@sum]} : (tensor<3xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// WINDOW: [1. 4. 6.]

func.func @dynamic_bits() -> tensor<5xui32> {
  %state = stablehlo.constant dense<[3, 18446744073709551615]> : tensor<2xui64>
  %size = stablehlo.constant dense<5> : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %size) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<5xui32>)
  return %0#1 : tensor<5xui32>
}
// BITS: 1735664807 1337518673 791669973

// Padding before, after and between elements, known once shapes are.
func.func @dynamic_pad() -> tensor<6xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %v = stablehlo.constant dense<9> : tensor<i32>
  %low = stablehlo.constant dense<1> : tensor<1xi32>
  %high = stablehlo.constant dense<1> : tensor<1xi32>
  %inside = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %inside : (tensor<2xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
// PAD: [9 1 9 9 2 9]

// CHECK-LABEL: func.func @library
//       CHECK:   stablehlo.custom_call @lapack_spotrf_ffi
// REMARK: stays as it is: nothing here knows the function 'lapack_spotrf_ffi'
func.func @library(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  return %0#0 : tensor<2x2xf32>
}
