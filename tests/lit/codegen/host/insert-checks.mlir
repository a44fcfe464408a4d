// What the IR forbids ends a call with a sentence.
// RUN: fuselage-opt --fuselage-host-insert-checks %s | FileCheck %s
// RUN: fuselage-opt --fuselage-host-insert-poison-checks %s | FileCheck %s --check-prefix=POISON

// CHECK-LABEL: func.func @divide
//       CHECK:   %[[OK:.+]] = arith.cmpi ne, %{{.+}}, %{{.+}} : i32
//       CHECK:   cf.assert %{{.+}}, "fuselage: {{.*}}'arith.divsi'
//       CHECK:   arith.divsi
func.func @divide(%a: i32, %b: i32) -> i32 {
  %r = arith.divsi %a, %b : i32
  return %r : i32
}

// POISON-LABEL: func.func @shift
//       POISON:   call @fuselage_host_poison
func.func @shift(%a: i32, %b: i32) -> i32 {
  %r = arith.shrui %a, %b : i32
  return %r : i32
}
