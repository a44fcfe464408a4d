// The step, and in it the rewrite, after which more bytes are moved.
// RUN: fuselage bisect %s --worse bytes --pipeline 'canonicalize,func.func(linalg-block-pack-matmul{block-factors=32,16,64}),cse' | FileCheck %s
// CHECK: Step 1, linalg-block-pack-matmul: the dispatches move 720896 bytes, where 262144 were enough before
// CHECK-NEXT: First by rewrite 0, BlockPackMatmul<MatmulOp> on linalg.matmul in @f, of 3

// RUN: fuselage bisect %s --worse bytes --pipeline 'canonicalize,cse' | FileCheck %s --check-prefix=NONE
// NONE: Nothing is to blame

// Four tensors of 64 KiB; packing reads and writes them again.
func.func @f(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
