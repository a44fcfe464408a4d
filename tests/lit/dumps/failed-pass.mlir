// A pass that failed: what it said stands at its step.
// RUN: not mlir-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(cse,one-shot-bufferize)' \
// RUN:   --mlir-disable-threading --mlir-print-ir-after-all -o %t.out 2> %t.log
// RUN: not fuselage step %t.log > %t.table 2> %t.err
// RUN: FileCheck %s --check-prefix=TABLE < %t.table
// TABLE: 1         -  FAILED     one-shot-bufferize
// TABLE: step 1, one-shot-bufferize:
// TABLE-NEXT: failed-pass.mlir:[[#]]:{{[0-9]+}}: error: op was not bufferized
// TABLE-NEXT: note: see current operation
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// ERR: error: op was not bufferized
// RUN: not mlir-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(cse,one-shot-bufferize)' \
// RUN:   --mlir-disable-threading --mlir-print-ir-after-failure -o %t.out 2> %t.failure.log
// RUN: not fuselage step %t.failure.log 2> %t.err | FileCheck %s --check-prefix=ONLY
// ONLY: 1 step
// ONLY: 0         -  FAILED     one-shot-bufferize

func.func @bad(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.unknown"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
