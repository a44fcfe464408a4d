// RUN: fuselage-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-prepare-dispatches))'

func.func @dynamic_tile(%x: tensor<8xf32>, %d: tensor<?x?xf32>, %size: index) -> tensor<?x?xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{cannot be lowered to pad, reshape and transpose}}
  %r = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [%size] into %d : tensor<8xf32> -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
