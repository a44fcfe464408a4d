// RUN: sh -c 'fuselage graph %s -o -; test $? -eq 1' 2>&1 | FileCheck %s

// Every error of a split file, at its line of the file, with a caret.
// CHECK: bad-input.mlir:15:10: error: {{.*}}undeclared SSA value
// CHECK-NEXT: return %x : i32
// CHECK-NEXT: {{^ +\^}}
// CHECK: bad-input.mlir: warning: the dialect 'nosuch' (1 op) is unknown; it is shown as written
// What could be read is shown.
// CHECK: fine
func.func @fine() { return }

// -----

func.func @undeclared() -> i32 {
  return %x : i32
}

// -----

func.func @unknown() {
  nosuch.op
  return
}
