// Arithmetic on whole tensors, and casts of quantized types, are structured ops by the time that anything is said of them.
// RUN: fuselage explain %s --all | FileCheck %s
// RUN: fuselage fuse %s --all --no-check -o - 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: fuselage run %s --function sum 2>&1 | FileCheck %s --check-prefix=RAN
// CHECK-NOT: NON_FUSABLE_OP
// CHECK: linalg.generic (line 17) {{.*}}linalg.generic (line 18) {{.*}}FUSED_INTO_OP
// CHECK: linalg.generic (line 18) {{.*}}linalg.generic (line 19) {{.*}}FUSED_INTO_OP
// CHECK: linalg.generic (line 29) {{.*}}linalg.add (line 31) {{.*}}SAME_DISPATCH
// FUSED: func.func @sum
// FUSED-NOT: math.exp {{.*}} : tensor
// FUSED: func.func @dequantize(%{{.*}}: tensor<64xi8>, %{{.*}}: tensor<64xf32>)
// FUSED-NOT: quant.
// RAN: sum_dispatch_0
// RAN-NOT: sum_dispatch_1
// RAN: ok
func.func @sum(%a: tensor<1024xf32>, %b: tensor<1024xf32>, %o: tensor<f32>) -> tensor<f32> {
  %0 = arith.mulf %a, %b : tensor<1024xf32>
  %1 = math.exp %0 : tensor<1024xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%1 : tensor<1024xf32>) outs(%o : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
!q = !quant.uniform<i8:f32, 5.000000e-01>
func.func @dequantize(%a: tensor<64x!q>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = quant.dcast %a : tensor<64x!q> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %1 = linalg.add ins(%0, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
