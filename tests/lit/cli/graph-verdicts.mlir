// RUN: fuselage graph %s -o %t.svg && FileCheck %s --check-prefix=SVG --input-file=%t.svg
// RUN: fuselage graph %s --format dot -o - | FileCheck %s --check-prefix=DOT
// RUN: fuselage graph %s --policy none --format dot -o - | FileCheck %s --check-prefix=NONE
// RUN: fuselage graph %s --no-verdicts --format dot -o - | FileCheck %s --check-prefix=PLAIN
// RUN: not fuselage graph %s --policy bold -o %t.svg 2>&1 | FileCheck %s --check-prefix=POLICY

// Edges look as 'fuselage explain' judges them: the exponential joins its matmul, whose other user could.
// SVG: id="edges"
// SVG: stroke-dasharray
// SVG: id="legend"
// SVG: fused  {{[1-9]}}
// SVG: can be fused  {{[0-9]}}
// SVG: tried without success  {{[0-9]}}
// SVG: cannot be fused  {{[0-9]}}
// DOT: style=solid
// DOT: cluster_legend
// NONE: fused  0
// PLAIN-NOT: style=dashed
// PLAIN-NOT: legend
// POLICY: bold
func.func @f(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.exp ins(%m : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = linalg.matmul ins(%m, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x, %n : tensor<8x8xf32>, tensor<8x8xf32>
}
