// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups))' | FileCheck %s

// 197 is prime: the last of seven tiles of 32 rows starts at row 165 and stores the five that are its own.
// CHECK-DAG: [[OFFSET:#.+]] = affine_map<(d0) -> (165, d0 * 32)>
// CHECK-DAG: [[OWN:#.+]] = affine_map<(d0) -> (d0 * -32 + 197, 32)>
// CHECK-DAG: [[SKIPPED:#.+]] = affine_map<(d0) -> (0, d0 * 32 - 165)>
// CHECK-LABEL: func.func @prime_rows
// CHECK:         scf.forall (%[[ROW:.+]], %{{.+}}) in (7, 12)
// CHECK-DAG:       %[[AT:.+]] = affine.min [[OFFSET]](%[[ROW]])
// CHECK-DAG:       %[[OWN_ROWS:.+]] = affine.min [[OWN]](%[[ROW]])
// CHECK-DAG:       %[[SKIP:.+]] = affine.max [[SKIPPED]](%[[ROW]])
// CHECK:           tensor.extract_slice %{{.+}}[%[[AT]], %{{.+}}] [32, 64] [1, 1] : tensor<197x768xf32> to tensor<32x64xf32>
// CHECK:           %[[TILE:.+]] = linalg.generic
// CHECK:           } -> tensor<32x64xf32>
// CHECK:           %[[PART:.+]] = tensor.extract_slice %[[TILE]][%[[SKIP]], 0] [%[[OWN_ROWS]], 64]
// CHECK:           tensor.parallel_insert_slice %[[PART]]
func.func @prime_rows(%a: tensor<197x768xf32>, %b: tensor<768x768xf32>) -> tensor<197x768xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<197x768xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<197x768xf32>) -> tensor<197x768xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<197x768xf32>, tensor<768x768xf32>) outs(%fill : tensor<197x768xf32>) -> tensor<197x768xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%mm : tensor<197x768xf32>) outs(%init : tensor<197x768xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %zero : f32
    linalg.yield %m : f32
  } -> tensor<197x768xf32>
  return %y : tensor<197x768xf32>
}

// -----

// 25 rows would divide 50, but registers are cut from fours.
// CHECK-LABEL: func.func @odd_divisor
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (2, 12)
// CHECK:           linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 32>, workgroup = array<i64: 28, 64, 0>}}
func.func @odd_divisor(%a: tensor<50x768xf32>, %b: tensor<768x768xf32>) -> tensor<50x768xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<50x768xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<50x768xf32>) -> tensor<50x768xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<50x768xf32>, tensor<768x768xf32>) outs(%fill : tensor<50x768xf32>) -> tensor<50x768xf32>
  return %mm : tensor<50x768xf32>
}

// -----

// What starts from an argument reads it, and not what another workgroup has stored meanwhile.
// CHECK-LABEL: func.func @accumulates
// CHECK-SAME:    %[[C:[a-z0-9]+]]: tensor<67x67xf32>)
// CHECK:         %[[NEW:.+]] = tensor.empty() : tensor<67x67xf32>
// CHECK:         scf.forall {{.*}} shared_outs(%{{.+}} = %[[NEW]])
// CHECK:           tensor.extract_slice %[[C]]
func.func @accumulates(%a: tensor<67x64xf32>, %b: tensor<64x67xf32>, %c: tensor<67x67xf32>) -> tensor<67x67xf32> attributes {fuselage.dispatch = 0 : i64} {
  %mm = linalg.matmul ins(%a, %b : tensor<67x64xf32>, tensor<64x67xf32>) outs(%c : tensor<67x67xf32>) -> tensor<67x67xf32>
  return %mm : tensor<67x67xf32>
}

// -----

// Weights that are repeated for each of 197 tokens, one row each, are the weights of a matmul of 197 rows.
// CHECK-LABEL: func.func @repeated_weights
// CHECK-SAME:    %{{[a-z0-9]+}}: tensor<197x1x64xf32>, %[[W:[a-z0-9]+]]: tensor<64x128xf32>
// CHECK-NOT:     linalg.broadcast
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (7, 2)
// CHECK:           tensor.extract_slice %[[W]]
func.func @repeated_weights(%a: tensor<197x1x64xf32>, %w: tensor<64x128xf32>) -> tensor<197x1x128xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<197x1x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<197x1x128xf32>) -> tensor<197x1x128xf32>
  %e = tensor.empty() : tensor<197x64x128xf32>
  %r = linalg.broadcast ins(%w : tensor<64x128xf32>) outs(%e : tensor<197x64x128xf32>) dimensions = [0]
  %mm = linalg.batch_matmul ins(%a, %r : tensor<197x1x64xf32>, tensor<197x64x128xf32>) outs(%fill : tensor<197x1x128xf32>) -> tensor<197x1x128xf32>
  return %mm : tensor<197x1x128xf32>
}
