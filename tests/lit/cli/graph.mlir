// RUN: fuselage graph %s --format json -o - | FileCheck %s
// RUN: fuselage graph %s --format dot -o - --level dispatches | FileCheck %s --check-prefix=DOT
// RUN: fuselage graph %s -o %t.svg && FileCheck %s --check-prefix=SVG --input-file=%t.svg

// CHECK-DAG: "version":{{ ?}}1
// CHECK-DAG: "name":{{ ?}}"matmul_8x8x8"
// CHECK-DAG: "kind":{{ ?}}"contraction"
// CHECK-DAG: "op":{{ ?}}"linalg.matmul"
// DOT: digraph
// DOT: matmul_8x8x8
// SVG: <svg
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.exp ins(%m : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
}
