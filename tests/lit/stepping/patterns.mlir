// The patterns that would apply to an op, and a step that applies one.
// RUN: fuselage patterns %s --op tensor.cast | FileCheck %s
// CHECK: op 2, tensor.cast: 0 of {{[0-9]+}} patterns would apply
// CHECK: ChainedTensorCast (canonicalize): declined
// CHECK: op 3, tensor.cast: 1 of {{[0-9]+}} patterns would apply
// CHECK-NEXT: ChainedTensorCast (canonicalize): as many ops of each kind
// CHECK-NEXT: builtin.module(fuselage-apply-pattern{op=3 pattern=ChainedTensorCast passes=canonicalize})
// CHECK-NEXT: fold (canonicalize): declined without a reason

// Nothing else happens: the first cast stays, which nobody uses now.
// RUN: fuselage step %s --pipeline 'builtin.module(fuselage-apply-pattern{op=3 pattern=ChainedTensorCast})' --at 0 | FileCheck %s --check-prefix=APPLIED
// APPLIED-LABEL: func.func @f
// APPLIED: tensor.cast %{{.*}} : tensor<4xf32> to tensor<?xf32>
// APPLIED: tensor.cast %a : tensor<4xf32> to tensor<4xf32>

// RUN: fuselage patterns %s --op :26 --format json | FileCheck %s --check-prefix=JSON
// JSON: "number": 3
// JSON: "op": "tensor.cast"
// JSON: "applies": true

// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-without-pattern{passes=canonicalize pattern=ChainedTensorCast})' | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: tensor.cast %cast :

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// RUN: not fuselage patterns %s --op linalg.nothing 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: no op is 'linalg.nothing': give the name of an op such as linalg.generic, its line as :12, or its number
// RUN: not fuselage patterns %s --op 3 --passes no-such-pass 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: no-such-pass
// RUN: not fuselage patterns %s 2>&1 | FileCheck %s --check-prefix=OP
// OP: name the op: --op OP
