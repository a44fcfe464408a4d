// The parts of a model, as weights name them: in JSON, and as boxes in a picture.
// RUN: fuselage graph %s --format json | FileCheck %s --check-prefix=JSON
// RUN: fuselage graph %s --repeats collapse -o %t.svg && FileCheck %s --check-prefix=SVG < %t.svg
// RUN: fuselage graph %s --constants --repeats expand -o %t.dot && FileCheck %s --check-prefix=DOT < %t.dot

// JSON: "parameter": "m.layers.1.fc.weight"
// JSON: "repeats": [
// JSON: "count": 3
// JSON: "label": "layers"
// JSON: "names": [
// JSON-NEXT: "layers.0"
// JSON: "scopes": [
// JSON: "kind": "layer"
// JSON-NEXT: "label": "layers.0"
// JSON: "path": "layers.0"
// JSON: "path": "layers.1"
// JSON: "path": "layers.2"

// SVG-DAG: >layers.0</text>
// SVG-DAG: >layers.1</text>
// SVG-DAG: >layers.2</text>
// SVG-DAG: reads m.layers.2.norm.weight · 8x8xf32
// SVG-NOT: >%w0</text>

// DOT: %w0
func.func @main(%x: tensor<8x8xf32>,
    %n0: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.0.norm.weight"}, %w0: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.0.fc.weight"},
    %n1: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.1.norm.weight"}, %w1: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.1.fc.weight"},
    %n2: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.2.norm.weight"}, %w2: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.2.fc.weight"}) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a0 = linalg.mul ins(%x, %n0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b0 = linalg.matmul ins(%a0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c0 = linalg.add ins(%b0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a1 = linalg.mul ins(%c0, %n1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b1 = linalg.matmul ins(%a1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c1 = linalg.add ins(%b1, %c0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a2 = linalg.mul ins(%c1, %n2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b2 = linalg.matmul ins(%a2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c2 = linalg.add ins(%b2, %c1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c2 : tensor<8x8xf32>
}
