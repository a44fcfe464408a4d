// Elementwise ops of StableHLO become linalg.generic, and arithmetic where there are no dimensions. What the
// specification says about numbers at the edge of their types is in the results.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function division --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: fuselage run %s --function shifts --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SHIFTS
// RUN: fuselage run %s --function booleans --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=BOOLEANS
// RUN: fuselage run %s --function special --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SPECIAL
// RUN: fuselage run %s --function comparisons --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=COMPARISONS
// RUN: fuselage run %s --function powers --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=POWERS
// RUN: fuselage run %s --function bits --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: fuselage run %s --function rounding --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=ROUNDING
// RUN: fuselage run %s --function clamp --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=CLAMP
// RUN: fuselage run %s --function select --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: fuselage run %s --function conversions --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=CONVERSIONS
// RUN: fuselage run %s --function reduce_precision --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=REDUCE_PRECISION
// RUN: fuselage run %s --function complex --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: fuselage run %s --function map --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=MAP

// CHECK-LABEL: func.func @lowering
//   CHECK-NOT:   stablehlo.
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
//       CHECK:     arith.addf
//       CHECK:   %[[I:.*]] = tensor.extract
//       CHECK:   arith.addi %[[I]]
func.func @lowering(%x: tensor<4xf32>, %i: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.add %i, %i : tensor<i32>
  return %0, %1 : tensor<4xf32>, tensor<i32>
}

// Divisions that would trap: by zero, and of the least number by -1.
// DIVISION: result 0 tensor<4xi32>{{$}}
// DIVISION-NEXT: [          3          -3 -2147483648          -2]
// DIVISION: result 1 tensor<4xi32>{{$}}
// DIVISION-NEXT: [ 1  1  0 -1]
// DIVISION: result 2 tensor<2xui8>{{$}}
// DIVISION-NEXT: [83  0]
func.func @division() -> (tensor<4xi32>, tensor<4xi32>, tensor<2xui8>) {
  %a = stablehlo.constant dense<[7, 7, -2147483648, -7]> : tensor<4xi32>
  %b = stablehlo.constant dense<[2, -2, 1, 3]> : tensor<4xi32>
  %c = stablehlo.constant dense<[250, 7]> : tensor<2xui8>
  %d = stablehlo.constant dense<[3, 9]> : tensor<2xui8>
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  %1 = stablehlo.remainder %a, %b : tensor<4xi32>
  %2 = stablehlo.divide %c, %d : tensor<2xui8>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<2xui8>
}

// Shifts by the width or more.
// SHIFTS: result 0 tensor<4xi32>{{$}}
// SHIFTS-NEXT: [        -16           0           0 -2147483648]
// SHIFTS: result 1 tensor<4xi32>{{$}}
// SHIFTS-NEXT: [-4  0 -1  0]
// SHIFTS: result 2 tensor<4xi32>{{$}}
// SHIFTS-NEXT: [2147483644          0          0          0]
func.func @shifts() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %a = stablehlo.constant dense<[-8, 5, -1, 1]> : tensor<4xi32>
  %b = stablehlo.constant dense<[1, 32, 40, 31]> : tensor<4xi32>
  %0 = stablehlo.shift_left %a, %b : tensor<4xi32>
  %1 = stablehlo.shift_right_arithmetic %a, %b : tensor<4xi32>
  %2 = stablehlo.shift_right_logical %a, %b : tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// Booleans: and for products, or for sums.
// BOOLEANS: result 0 tensor<4xi1>{{$}}
// BOOLEANS-NEXT: [false  true  true  true]
// BOOLEANS: result 1 tensor<4xi1>{{$}}
// BOOLEANS-NEXT: [false false false  true]
// BOOLEANS: result 2 tensor<4xi1>{{$}}
// BOOLEANS-NEXT: [false  true  true  true]
// BOOLEANS: result 3 tensor<4xi1>{{$}}
// BOOLEANS-NEXT: [ true  true false false]
// BOOLEANS: result 4 tensor<4xi1>{{$}}
// BOOLEANS-NEXT: [false  true false false]
func.func @booleans() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  %1 = stablehlo.multiply %a, %b : tensor<4xi1>
  %2 = stablehlo.maximum %a, %b : tensor<4xi1>
  %3 = stablehlo.not %a : tensor<4xi1>
  %4 = stablehlo.compare LT, %a, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// NaN goes through minimum, maximum and sign; zero keeps its sign. Results that are NaN show nothing: exit code 1.
