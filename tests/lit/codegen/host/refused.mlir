// What the host does not run is an error at the op.
// RUN: fuselage-opt --fuselage-host-legalize-tensors --split-input-file --verify-diagnostics %s

func.func @softmax(%a: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %e = tensor.empty() : tensor<4x8xi8>
  // expected-error @below {{'linalg.softmax' cannot run: it is of i8, and exp is of floats}}
  %r = linalg.softmax dimension(1) ins(%a : tensor<4x8xi8>) outs(%e : tensor<4x8xi8>) -> tensor<4x8xi8>
  return %r : tensor<4x8xi8>
}
