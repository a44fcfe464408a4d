// A PDF of sheets: as many page objects as the note says, upright or lying sheets of A4 or A3.
// RUN: fuselage graph %s --pages a4 -o %t.pdf 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: grep -a -c "/Type /Page[^s]" %t.pdf | FileCheck %s --check-prefix=COUNT
// RUN: grep -a "/MediaBox" %t.pdf | FileCheck %s --check-prefix=A4
// RUN: fuselage graph %s --pages a3 -o %t.a3.pdf && grep -a "/MediaBox" %t.a3.pdf | FileCheck %s --check-prefix=A3
// RUN: fuselage graph %s -o %t.one.pdf && grep -a -c "/Type /Page[^s]" %t.one.pdf | FileCheck %s --check-prefix=ONE
// RUN: not fuselage graph %s --pages a4 -o %t.svg 2>&1 | FileCheck %s --check-prefix=NOPDF
// Another ground changes the colours and nothing else; verdicts and their legend are as on white.
// RUN: fuselage graph %s -o %t.light.svg && fuselage graph %s --theme dark -o %t.dark.svg
// RUN: FileCheck %s --check-prefix=LIGHT --input-file=%t.light.svg
// RUN: FileCheck %s --check-prefix=DARK --input-file=%t.dark.svg

// NOTE: note: [[PAGES:[2-9]]] pages
// COUNT: {{^[2-9]$}}
// A4: /MediaBox [ 0 0 {{595|841}}
// A3: /MediaBox [ 0 0 {{841|1190}}
// ONE: {{^1$}}
// NOPDF: only a pdf has pages
// LIGHT: fill="#ffffff"
// LIGHT: id="legend"
// DARK-NOT: #ffffff
// DARK: fill="#191c20"
// DARK-NOT: #ffffff
// DARK: id="legend"
func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = linalg.matmul ins(%2, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = linalg.matmul ins(%3, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = linalg.matmul ins(%4, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = linalg.matmul ins(%5, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %7 = linalg.matmul ins(%6, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %8 = linalg.matmul ins(%7, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %9 = linalg.matmul ins(%8, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %10 = linalg.matmul ins(%9, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %11 = linalg.matmul ins(%10, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %12 = linalg.matmul ins(%11, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %13 = linalg.matmul ins(%12, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %14 = linalg.matmul ins(%13, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %15 = linalg.matmul ins(%14, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %16 = linalg.matmul ins(%15, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %17 = linalg.matmul ins(%16, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %18 = linalg.matmul ins(%17, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %19 = linalg.matmul ins(%18, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %20 = linalg.matmul ins(%19, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %21 = linalg.matmul ins(%20, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %22 = linalg.matmul ins(%21, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %23 = linalg.matmul ins(%22, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %24 = linalg.matmul ins(%23, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %25 = linalg.matmul ins(%24, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %26 = linalg.matmul ins(%25, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %27 = linalg.matmul ins(%26, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %28 = linalg.matmul ins(%27, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %29 = linalg.matmul ins(%28, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %29 : tensor<64x64xf32>
}