// SPECIAL: result 0 tensor<3xf32>{{$}}
// SPECIAL-NEXT: [nan nan  3.]
// SPECIAL: result 1 tensor<3xf32>{{$}}
// SPECIAL-NEXT: [nan nan -2.]
// SPECIAL: result 2 tensor<5xf32>{{$}}
// SPECIAL-NEXT: [nan -1. -0.  0.  1.]
// SPECIAL: result 3 tensor<5xi1>{{$}}
// SPECIAL-NEXT: [false false  true  true  true]
func.func @special() -> (tensor<3xf32>, tensor<3xf32>, tensor<5xf32>, tensor<5xi1>) {
  %a = stablehlo.constant dense<[0x7FC00000, 1.0, -2.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %c = stablehlo.constant dense<[0x7FC00000, 0xFF800000, -0.0, 0.0, 7.0]> : tensor<5xf32>
  %0 = stablehlo.maximum %a, %b : tensor<3xf32>
  %1 = stablehlo.minimum %a, %b : tensor<3xf32>
  %2 = stablehlo.sign %c : tensor<5xf32>
  %3 = stablehlo.is_finite %c : (tensor<5xf32>) -> tensor<5xi1>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<5xf32>, tensor<5xi1>
}

// Comparisons of floats know no NaN; the total order does, and tells the zeros apart.
// COMPARISONS: result 0 tensor<4xi1>{{$}}
// COMPARISONS-NEXT: [false  true false false]
// COMPARISONS: result 1 tensor<4xi1>{{$}}
// COMPARISONS-NEXT: [ true false  true  true]
// COMPARISONS: result 2 tensor<4xi1>{{$}}
// COMPARISONS-NEXT: [false  true  true  true]
// COMPARISONS: result 3 tensor<4xi1>{{$}}
// COMPARISONS-NEXT: [false  true false false]
// COMPARISONS: result 4 tensor<2xi1>{{$}}
// COMPARISONS-NEXT: [ true false]
func.func @comparisons() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<2xi1>) {
  %a = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 0xFFC00000]> : tensor<4xf32>
  %b = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 0xFF800000]> : tensor<4xf32>
  %c = stablehlo.constant dense<[200, 100]> : tensor<2xui8>
  %d = stablehlo.constant dense<[100, 200]> : tensor<2xui8>
  %0 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare NE, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare GT, %c, %d, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %0, %1, %2, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<2xi1>
}

// Powers of integers; a negative exponent leaves 0, or +-1.
// POWERS: result 0 tensor<6xi64>{{$}}
// POWERS-NEXT: [ 1 -1  9  1  0  1]
// POWERS: result 1 tensor<3xf32>{{$}}
// POWERS-NEXT: [ 4.  2. 16.]
func.func @powers() -> (tensor<6xi64>, tensor<3xf32>) {
  %a = stablehlo.constant dense<[-2, -1, -3, 1, -3, 0]> : tensor<6xi64>
  %b = stablehlo.constant dense<[0, 1, 2, -3, -3, 0]> : tensor<6xi64>
  %c = stablehlo.constant dense<[-2.0, 4.0, 0.25]> : tensor<3xf32>
  %d = stablehlo.constant dense<[2.0, 0.5, -2.0]> : tensor<3xf32>
  %0 = stablehlo.power %a, %b : tensor<6xi64>
  %1 = stablehlo.power %c, %d : tensor<3xf32>
  return %0, %1 : tensor<6xi64>, tensor<3xf32>
}

