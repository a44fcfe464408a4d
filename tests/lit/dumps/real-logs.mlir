// Logs and trees as mlir-opt and fuselage-opt write them, read back as recordings.
// RUN: rm -rf %t && mkdir %t
// RUN: mlir-opt %s --pass-pipeline='builtin.module(canonicalize,func.func(cse),one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops))' \
// RUN:   --mlir-disable-threading --mlir-print-ir-after-all -o %t/out.mlir 2> %t/after.log
// RUN: fuselage step %t/after.log | FileCheck %s --check-prefix=AFTER
// AFTER: after.log: dumps of a tool
// AFTER-NEXT: 6 steps, 4 changed the IR
// AFTER: 0         -  first      canonicalize
// AFTER-NEXT: 1         -  unchanged  cse (func.func @main)
// AFTER-NEXT: 2         -  changed    cse (func.func @other){{ *}}-1 arith.addi
// AFTER-NEXT: 3         -  changed    one-shot-bufferize
// AFTER-NEXT: 4         -  changed    convert-linalg-to-loops (func.func @main)
// AFTER-NEXT: 5         -  unchanged  convert-linalg-to-loops (func.func @other)

// The text of a step is that of the log; both sides of a function are that function.
// RUN: fuselage step %t/after.log --at 2 --side before | FileCheck %s --check-prefix=BEFORE
// BEFORE: func.func @other(%arg0: i32) -> i32 {
// BEFORE-COUNT-2: {{^}}  %{{.*}} = arith.addi
// BEFORE: {{^}}}
// RUN: not fuselage step %t/after.log --at 0 --side before 2>&1 | FileCheck %s --check-prefix=NOBEFORE
// NOBEFORE: the log does not hold the IR before step 0, canonicalize; --mlir-print-ir-before-all dumps it
// RUN: not fuselage step %t/after.log --at 6 2>&1 | FileCheck %s --check-prefix=NOSTEP
// NOSTEP: there is no step 6; the steps are 0 to 5

// The same passes whatever was dumped, and wherever.
// RUN: mlir-opt %s --pass-pipeline='builtin.module(canonicalize,func.func(cse),one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops))' \
// RUN:   --mlir-disable-threading --mlir-print-ir-before-all --mlir-print-ir-after-all --mlir-timing -o %t/out.mlir 2> %t/both.log
// RUN: fuselage step %t/both.log | FileCheck %s --check-prefix=BOTH
// BOTH: 6 steps, 4 changed the IR
// BOTH: 0         -  changed    canonicalize
// BOTH: 5         -  unchanged  convert-linalg-to-loops (func.func @other)
// BOTH: beside the dumps:
// BOTH: Execution time report
// RUN: mlir-opt %s --pass-pipeline='builtin.module(canonicalize,func.func(cse),one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops))' \
// RUN:   --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t/tree -o %t/out.mlir
// RUN: fuselage step %t/tree | FileCheck %s --check-prefix=TREE
// TREE: 6 steps, 4 changed the IR
// TREE: 4         -  changed    convert-linalg-to-loops (func.func @main)
// RUN: fuselage step - < %t/after.log | FileCheck %s --check-prefix=STDIN
// STDIN: 6 steps, 4 changed the IR

// Our own tool prints the same headers.
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches),cse)' --mlir-disable-threading --mlir-print-ir-after-all -o %t/out.mlir 2> %t/own.log
// RUN: fuselage step %t/own.log --format json | FileCheck %s --check-prefix=OWN
// OWN: "log": "{{.*}}own.log"
// OWN: "after": {{[0-9]+}},
// OWN-NEXT: "before": null
// OWN: "milliseconds": null
// OWN: "origin": "own.log:1"
// OWN: "scope": "func.func @main"

// Graphs: of the last dump, or of a step. And on from there.
// RUN: fuselage graph %t/own.log | FileCheck %s --check-prefix=GRAPH
// GRAPH: linalg.matmul
// RUN: fuselage graph %t/after.log --at 5 --format json | FileCheck %s --check-prefix=GRAPHAT
// GRAPHAT: arith.muli
// RUN: fuselage step %t/after.log --from 0 --pipeline 'builtin.module(func.func(linalg-generalize-named-ops))' | FileCheck %s --check-prefix=FROM
// FROM: 1 step, 1 changed the IR
// FROM: linalg-generalize-named-ops{{.*}} linalg.generic
// RUN: fuselage step %t/after.log --format html --steps 1-2 -o - | FileCheck %s --check-prefix=PAGE
// PAGE: "stepsLeftOut":4

func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %again = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%again : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}
func.func @other(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
