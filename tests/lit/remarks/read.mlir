// What MLIR's remark engine writes, in both formats, placed on the ops of the file.
// RUN: fuselage-opt %s --fuselage-explain-fusion --remarks-filter=fusion --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: fuselage-opt %s --fuselage-explain-fusion --remarks-filter=fusion --remark-format=bitstream --remarks-output-file=%t.bitstream -o /dev/null
// RUN: fuselage remarks %s --remarks %t.yaml | FileCheck %s
// RUN: fuselage remarks %s --remarks %t.bitstream | FileCheck %s
// RUN: fuselage remarks %s --remarks %t.yaml --format json | FileCheck %s --check-prefix=JSON
// RUN: fuselage remarks %s --remarks %t.yaml --kind missed | FileCheck %s --check-prefix=NONE

// CHECK: 3 remarks of {{.*}}: 3 placed, 0 not
// CHECK: fusion: CLONED, 2 remarks
// CHECK-NEXT: {{[0-9]+}} linalg.exp (line [[#EXP:]]): passed: Verdict=CLONED, Producer=tensor.empty, Operand=1
// CHECK-NEXT: {{[0-9]+}} linalg.log (line [[#EXP+1]]): passed: Verdict=CLONED, Producer=tensor.empty, Operand=1
// CHECK: fusion: {{FUSED_INTO_OP|SAME_DISPATCH}}, 1 remark
// CHECK-NEXT: {{[0-9]+}} linalg.log (line [[#EXP+1]]): passed: Verdict={{.*}}, Producer=linalg.exp, Operand=0
// JSON: "format": "yaml",
// JSON-NEXT: "path":
// JSON-NEXT: "placed": 3,
// JSON: "kind": "passed"
// JSON: "op_name": "linalg.exp"
// JSON: "place": "column"
// JSON: "unplaced": 0
// NONE: 0 remarks of {{.*}}: 0 placed, 0 not
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %to = tensor.empty() : tensor<8x8xf32>
  %e = linalg.exp ins(%a : tensor<8x8xf32>) outs(%to : tensor<8x8xf32>) -> tensor<8x8xf32>
  %l = linalg.log ins(%e : tensor<8x8xf32>) outs(%to : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %l : tensor<8x8xf32>
}