// BITS: result 0 tensor<3xi16>{{$}}
// BITS-NEXT: [16 15  0]
// BITS: result 1 tensor<3xi16>{{$}}
// BITS-NEXT: [ 0  1 16]
// BITS: result 2 tensor<3xi16>{{$}}
// BITS-NEXT: [    3     4 -4097]
// BITS: result 3 tensor<3xi16>{{$}}
// BITS-NEXT: [   -4    -6 -4097]
func.func @bits() -> (tensor<3xi16>, tensor<3xi16>, tensor<3xi16>, tensor<3xi16>) {
  %a = stablehlo.constant dense<[0, 1, -1]> : tensor<3xi16>
  %b = stablehlo.constant dense<[3, 5, 4096]> : tensor<3xi16>
  %0 = stablehlo.count_leading_zeros %a : tensor<3xi16>
  %1 = stablehlo.popcnt %a : tensor<3xi16>
  %2 = stablehlo.xor %a, %b : tensor<3xi16>
  %3 = stablehlo.not %b : tensor<3xi16>
  return %0, %1, %2, %3 : tensor<3xi16>, tensor<3xi16>, tensor<3xi16>, tensor<3xi16>
}

// Half away from zero, and half to even.
// ROUNDING: result 0 tensor<5xf32>{{$}}
// ROUNDING-NEXT: [-3. -0.  1.  2.  3.]
// ROUNDING: result 1 tensor<5xf32>{{$}}
// ROUNDING-NEXT: [-2. -0.  0.  2.  2.]
// ROUNDING: result 2 tensor<5xf32>{{$}}
// ROUNDING-NEXT: [-3. -1.  0.  1.  2.]
// ROUNDING: result 3 tensor<5xf32>{{$}}
// ROUNDING-NEXT: [-2. -0.  1.  2.  3.]
func.func @rounding() -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %a = stablehlo.constant dense<[-2.5, -0.4, 0.5, 1.5, 2.5]> : tensor<5xf32>
  %0 = stablehlo.round_nearest_afz %a : tensor<5xf32>
  %1 = stablehlo.round_nearest_even %a : tensor<5xf32>
  %2 = stablehlo.floor %a : tensor<5xf32>
  %3 = stablehlo.ceil %a : tensor<5xf32>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

// Scalars on both sides.
// CLAMP: result 0 tensor<4xf32>{{$}}
// CLAMP-NEXT: [        -1. -0.40000001         0.5          1.]
// CLAMP: result 1 tensor<3xi32>{{$}}
// CLAMP-NEXT: [2 6 7]
func.func @clamp() -> (tensor<4xf32>, tensor<3xi32>) {
  %a = stablehlo.constant dense<[-2.5, -0.4, 0.5, 1.5]> : tensor<4xf32>
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<[1, 5, 9]> : tensor<3xi32>
  %lows = stablehlo.constant dense<[2, 6, 3]> : tensor<3xi32>
  %highs = stablehlo.constant dense<[4, 8, 7]> : tensor<3xi32>
  %0 = stablehlo.clamp %low, %a, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.clamp %lows, %b, %highs : tensor<3xi32>
  return %0, %1 : tensor<4xf32>, tensor<3xi32>
}

// SELECT: result 0 tensor<3xi32>{{$}}
// SELECT-NEXT: [1 5 3]
// SELECT: result 1 tensor<3xi32>{{$}}
// SELECT-NEXT: [4 5 6]
func.func @select() -> (tensor<3xi32>, tensor<3xi32>) {
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %one = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>
  %0 = stablehlo.select %p, %a, %b : tensor<3xi1>, tensor<3xi32>
  %1 = stablehlo.select %one, %a, %b : tensor<i1>, tensor<3xi32>
  return %0, %1 : tensor<3xi32>, tensor<3xi32>
}

