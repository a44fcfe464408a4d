// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function gamma --repeat 1 --print | FileCheck %s --check-prefix=GAMMA
// RUN: fuselage run %s --function zeta --repeat 1 --print | FileCheck %s --check-prefix=ZETA
// RUN: fuselage run %s --function others --repeat 1 --print | FileCheck %s --check-prefix=OTHERS
// RUN: fuselage run %s --function integers --repeat 1 --print | FileCheck %s --check-prefix=INTEGERS
// Expected numbers are those of SciPy.

// CHECK-LABEL: func.func @gamma
//   CHECK-NOT:   chlo
func.func @gamma() -> (tensor<6xf64>, tensor<6xf64>) {
  %x = stablehlo.constant dense<[0.5, 3.0, -0.5, 10.0, -3.0, 100.0]> : tensor<6xf64>
  %0 = chlo.lgamma %x : tensor<6xf64> -> tensor<6xf64>
  %1 = chlo.digamma %x : tensor<6xf64> -> tensor<6xf64>
  return %0, %1 : tensor<6xf64>, tensor<6xf64>
}
// A pole is infinite for the one, and undefined for the other.
// GAMMA: 0.5723649{{.*}} 0.6931471{{.*}} 1.265512{{.*}} 12.80182{{.*}} inf 359.134{{.*}}
// GAMMA: -1.96351{{.*}} 0.922784{{.*}} 0.0364899{{.*}} 2.25175{{.*}} nan 4.60016{{.*}}

// CHECK-LABEL: func.func @zeta
//   CHECK-NOT:   chlo
func.func @zeta() -> (tensor<5xf64>, tensor<5xf64>) {
  %x = stablehlo.constant dense<[2.0, 1.0, 3.5, 0.5, 2.0]> : tensor<5xf64>
  %q = stablehlo.constant dense<[1.0, 2.0, 0.3, 2.0, -1.0]> : tensor<5xf64>
  %0 = chlo.zeta %x, %q : tensor<5xf64>, tensor<5xf64> -> tensor<5xf64>
  %n = stablehlo.constant dense<[0.0, 1.0, 2.0, 1.5, -1.0]> : tensor<5xf64>
  %y = stablehlo.constant dense<[1.0, 1.0, 2.0, 2.0, 2.0]> : tensor<5xf64>
  %1 = chlo.polygamma %n, %y : tensor<5xf64>, tensor<5xf64> -> tensor<5xf64>
  return %0, %1 : tensor<5xf64>, tensor<5xf64>
}
// ZETA: 1.64493{{.*}} inf 68.10{{.*}} nan inf
// ZETA: -0.577215{{.*}} 1.64493{{.*}} -0.404113{{.*}} nan nan

// CHECK-LABEL: func.func @others
//   CHECK-NOT:   chlo
func.func @others() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf64>, tensor<3xf32>) {
  %x = stablehlo.constant dense<[0.5, 1.0, -10.0]> : tensor<3xf32>
  %0 = chlo.bessel_i1e %x : tensor<3xf32> -> tensor<3xf32>
  %p = stablehlo.constant dense<[0.5, 1.0, -0.999]> : tensor<3xf32>
  %1 = chlo.erf_inv %p : tensor<3xf32> -> tensor<3xf32>
  %w = stablehlo.convert %p : (tensor<3xf32>) -> tensor<3xf64>
  %2 = chlo.erf_inv %w : tensor<3xf64> -> tensor<3xf64>
  %one = stablehlo.constant dense<1.0> : tensor<1xf32>
  %3 = chlo.broadcast_next_after %x, %one : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf64>, tensor<3xf32>
}
// OTHERS: 0.156420{{.*}} 0.20791{{.*}} -0.12126
// OTHERS: 0.476936{{.*}} inf -2.3267
// OTHERS: 0.476936{{.*}} inf -2.3267
// OTHERS: 0.50000006 1. -9.99999

// CHECK-LABEL: func.func @integers
//       CHECK:   arith.mului_extended
//       CHECK:   arith.mulsi_extended
func.func @integers() -> (tensor<2xui8>, tensor<2xi8>) {
  %a = stablehlo.constant dense<[200, 16]> : tensor<2xui8>
  %0 = chlo.mulhi %a, %a : tensor<2xui8>, tensor<2xui8> -> tensor<2xui8>
  %b = stablehlo.constant dense<[-100, 16]> : tensor<2xi8>
  %c = stablehlo.constant dense<[100, 17]> : tensor<2xi8>
  %1 = chlo.mulhi %b, %c : tensor<2xi8>, tensor<2xi8> -> tensor<2xi8>
  return %0, %1 : tensor<2xui8>, tensor<2xi8>
}
// 40000 / 256 is 156.25.
// INTEGERS: 156 1
// INTEGERS: -40 1
