// What was measured is kept, and what is predicted of the device goes by it from then on.
// RUN: rm -rf %t && mkdir %t
// RUN: env XDG_CACHE_HOME=%t/cache fuselage fuse %s --all --no-check --measure host | FileCheck %s --check-prefix=FIRST
// RUN: env XDG_CACHE_HOME=%t/cache fuselage fuse %s --all --no-check --measure host | FileCheck %s --check-prefix=THEN
// RUN: cat %t/cache/fuselage/roofs/*.samples.json | FileCheck %s --check-prefix=KEPT
// RUN: env XDG_CACHE_HOME=%t/cache fuselage explain %s --device host | FileCheck %s --check-prefix=EXPLAIN
// RUN: env XDG_CACHE_HOME=%t/cache fuselage devices --device host --verbose | FileCheck %s --check-prefix=DEVICE
// RUN: env XDG_CACHE_HOME=%t/cache fuselage fuse %s --all --no-check | FileCheck %s --check-prefix=FIRST

// Where nothing can be kept, the fusion is what was asked for.
// RUN: env XDG_CACHE_HOME=/dev/null fuselage fuse %s --all --no-check --measure host 2>&1 | FileCheck %s --check-prefix=NOWHERE

// FIRST: launches and memory take, predicted: {{.*}} at 4.0 us a launch and 500.0 GB/s (assumed)
// THEN: launches and memory take, predicted: {{.*}} (by what was measured on host, {{[1-9][0-9]*}} sample
// THEN: measured on host:
// KEPT: "arithmetic": "f32"
// KEPT: "kind": "transpose"
// KEPT: "predicted_us":
// KEPT: "us":
// EXPLAIN: GB/s (by what was measured on host, {{[1-9][0-9]*}} sample
// DEVICE: fusions are predicted at {{[0-9.]+}} GB/s and {{[0-9.]+}} us a launch, by what was measured on host
// NOWHERE: what was measured is not kept: cannot make the folder /dev/null
// NOWHERE: measured on host:

func.func @forward(%a: tensor<256x256xf32>, %w: tensor<256x256xf32>, %init: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %e = tensor.empty() : tensor<256x256xf32>
  %t = linalg.transpose ins(%w : tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%a, %t : tensor<256x256xf32>, tensor<256x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %m : tensor<256x256xf32>
}
