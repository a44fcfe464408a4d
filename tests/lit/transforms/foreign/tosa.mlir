// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function conv --repeat 1 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: fuselage run %s --function conv --repeat 1 --device vulkan:0 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: fuselage run %s --function rescale --repeat 1 --input arg0=10 --input arg1=1 --print 2>&1 | FileCheck %s --check-prefix=RESCALED
// RUN: fuselage step %s 2>&1 | FileCheck %s --check-prefix=STEPS

// STEPS: Normalize
// STEPS: tosa.custom is of dialects that can be read but not lowered here

// A bias is where the sum starts, a clamp after it is an epilogue.
// RAN-NOT: note: the module is
//     RAN: conv_dispatch_0_conv_2d_nhwc_fhwc_1x12x12x16x3x3x8 {{.*}} ok
//     RAN: result 0 {{.*}} ok
// CHECK-LABEL: func.func @conv
//   CHECK-NOT:   tosa.
//       CHECK:   tensor.pad
//       CHECK:   linalg.conv_2d_nhwc_fhwc
//       CHECK:   arith.minimumf
func.func @conv(%x: tensor<1x12x12x8xf32>, %w: tensor<16x3x3x8xf32>, %b: tensor<16xf32>) -> tensor<1x12x12x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x12x12x8xf32>, tensor<16x3x3x8xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x12x16xf32>
  %1 = tosa.clamp %0 {max_val = 6.0 : f32, min_val = 0.0 : f32} : (tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  return %1 : tensor<1x12x12x16xf32>
}

// 10 * 4 / 2 + 3
// RESCALED: 23 23
// CHECK-LABEL: func.func @rescale
//   CHECK-NOT:   tosa.
//       CHECK:   linalg.batch_matmul
//       CHECK:   linalg.generic
//       CHECK:     arith.shrsi
func.func @rescale(%x: tensor<1x2x4xi8>, %w: tensor<1x4x2xi8>) -> tensor<1x2x2xi8> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x2x4xi8>, tensor<1x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %o = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.rescale %0, %m, %s, %i, %o {rounding_mode = SINGLE_ROUND, per_channel = false, scale32 = true, input_unsigned = false, output_unsigned = false} : (tensor<1x2x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2x2xi8>
  return %1 : tensor<1x2x2xi8>
}

// Branches and loops, and shapes that are constants.
// CHECK-LABEL: func.func @control
//   CHECK-NOT:   tosa.
//       CHECK:   tensor.collapse_shape
//       CHECK:   scf.if
//       CHECK:     math.exp
//       CHECK:   scf.while
func.func @control(%x: tensor<4x30xf32>, %c: tensor<i1>, %n: tensor<i32>) -> (tensor<120xf32>, tensor<i32>) {
  %shape = tosa.const_shape {values = dense<120> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.reshape %x, %shape : (tensor<4x30xf32>, !tosa.shape<1>) -> tensor<120xf32>
  %0 = "tosa.cond_if"(%c, %r) ({
  ^bb0(%a: tensor<120xf32>):
    %e = tosa.exp %a : (tensor<120xf32>) -> tensor<120xf32>
    tosa.yield %e : tensor<120xf32>
  }, {
  ^bb0(%a: tensor<120xf32>):
    %e = tosa.tanh %a : (tensor<120xf32>) -> tensor<120xf32>
    tosa.yield %e : tensor<120xf32>
  }) : (tensor<i1>, tensor<120xf32>) -> tensor<120xf32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %ten = "tosa.const"() <{values = dense<10> : tensor<i32>}> : () -> tensor<i32>
  %1 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
    %p = tosa.greater %ten, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %q = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %q : tensor<i32>
  }
  return %0, %1 : tensor<120xf32>, tensor<i32>
}

// What upstream has no kernel for stays, and what is around it is lowered.
// CHECK-LABEL: func.func @custom
//       CHECK:   math.exp
//       CHECK:   tosa.custom
//       CHECK:   math.tanh
func.func @custom(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tosa.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tosa.custom %0 {domain_name = "mine", operator_name = "op", implementation_attrs = ""} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = tosa.tanh %1 : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
