// Quantization as exporters leave it, in numbers. Halves go to the even neighbour, what lies outside of the range to its end.
// RUN: fuselage run %s --function per_tensor --print --repeat 1 | FileCheck %s --check-prefix=TENSOR
// RUN: fuselage run %s --function per_channel --print --repeat 1 --device vulkan:0 | FileCheck %s --check-prefix=CHANNEL
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s

// CHECK-NOT: iree_linalg_ext.quantize_affine
// CHECK-NOT: iree_linalg_ext.dequantize_affine
// What no storage type holds stays as it is.
// CHECK-LABEL: @unknown
//       CHECK: iree_linalg_ext.quantize_affine

// TENSOR: {{\[ +5 +7 +-128 +127\]}}
// TENSOR: {{\[ +1. +2. +-65.5 +62.\]}}
func.func @per_tensor() -> (tensor<4xi8>, tensor<4xf32>) {
  %x = arith.constant dense<[1.25, 1.75, -100.0, 100.0]> : tensor<4xf32>
  %scale = arith.constant 0.5 : f32
  %zero = arith.constant 3 : i64
  %0 = tensor.empty() : tensor<4xi8>
  %q = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], quant_min = -128, quant_max = 127> ins(%x, %scale, %zero : tensor<4xf32>, f32, i64) outs(%0 : tensor<4xi8>) -> tensor<4xi8>
  %1 = tensor.empty() : tensor<4xf32>
  %d = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], quant_min = -128, quant_max = 127> ins(%q, %scale, %zero : tensor<4xi8>, f32, i64) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %q, %d : tensor<4xi8>, tensor<4xf32>
}

// A scale for each column, no zero point, a narrow range.
//      CHANNEL: {{\[\[ 2 10\]}}
// CHANNEL-NEXT: {{\[-7 -4\]\]}}
func.func @per_channel() -> tensor<2x2xi8> {
  %x = arith.constant dense<[[1.0, 5.0], [-9.0, -1.0]]> : tensor<2x2xf32>
  %scale = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %0 = tensor.empty() : tensor<2x2xi8>
  %q = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -7, quant_max = 10> ins(%x, %scale : tensor<2x2xf32>, tensor<2xf32>) outs(%0 : tensor<2x2xi8>) -> tensor<2x2xi8>
  return %q : tensor<2x2xi8>
}

func.func @unknown(%x: tensor<4xf32>, %scale: f32) -> tensor<4xi64> {
  %0 = tensor.empty() : tensor<4xi64>
  %q = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], quant_min = -128, quant_max = 127> ins(%x, %scale : tensor<4xf32>, f32) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
  return %q : tensor<4xi64>
}
