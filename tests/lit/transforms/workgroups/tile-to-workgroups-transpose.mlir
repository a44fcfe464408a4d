// RUN: fuselage-opt %s --pass-pipeline="builtin.module(fuselage-set-device{name=lavapipe},func.func(fuselage-tile-to-workgroups))" | FileCheck %s --check-prefixes=ALL,LANES
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups))' | FileCheck %s --check-prefixes=ALL,GPU

// A processor writes whole lines of its cache, which are 64 bytes, and fetches ahead of what it reads in long runs; a GPU's tile is
// square, as its workgroup shares it.
// ALL-LABEL: func.func private @wide
// LANES: tensor.extract_slice %{{.+}}[%{{.+}}, %{{.+}}] [16, 256] [1, 1] : tensor<1024x2048xf32> to tensor<16x256xf32>
// GPU: tensor.extract_slice %{{.+}}[%{{.+}}, %{{.+}}] [32, 32] [1, 1] : tensor<1024x2048xf32> to tensor<32x32xf32>
func.func private @wide(%a: tensor<1024x2048xf32>) -> tensor<2048x1024xf32> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<2048x1024xf32>
  %r = linalg.transpose ins(%a : tensor<1024x2048xf32>) outs(%e : tensor<2048x1024xf32>) permutation = [1, 0]
  return %r : tensor<2048x1024xf32>
}

// ALL-LABEL: func.func private @narrow
// LANES: tensor.extract_slice %{{.+}}[%{{.+}}, %{{.+}}] [32, 256] [1, 1] : tensor<1024x2048xf16> to tensor<32x256xf16>
// GPU: tensor.extract_slice %{{.+}}[%{{.+}}, %{{.+}}] [32, 32] [1, 1] : tensor<1024x2048xf16> to tensor<32x32xf16>
func.func private @narrow(%a: tensor<1024x2048xf16>) -> tensor<2048x1024xf16> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<2048x1024xf16>
  %r = linalg.transpose ins(%a : tensor<1024x2048xf16>) outs(%e : tensor<2048x1024xf16>) permutation = [1, 0]
  return %r : tensor<2048x1024xf16>
}
