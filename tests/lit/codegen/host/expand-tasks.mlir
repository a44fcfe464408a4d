// A declaration that stands for tasks hands them to the runtime's threads.
// RUN: fuselage-opt --fuselage-host-expand-tasks %s | FileCheck %s

// CHECK: llvm.func @fuselage_host_run_tasks(!llvm.ptr, !llvm.ptr, i64, i64)
// CHECK: llvm.func internal @work.part(%[[BEGIN:.+]]: i64, %[[END:.+]]: i64, %[[PACKED:.+]]: !llvm.ptr)
// CHECK:   %[[ALL:.+]] = llvm.load %[[PACKED]]
// CHECK:   %[[X:.+]] = llvm.extractvalue %[[ALL]][0]
// CHECK:   llvm.call @work(%[[BEGIN]], %[[END]], %[[X]])
// CHECK: llvm.func internal @all(%{{.+}}: i64)
// CHECK-NOT: fuselage.tasks
// CHECK:   %[[PART:.+]] = llvm.mlir.addressof @work.part
// CHECK:   llvm.mlir.constant(12 : i64)
// CHECK:   llvm.mlir.constant(3 : i64)
// CHECK:   llvm.call @fuselage_host_run_tasks(%[[PART]]
llvm.func @all(i64) attributes {fuselage.tasks = {function = @work, count = 12 : i64, portion = 3 : i64}}
llvm.func @work(%begin: i64, %end: i64, %x: i64) {
  llvm.return
}

// What has a body already, or does not say all of it, stays as it is.
// CHECK: llvm.func @mine(%{{.+}}: i64) {
// CHECK-NEXT: llvm.return
llvm.func @mine(%x: i64) attributes {fuselage.tasks = {function = @work, count = 12 : i64, portion = 3 : i64}} {
  llvm.return
}
// CHECK: llvm.func @half(i64)
llvm.func @half(i64) attributes {fuselage.tasks = {function = @work}}
