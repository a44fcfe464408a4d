// Bytes of a tensor as elements of another type: parts of complex numbers and of integers, lowest first, and back.
// RUN: fuselage run %s --function complex_parts --print --repeat 1 --input arg0=1.5 | FileCheck %s --check-prefix=COMPLEX
// RUN: fuselage run %s --function split --print --repeat 1 | FileCheck %s --check-prefix=SPLIT
// RUN: fuselage run %s --function join --print --repeat 1 | FileCheck %s --check-prefix=JOIN
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s

// CHECK-LABEL: @split
//   CHECK-NOT: tensor_ext.bitcast
// CHECK-LABEL: @other_bytes
//       CHECK: iree_tensor_ext.bitcast

// COMPLEX: result 0 tensor<3x2xf32>{{.*}} ok
func.func @complex_parts(%x: tensor<3xcomplex<f32>>) -> tensor<3x2xf32> {
  %0 = iree_tensor_ext.bitcast %x : tensor<3xcomplex<f32>> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// 0x04030201 and 1.0
// SPLIT: {{^}}[1 2 3 4]
// SPLIT: {{^}}{{\[\[ *0 16256\]\]}}
func.func @split() -> (tensor<4xi8>, tensor<1x2xi16>) {
  %x = arith.constant dense<67305985> : tensor<1xi32>
  %f = arith.constant dense<1.0> : tensor<1xf32>
  %0 = iree_tensor_ext.bitcast %x : tensor<1xi32> -> tensor<4xi8>
  %1 = flow.tensor.bitcast %f : tensor<1xf32> -> tensor<1x2xi16>
  return %0, %1 : tensor<4xi8>, tensor<1x2xi16>
}

// JOIN: {{^}}[67305985]
// JOIN: {{^}}[1.]
func.func @join() -> (tensor<1xi32>, tensor<1xf32>) {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %f = arith.constant dense<[[0, 16256]]> : tensor<1x2xi16>
  %0 = iree_tensor_ext.bitcast %x : tensor<4xi8> -> tensor<1xi32>
  %1 = flow.tensor.bitcast %f : tensor<1x2xi16> -> tensor<1xf32>
  return %0, %1 : tensor<1xi32>, tensor<1xf32>
}

func.func @other_bytes(%x: tensor<3xi32>) -> tensor<2xi64> {
  %0 = iree_tensor_ext.bitcast %x : tensor<3xi32> -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
