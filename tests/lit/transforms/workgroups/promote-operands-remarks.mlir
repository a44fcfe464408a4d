// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups,fuselage-fuse-producers,fuselage-tile-reductions,fuselage-promote-operands{max-workgroup-bytes=6000}))'

func.func @matvec(%a: tensor<128x64xf32>, %x: tensor<64xf32>, %init: tensor<128xf32>) -> tensor<128xf32> attributes {fuselage.dispatch = 0 : i64} {
  // expected-remark @below {{operand #0 is not promoted: each of its elements is read once, so that a copy would not pay}}
  %r = linalg.matvec ins(%a, %x : tensor<128x64xf32>, tensor<64xf32>) outs(%init : tensor<128xf32>) -> tensor<128xf32>
  return %r : tensor<128xf32>
}

// -----

func.func @dynamic(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>, %init: tensor<?x64xf32>) -> tensor<?x64xf32> attributes {fuselage.dispatch = 0 : i64} {
  // expected-remark @below {{operand #0 is not promoted: its tile 'tensor<?x32xf32>' has no static shape}}
  // expected-remark @below {{operand #1 is not promoted: its tile takes 8192 bytes, 0 of 6000 are in use; use smaller tiles or a larger max-workgroup-bytes}}
  %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// -----

func.func @does_not_fit(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {fuselage.dispatch = 0 : i64} {
  // expected-remark @below {{operand #1 is not promoted: its tile takes 8192 bytes, 4096 of 6000 are in use}}
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