// Between all kinds of numbers; what is not zero is true.
// CONVERSIONS: result 0 tensor<3xi32>{{$}}
// CONVERSIONS-NEXT: [ 1 -1  0]
// CONVERSIONS: result 1 tensor<3xi1>{{$}}
// CONVERSIONS-NEXT: [ true  true false]
// CONVERSIONS: result 2 tensor<2xf32>{{$}}
// CONVERSIONS-NEXT: [200.   3.]
// CONVERSIONS: result 3 tensor<2xi16>{{$}}
// CONVERSIONS-NEXT: [-56   3]
// CONVERSIONS: result 4 tensor<2xf32>{{$}}
// CONVERSIONS-NEXT: [200.   3.]
// CONVERSIONS: result 5 tensor<2xf32>{{$}}
// CONVERSIONS-NEXT: [ 1. -3.]
func.func @conversions() -> (tensor<3xi32>, tensor<3xi1>, tensor<2xf32>, tensor<2xi16>, tensor<2xf32>, tensor<2xf32>) {
  %f = stablehlo.constant dense<[1.9, -1.9, 0.0]> : tensor<3xf32>
  %u = stablehlo.constant dense<[200, 3]> : tensor<2xui8>
  %i = stablehlo.constant dense<[-56, 3]> : tensor<2xi8>
  %c = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.convert %f : (tensor<3xf32>) -> tensor<3xi32>
  %1 = stablehlo.convert %f : (tensor<3xf32>) -> tensor<3xi1>
  %2 = stablehlo.convert %u : (tensor<2xui8>) -> tensor<2xf32>
  %3 = stablehlo.convert %i : (tensor<2xi8>) -> tensor<2xi16>
  %z = stablehlo.convert %u : (tensor<2xui8>) -> tensor<2xcomplex<f32>>
  %4 = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %5 = stablehlo.real %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi32>, tensor<3xi1>, tensor<2xf32>, tensor<2xi16>, tensor<2xf32>, tensor<2xf32>
}

// To fewer bits, ties to even; too large is infinite.
// REDUCE_PRECISION: result 0 tensor<6xf32>{{$}}
// REDUCE_PRECISION-NEXT: [        1.  1.0898438        inf         0. -3.3007812        nan]
// REDUCE_PRECISION: result 1 tensor<6xf32>{{$}}
// REDUCE_PRECISION-NEXT: [           1.            1.        65536. 9.3132257e-09          -3.5           nan]
func.func @reduce_precision() -> (tensor<6xf32>, tensor<6xf32>) {
  %a = stablehlo.constant dense<[1.0, 1.09, 65520.0, 1.0e-8, -3.3, 0x7FC00000]> : tensor<6xf32>
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<6xf32>
  %1 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 8 : i32, mantissa_bits = 2 : i32}> : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1 : tensor<6xf32>, tensor<6xf32>
}

// COMPLEX: result 0 tensor<2xf32>{{$}}
// COMPLEX-NEXT: [2.5 -7.]
// COMPLEX: result 1 tensor<2xf32>{{$}}
// COMPLEX-NEXT: [  0. -24.]
// COMPLEX: result 2 tensor<2xf32>{{$}}
// COMPLEX-NEXT: [2.236068       5.]
// COMPLEX: result 3 tensor<2xi1>{{$}}
// COMPLEX-NEXT: [false  true]
// COMPLEX: result 4 tensor<2xf32>{{$}}
// COMPLEX-NEXT: [-1.2   1.]
func.func @complex() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(0.5, -1.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.multiply %a, %b : tensor<2xcomplex<f32>>
  %1 = stablehlo.divide %a, %b : tensor<2xcomplex<f32>>
  %2 = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %3 = stablehlo.compare EQ, %a, %b : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  %re = stablehlo.real %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %im = stablehlo.imag %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %quotient = stablehlo.real %1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %re, %im, %2, %3, %quotient : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>
}

// MAP: result 0 tensor<3xi32>{{$}}
// MAP-NEXT: [ 6 12 20]
func.func @map() -> tensor<3xi32> {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %two = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.multiply %x, %y : tensor<i32>
    %2 = stablehlo.add %1, %two : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
