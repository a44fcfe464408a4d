// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name=lavapipe},func.func(fuselage-form-dispatches,fuselage-tile-to-workgroups,fuselage-fuse-producers),fuselage-tile-reductions)" | FileCheck %s

// Columns of 11008 numbers are more than a cache holds: 128 rows read those of each step, which are fetched once for all of them.
// CHECK-LABEL: func.func @deep
// CHECK: scf.forall (%{{.+}}, %{{.+}}) in (8, 64)
// CHECK: scf.for %{{.+}} = %{{.+}} to %c11008{{[_a-z0-9]*}} step %c344
// CHECK: linalg.matmul {{.*}}ins(%{{.+}}, %{{.+}} : tensor<128x344xf32>, tensor<344x32xf32>) outs(%{{.+}} : tensor<128x32xf32>)
func.func @deep(%a: tensor<1024x11008xf32>, %b: tensor<11008x2048xf32>, %c: tensor<1024x2048xf32>) -> tensor<1024x2048xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1024x11008xf32>, tensor<11008x2048xf32>) outs(%c : tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
  return %r : tensor<1024x2048xf32>
}

// -----

// Fewer rows a tile where there are few tiles.
// CHECK-LABEL: func.func @few
// CHECK: scf.forall (%{{.+}}, %{{.+}}) in (2, 24)
// CHECK: tensor<64x{{[0-9]+}}xf32>
func.func @few(%a: tensor<128x4096xf32>, %b: tensor<4096x768xf32>, %c: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<128x4096xf32>, tensor<4096x768xf32>) outs(%c : tensor<128x768xf32>) -> tensor<128x768xf32>
  return %r : tensor<128x768xf32>
}

// -----

// What a cache holds is not cut: results stay in registers from beginning to end.
// CHECK-LABEL: func.func @shallow
// CHECK: scf.forall (%{{.+}}, %{{.+}}) in (64, 64)
// CHECK-NOT: scf.for
// CHECK: linalg.matmul {{.*}}outs({{.+}} : tensor<16x32xf32>)
func.func @shallow(%a: tensor<1024x1024xf32>, %b: tensor<1024x2048xf32>, %c: tensor<1024x2048xf32>) -> tensor<1024x2048xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x2048xf32>) outs(%c : tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
  return %r : tensor<1024x2048xf32>
}
