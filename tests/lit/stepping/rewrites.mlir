// What happened inside of steps, as text and JSON, and the IR in between.
// RUN: fuselage step %s --pipeline canonicalize,cse --rewrites | FileCheck %s --check-prefix=LIST
// LIST: 0  canonicalize: 1 rewrite by 1 pattern, 1 fold, 1 dead op erased; {{[0-9,]+}} attempts
// LIST-NEXT: 0 ChainedTensorCast tensor.cast @f + tensor.cast - tensor.cast ~ func.return
// LIST-NEXT: 1 (dead) tensor.cast @f - tensor.cast
// LIST-NEXT: 2 (fold) tensor.cast @f - tensor.cast ~ func.return
// LIST: applied attempts us pattern
// LIST-NEXT: 1 2 {{[0-9]+}} ChainedTensorCast
// LIST: 1  cse: 0 rewrites by 0 patterns, 1 op replaced by an equal one; 0 attempts
// LIST-NEXT: 0 (cse) arith.addf @g - arith.addf ~ arith.mulf

// Of one step, with lines of the IR before it.
// RUN: fuselage step %s --pipeline canonicalize --rewrites --at 0 | FileCheck %s --check-prefix=ONE
// ONE: ChainedTensorCast tensor.cast @f:4 + tensor.cast

// RUN: fuselage step %s --pipeline canonicalize --rewrites --at 0 --format json | FileCheck %s --check-prefix=JSON
// JSON-DAG: "kind": "fold"
// JSON-DAG: "pattern": "ChainedTensorCast"
// JSON-DAG: "rolled_back": 0

// RUN: fuselage step %s --pipeline cse --at 0 --rewrite 0 | FileCheck %s --check-prefix=AFTER
// AFTER-LABEL: func.func @g
// AFTER-COUNT-1: arith.addf
// RUN: fuselage step %s --pipeline cse --at 0 --rewrite 0 --side before | FileCheck %s --check-prefix=BEFORE
// BEFORE-LABEL: func.func @g
// BEFORE-COUNT-2: arith.addf

// RUN: fuselage step %s --pipeline canonicalize --rewrites --at 0 --op tensor.cast | FileCheck %s --check-prefix=OP
// OP: tensor.cast @f:{{[0-9]+}}, erased by rewrite 1
// OP: tensor.cast @f:{{[0-9]+}}, erased by rewrite 0
// OP: ChainedTensorCast: applied, rewrite 0
// OP: tensor.cast @f, made by rewrite 0, erased by rewrite 2

// RUN: not fuselage step %s --pipeline cse --at 0 --rewrite 7 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: there is no rewrite 7
// RUN: not fuselage step %s --pipeline cse --rewrite 0 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: --rewrite K is one of step N: add --at N
// RUN: not fuselage step %s --pipeline cse --rewrites --at 0 --op arith.nothing 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: the step tried nothing on 'arith.nothing'

// RUN: fuselage step %s --pipeline canonicalize,cse --rewrites --break dead --break arith.mulf | FileCheck %s --check-prefix=BREAK
// BREAK: 0  canonicalize: 1 rewrite by 1 pattern
// BREAK-NEXT: 1 (dead) tensor.cast
// BREAK-EMPTY:
// BREAK: 1  cse:
// BREAK-NEXT: 0 (cse) arith.addf @g - arith.addf ~ arith.mulf
// RUN: not fuselage step %s --pipeline cse --break dead 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --break goes with --rewrites

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @g(%a: f32) -> f32 {
  %x = arith.addf %a, %a : f32
  %y = arith.addf %a, %a : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}
