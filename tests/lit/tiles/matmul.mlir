// RUN: fuselage tiles %s --op linalg.matmul --sizes 32,64,16 --tile 1,2,3 | FileCheck %s
// RUN: fuselage tiles %s --op mm --sizes 32,64 --fuse --format json | FileCheck %s --check-prefix=JSON
// RUN: fuselage tiles %s --op :12 --sizes 48,1000 --snap 2>&1 | FileCheck %s --check-prefix=SNAP

func.func @f(%a: tensor<128x256xf32>, %b: tensor<256x512xf32>) -> tensor<128x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<128x512xf32>) -> tensor<128x512xf32>



  %mm = linalg.matmul ins(%a, %b : tensor<128x256xf32>, tensor<256x512xf32>) outs(%fill : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %mm : tensor<128x512xf32>
}

// CHECK: linalg.matmul
// CHECK: d0  parallel        128 iterations  tiles of     32       4 trips
// CHECK: d2  reduction       256 iterations  tiles of     16      16 trips
// CHECK: tile (1, 2, 3), number 163 of 512, loops from outer to inner: d0 d1 d2
// CHECK: %a: tensor<128x256xf32>  input
// CHECK-NEXT: [32:64, 48:64], 512 elements, 2.0 KiB
// CHECK-NEXT: map (d0, d1, d2) -> (d0, d2)
// CHECK: %b: tensor
// CHECK-NEXT: [48:64, 128:192], 1024 elements
// CHECK: destination
// CHECK-NEXT: [32:64, 128:192], 2048 elements
// CHECK: workgroup memory  14.0 KiB of 32.0 KiB (any GPU)
// CHECK: untiled {{ *}}33554432 flops
// CHECK: tiled {{ *}}33554432 flops
// CHECK-NEXT: untiled: each value moves once, as through a cache that holds everything
// CHECK-NEXT: tiled: nothing stays from one tile to the next


// JSON: "fused": {
// JSON-NEXT: "bytes": 3407872,
// JSON: "op": {
// JSON: "op": "linalg.matmul"
// JSON: "producers": [
// JSON: "domain": [
// JSON-NEXT: 128,
// JSON-NEXT: 512
// JSON: "op": "linalg.fill"
// JSON: "recompute": 1,
// JSON: "version": 1

// SNAP: tiles of     32
// SNAP: note: size 48 of d0 snaps to 32, a divisor of 128
// SNAP: note: size 1000 of d1 is more than its 512 iterations

// A row of %a stays for its 512 columns: %b, 512 KiB, is read for each of 128 rows. By tiles it is read for 4 rows of tiles.
// RUN: fuselage tiles %s --op mm --sizes 32,32,32 --cache 16384 | FileCheck %s --check-prefix=CACHE
// CACHE: work and traffic, through a cache of 16.0 KiB
// CACHE: untiled {{.*}} 64.6 MiB
// CACHE-NEXT: tiled {{.*}} 4.5 MiB
// CACHE-NEXT: untiled: an iteration over the points of d1 touches 2.0 KiB: it fits
// CACHE-NEXT: tiled: an iteration over the tiles of d2 touches 12.0 KiB: it fits
