// The host's compiler is stepped and diffed as all others.
// RUN: fuselage step %s --pipeline fuselage-lower-to-host | FileCheck %s --check-prefix=STEPS
// RUN: fuselage-opt --fuselage-lower-to-host %s | FileCheck %s --check-prefix=LLVM

// STEPS: fuselage-host-legalize-tensors
// STEPS: fuselage-host-block-rows
// STEPS: one-shot-bufferize
// STEPS: fuselage-host-make-kernels
// STEPS: convert-linalg-to-loops
// STEPS: fuselage-host-insert-polls
// STEPS: convert-func-to-llvm
// STEPS: fuselage-host-expand-tasks
// STEPS: fuselage-host-check-lowered

// LLVM: llvm.func @fuselage_host_run_tasks
// LLVM: llvm.func @f(
// LLVM-NOT: func.func
func.func @f(%a: tensor<64x48xf32>, %b: tensor<48x96xf32>, %c: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x96xf32>) outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}
