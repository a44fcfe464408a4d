// Who is to blame: for other results, a crash, an edge that is lost, and when nothing can be told.
// RUN: env FUSELAGE_TEST_PASSES=1 fuselage bisect %s --pipeline canonicalize,fuselage-test-wrong,cse --draws 2 | FileCheck %s --check-prefix=WRONG
// WRONG: Step 1, fuselage-test-wrong: @main gives other results
// WRONG-NEXT: First by rewrite {{[0-9]}}, SwapFirstSubtraction on arith.subf in @main, of 3
// WRONG-NEXT: {{[0-9]}} judgements for the step, {{[0-3]}} for the rewrite
// WRONG: Before: fuselage step {{.*}}bisect.mlir --pipeline canonicalize,fuselage-test-wrong,cse --at 1 --rewrite {{[0-9]}} --side before -o before.mlir
// WRONG-NEXT: After: fuselage step {{.*}} -o after.mlir

// The same on buffers, and in LLVM's dialect.
// RUN: env FUSELAGE_TEST_PASSES=1 fuselage bisect %s --pipeline 'one-shot-bufferize{bufferize-function-boundaries},fuselage-test-wrong,convert-linalg-to-loops' --draws 1 | FileCheck %s --check-prefix=BUFFERS
// BUFFERS: Step 1, fuselage-test-wrong: @main gives other results

// RUN: env FUSELAGE_TEST_PASSES=1 fuselage bisect %s --pipeline canonicalize,fuselage-test-crash,cse --format json | FileCheck %s --check-prefix=CRASH
// CRASH: "death": {
// CRASH: "how": "crashes with signal 11 (Segmentation fault)"
// CRASH: "rewrites": 0
// CRASH: "name": "fuselage-test-crash"
// CRASH: "step": 1

// RUN: fuselage bisect %s --pipeline 'canonicalize,linalg-fuse-elementwise-ops' --lost-fusion first,second | FileCheck %s --check-prefix=KEPT
// KEPT: Nothing is to blame
// RUN: not fuselage bisect %s --lost-fusion second,first 2>&1 | FileCheck %s --check-prefix=NOEDGE
// NOEDGE: no edge of the input leads from second to first
// RUN: not fuselage bisect %s --lost-fusion one --worse bytes 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: --predicate, --lost-fusion and --worse exclude each other
// RUN: fuselage bisect %s --pipeline canonicalize,cse --worse bytes | FileCheck %s --check-prefix=KEPT

// A search that comes to its end leaves no state.
// RUN: fuselage bisect %s --pipeline canonicalize,cse --draws 1 --state %t.json | FileCheck %s --check-prefix=KEPT
// RUN: not ls %t.json

// Exit code 3: the input does not run here.
// RUN: sh -c 'fuselage bisect %s --function outside --pipeline canonicalize; test $? -eq 3' | FileCheck %s --check-prefix=UNDECIDED
// UNDECIDED: Cannot tell what is wrong: {{.*}}@elsewhere

#m = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %first = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.addf %x, %y : f32
    %q = arith.subf %p, %x : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %second = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%first : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %p = arith.addf %x, %x : f32
    linalg.yield %p : f32
  } -> tensor<64xf32>
  return %second : tensor<64xf32>
}

func.func private @elsewhere(%a: tensor<4xf32>) -> tensor<4xf32>
func.func @outside(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @elsewhere(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
