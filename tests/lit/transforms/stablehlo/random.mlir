// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: fuselage run %s --function threefry --repeat 1 --print | FileCheck %s --check-prefix=THREEFRY
// RUN: fuselage run %s --function philox --repeat 1 --print | FileCheck %s --check-prefix=PHILOX
// RUN: fuselage run %s --function short_state --repeat 1 --print | FileCheck %s --check-prefix=SHORT
// RUN: fuselage run %s --function uniform --repeat 1 --print-results | FileCheck %s --check-prefix=UNIFORM
// RUN: fuselage run %s --function normal --repeat 1 --print-results | FileCheck %s --check-prefix=NORMAL
// Expected bits are those that XLA 0.10.2 draws on a processor.

// One loop over the result: each element runs the rounds on its own counter.
// CHECK-LABEL: func.func @threefry
//   CHECK-NOT:   stablehlo
//       CHECK:   linalg.generic
//       CHECK:     arith.constant 466688986 : i32
//       CHECK:   tensor.from_elements {{.*}} : tensor<2xi64>
func.func @threefry() -> (tensor<2xui64>, tensor<5xui32>) {
  %state = stablehlo.constant dense<[3, 18446744073709551615]> : tensor<2xui64>
  %s, %0 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return %s, %0 : tensor<2xui64>, tensor<5xui32>
}
// The counter goes from the last number to 2.
// THREEFRY: 3 2
// THREEFRY: 1735664807 1337518673 791669973 4094385536 3355017305

// CHECK-LABEL: func.func @philox
func.func @philox() -> (tensor<3xui64>, tensor<5xui16>) {
  %state = stablehlo.constant dense<[3, 18446744073709551615, 7]> : tensor<3xui64>
  %s, %0 = "stablehlo.rng_bit_generator"(%state) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui16>)
  return %s, %0 : tensor<3xui64>, tensor<5xui16>
}
// Two blocks of four; what overflows is carried to the high half.
// PHILOX: 3 1 8
// PHILOX: 60664 17225 34191 20773 6626

func.func @short_state() -> (tensor<2xui64>, tensor<5xui32>) {
  %state = stablehlo.constant dense<[3, 18446744073709551615]> : tensor<2xui64>
  %s, %0 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return %s, %0 : tensor<2xui64>, tensor<5xui32>
}
// SHORT: 3 1
// SHORT: 1733508001 547713088 2905953186 834471078 1995848961

// CHECK-LABEL: func.func @uniform
func.func @uniform() -> tensor<1000xf32> {
  %low = stablehlo.constant dense<2.0> : tensor<f32>
  %high = stablehlo.constant dense<3.0> : tensor<f32>
  %shape = stablehlo.constant dense<1000> : tensor<1xi64>
  %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
// UNIFORM: min 2.00{{.*}} max 2.99{{.*}} mean 2.{{4|5}}

func.func @normal() -> tensor<1000xf32> {
  %mean = stablehlo.constant dense<10.0> : tensor<f32>
  %deviation = stablehlo.constant dense<0.5> : tensor<f32>
  %shape = stablehlo.constant dense<1000> : tensor<1xi64>
  %0 = "mhlo.rng"(%mean, %deviation, %shape) {rng_distribution = #mhlo.rng_distribution<NORMAL>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
// NORMAL: min 8.{{.*}} max 11.{{.*}} mean {{9.9|10.0}}

// Elements of no known width, and an algorithm that does not exist.
// REMARK: remark: stays as it is: its elements are not integers or floats of up to 32, or of 64 bits
func.func @booleans(%state: tensor<2xui64>) -> tensor<4xi1> {
  %s, %0 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi1>)
  return %0 : tensor<4xi1>
}
// REMARK: remark: stays as it is: its state is not two numbers of 64 bits, or three for Philox
func.func @long_state(%state: tensor<3xui64>) -> tensor<4xui32> {
  %s, %0 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return %0 : tensor<4xui32>
}
