// Without a device, what pays is predicted; with one, it is measured, and stays only if it is not slower.
// RUN: fuselage fuse %s --all --no-check --measure host --format json | FileCheck %s --check-prefix=MEASURED
// RUN: fuselage fuse %s --all --no-check --device host | FileCheck %s --check-prefix=TEXT
// RUN: fuselage fuse %s --all --no-check --format json | FileCheck %s --check-prefix=PREDICTED
// RUN: fuselage fuse %S/Inputs/loop-around-transpose.mlir --all --device host | FileCheck %s --check-prefix=WHOLE
// RUN: not fuselage fuse %s --all --device cuda:99 2>&1 | FileCheck %s --check-prefix=NONE

// MEASURED: "measure": "measured"
// MEASURED: "times": {
// MEASURED-NEXT: "device": "host",
// MEASURED-NEXT: "noise_us": {{[0-9.e+-]+}},
// MEASURED-NEXT: "predicted_us": {{[0-9.e+-]+}},
// MEASURED-NEXT: "us_after": {{[0-9.e+-]+}},
// MEASURED-NEXT: "us_before": {{[0-9.e+-]+}}
// TEXT: bytes through memory, predicted:
// TEXT: measured on host: {{[0-9.]+}} us before, {{[0-9.]+}} us after
// PREDICTED: "measure": "predicted"
// PREDICTED: "times": null
// What a loop calls how often is known when it runs: the program is read as a whole.
// WHOLE: measured on host: {{[0-9.]+}} us before, {{[0-9.]+}} us after
// NONE: cuda:99

func.func @forward(%a: tensor<64x64xf32>, %w: tensor<64x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %t = linalg.transpose ins(%w : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%a, %t : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %m : tensor<64x64xf32>
}
