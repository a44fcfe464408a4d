// The default pipeline ends before a step that would refuse ops of dialects that are only read, and does
// nothing where it has nothing to tile; both are no failures, and it says why.
// RUN: split-file %s %t
// RUN: fuselage step %t/mixed.mlir --format json 2>/dev/null | FileCheck %s --check-prefix=MIXED
// RUN: fuselage step %t/generic.mlir --format json 2>/dev/null | FileCheck %s --check-prefix=MIXED
// RUN: fuselage step %t/only.mlir --format json 2>/dev/null | FileCheck %s --check-prefix=ONLY
// RUN: fuselage step %t/only.mlir --pipeline canonicalize --format json 2>/dev/null | FileCheck %s --check-prefix=OWN
// RUN: fuselage step %t/known.mlir --format json 2>/dev/null | FileCheck %s --check-prefix=KNOWN

// MIXED: "failed": false,
// MIXED: "line": 3,
// MIXED: "message": "the default pipeline ends before 'Bufferize', which has to know every op on tensors: my.scale is of dialects that can be read but not lowered here;
// MIXED: "name": "Outline dispatches",
// MIXED-NOT: "name": "Bufferize"

// ONLY: "failed": false,
// ONLY: "message": "the default pipeline has nothing to work on: {{.*}} only ops of my and your;
// ONLY: "steps": []

// OWN: "notes": [],
// OWN: "pass": "canonicalize",

// KNOWN: "notes": [],
// KNOWN: "name": "Bufferize",

//--- mixed.mlir
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = my.scale %0 by 2 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
//--- generic.mlir
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "my.scale"(%0) {by = 2} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
//--- only.mlir
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = my.scale %a by 2 : tensor<8x8xf32>
  %1 = your.shift %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
//--- known.mlir
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
