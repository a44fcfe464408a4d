// Which steps and rewrites made, changed and removed an op, as text and JSON.
// RUN: fuselage step %s --pipeline canonicalize,cse --history %%x | FileCheck %s --check-prefix=VALUE
// VALUE: arith.addf
// VALUE-NEXT: followed by its location over 2 steps
// VALUE-NEXT: input: present, arith.addf
// VALUE-NEXT: 0 canonicalize: removed, arith.addf
// VALUE-NEXT: 0.0 (fold): erased arith.addf

// By a line of the IR that was opened, or of that of a step.
// RUN: fuselage step %s --pipeline canonicalize,cse --history 3 | FileCheck %s --check-prefix=LINE
// RUN: fuselage step %s --pipeline canonicalize,cse --history 3 --at 0 --side before | FileCheck %s --check-prefix=LINE
// LINE: %zero = arith.constant

// RUN: fuselage step %s --pipeline canonicalize,cse --history %%x --format json | FileCheck %s --check-prefix=JSON
// JSON-DAG: "followed": "location"
// JSON-DAG: "change": "present"
// JSON-DAG: "rewrites":

// A name is looked for in the text.
// RUN: fuselage step %s --pipeline canonicalize --history @f | FileCheck %s --check-prefix=NAME
// NAME: @f
// NAME-NEXT: followed by its name over 1 step
// NAME-NEXT: input: present, func.func @f

// RUN: fuselage step %s --pipeline canonicalize --history nothing | FileCheck %s --check-prefix=NOTHING
// NOTHING: it is in the IR of no step

// RUN: not fuselage step %s --pipeline canonicalize --history 99 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: no op is in line 99 of the IR
// RUN: not fuselage step %s --pipeline canonicalize --history 3 --at 9 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: there is no step 9
// RUN: not fuselage step %s --pipeline canonicalize --history 3 --rewrites 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --history prints text or JSON, and goes without --rewrites and --from

func.func @f(%a: f32, %b: f32) -> f32 {
  %zero = arith.constant -0.0 : f32
  %x = arith.addf %a, %zero : f32
  %y = arith.mulf %x, %b : f32
  return %y : f32
}
