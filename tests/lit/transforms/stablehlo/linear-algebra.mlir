// batch_norm_*, fft, cholesky and triangular_solve of StableHLO.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function batch_norm_inference --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=INFERENCE
// RUN: fuselage run %s --function batch_norm_training --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=TRAINING
// RUN: fuselage run %s --function batch_norm_grad --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=GRAD
// RUN: fuselage run %s --function fft --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=RFFT
// RUN: fuselage run %s --function cholesky --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=CHOLESKY
// RUN: fuselage run %s --function solve --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SOLVE

//   CHECK-NOT: stablehlo.
// INFERENCE: result 0 tensor<2x2xf32>{{$}}
// INFERENCE-NEXT: {{\[\[}} 0. -3.]
// INFERENCE-NEXT: [ 1.  1.]]
func.func @batch_norm_inference() -> tensor<2x2xf32> {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %o = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %m = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %v = stablehlo.constant dense<[4.0, 1.0]> : tensor<2xf32>
  %0 = "stablehlo.batch_norm_inference"(%a, %s, %o, %m, %v) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// TRAINING: result 0 tensor<2x2xf32>{{$}}
// TRAINING-NEXT: {{\[\[}}-0.5 {{ *}}-3.]
// TRAINING-NEXT: [ 1.5 {{ *}}1.]]
// TRAINING: result 1 tensor<2xf32>{{$}}
// TRAINING-NEXT: [2. 4.]
// TRAINING: result 2 tensor<2xf32>{{$}}
// TRAINING-NEXT: [1. 4.]
func.func @batch_norm_training() -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf32>
  %s = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %o = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
}

// GRAD: result 0 tensor<3x2xf32>{{$}}
// GRAD: 0.083333{{.*}}-3.333333
// GRAD: -0.333333{{.*}} 8.
// GRAD: 0.25{{.*}}-4.666667
// GRAD: result 1 tensor<2xf32>{{$}}
// GRAD-NEXT: [ 1. -5.]
// GRAD: result 2 tensor<2xf32>{{$}}
// GRAD-NEXT: [3.5 {{ *}}0.]
func.func @batch_norm_grad() -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]]> : tensor<3x2xf32>
  %s = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %m = stablehlo.constant dense<[3.0, 3.0]> : tensor<2xf32>
  %v = stablehlo.constant dense<[4.0, 1.0]> : tensor<2xf32>
  %g = stablehlo.constant dense<[[1.0, 0.0], [0.5, -1.0], [2.0, 1.0]]> : tensor<3x2xf32>
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>
}

// RFFT: result 0 tensor<3xf32>{{$}}
// RFFT-NEXT: [ 6. -2. -2.]
// RFFT: result 1 tensor<3xf32>{{$}}
// RFFT-NEXT: [ {{ *}}0. {{ *}}2. {{.*}}]
// RFFT: result 2 tensor<4xf32>{{$}}
// RFFT-NEXT: [0. 1. 2. 3.]
func.func @fft() -> (tensor<3xf32>, tensor<3xf32>, tensor<4xf32>) {
  %a = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  %re = stablehlo.real %0 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %im = stablehlo.imag %0 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %1 = stablehlo.fft %0, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  return %re, %im, %1 : tensor<3xf32>, tensor<3xf32>, tensor<4xf32>
}

// CHOLESKY: result 0 tensor<2x2xf32>{{$}}
// CHOLESKY-NEXT: {{\[\[}}2. 0.]
// CHOLESKY-NEXT: [1. 3.]]
// CHOLESKY: result 1 tensor<2x2xf32>{{$}}
// CHOLESKY-NEXT: {{\[\[}}2. 1.]
// CHOLESKY-NEXT: [0. 3.]]
func.func @cholesky() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 10.0]]> : tensor<2x2xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  %1 = "stablehlo.cholesky"(%a) <{lower = false}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// SOLVE: result 0 tensor<2x1xf32>{{$}}
// SOLVE-NEXT: {{\[\[}}2.]
// SOLVE-NEXT: [2.]]
// SOLVE: result 1 tensor<2x1xf32>{{$}}
// SOLVE-NEXT: {{\[\[}}-6.]
// SOLVE-NEXT: [10.]]
// SOLVE: result 2 tensor<1x2xf32>{{$}}
// SOLVE-NEXT: {{\[\[}}1. 2.]]
func.func @solve() -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>) {
  %a = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0], [10.0]]> : tensor<2x1xf32>
  %c = stablehlo.constant dense<[[4.0, 8.0]]> : tensor<1x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %2 = "stablehlo.triangular_solve"(%a, %c) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>
}
