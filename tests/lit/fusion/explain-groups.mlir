// Edges that are the same but for where they are make one row, which saves what all of them save.
// RUN: fuselage explain %s | FileCheck %s
// RUN: fuselage explain %s --flat | FileCheck %s --check-prefix=FLAT
// RUN: fuselage explain %s --format json | FileCheck %s --check-prefix=JSON

// CHECK: 4 separate
// CHECK: saves {{.*}}share  times   each  us each  from
// CHECK: 1.54 kB {{.*}} x3  512 B {{.*}}linalg.exp (line 23) {{.*}}linalg.matmul (line 24){{.*}}CONSUMER_CONTRACTION
// CHECK: 512 B {{[^x]*}}linalg.log (line 35)
// CHECK: --flat lists each

// FLAT-NOT: times
// FLAT-COUNT-3: 512 B {{.*}}linalg.exp {{.*}}CONSUMER_CONTRACTION
// FLAT: 512 B {{.*}}linalg.log {{.*}}CONSUMER_CONTRACTION

// JSON: "groups"
// JSON: "bytes": 1536

func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>, %d: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>

  %2 = linalg.exp ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>

  %4 = linalg.exp ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = linalg.matmul ins(%4, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>




  %6 = linalg.log ins(%d : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %7 = linalg.matmul ins(%6, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1, %3, %5, %7 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
