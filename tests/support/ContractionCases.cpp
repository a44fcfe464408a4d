// Products of matrices and their like, with what exporters put around them.
#include "DispatchCaseText.h"

using namespace llvm;

namespace fuselage::test {

std::vector<DispatchCase> contractionCases() {
  std::vector<DispatchCase> cases;
  std::string plain = "%A: tensor<$Mx$Kxf32>, %B: tensor<$Kx$Nxf32>";
  cases.push_back({"matmul", plain, "tensor<$Mx$Nxf32>", matmul("%A", "%B"), "%mm", {}});
  cases.push_back({"matmul_bias_relu",
                   plain + ", %bias: tensor<$Nxf32>",
                   "tensor<$Mx$Nxf32>",
                   matmul("%A", "%B") + biasAndRelu(),
                   "%y",
                   {}});
  cases.push_back({"matmul_and_relu_both_escape",
                   plain + ", %bias: tensor<$Nxf32>",
                   "tensor<$Mx$Nxf32>, tensor<$Mx$Nxf32>",
                   matmul("%A", "%B") + biasAndRelu(),
                   "%mm, %y",
                   {}});
  cases.push_back(
      {"matmul_transposed_weight",
       "%A: tensor<$Mx$Kxf32>, %w: tensor<$Nx$Kxf32>, "
       "%bias: tensor<$Nxf32>",
       "tensor<$Mx$Nxf32>",
       transposed("wt", "%w", "tensor<$Nx$Kxf32>", "tensor<$Kx$Nxf32>") + matmul("%A", "%wt") + biasAndRelu(),
       "%y",
       {}});
  cases.push_back({"matmul_of_sums",
                   plain + ", %C: tensor<$Kxf32>",
                   "tensor<$Mx$Nxf32>",
                   empty("e_s", "tensor<$Mx$Kxf32>") +
                       generic("%s", "#i2, #c2, #i2", "pp", "%A, %C : tensor<$Mx$Kxf32>, tensor<$Kxf32>",
                               "%e_s : tensor<$Mx$Kxf32>", "%p: f32, %q: f32, %o: f32",
                               "%y = arith.addf %p, %q : f32\n    linalg.yield %y : f32", "tensor<$Mx$Kxf32>") +
                       matmul("%s", "%B"),
                   "%mm",
                   {}});
  cases.push_back({"matmul_accumulates",
                   plain + ", %C: tensor<$Mx$Nxf32>",
                   "tensor<$Mx$Nxf32>",
                   "  %mm = linalg.matmul ins(%A, %B : tensor<$Mx$Kxf32>, tensor<$Kx$Nxf32>) "
                   "outs(%C : tensor<$Mx$Nxf32>) -> tensor<$Mx$Nxf32>\n",
                   "%mm",
                   {}});
  cases.push_back(
      {"matmul_onto_product",
       plain + ", %C: tensor<$Mx$Nxf32>",
       "tensor<$Mx$Nxf32>",
       empty("e_d", "tensor<$Mx$Nxf32>") +
           generic("%d", "#i2, #i2", "pp", "%C : tensor<$Mx$Nxf32>", "%e_d : tensor<$Mx$Nxf32>", "%p: f32, %o: f32",
                   "%y = arith.mulf %p, %p : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>") +
           "  %mm = linalg.matmul ins(%A, %B : tensor<$Mx$Kxf32>, tensor<$Kx$Nxf32>) "
           "outs(%d : tensor<$Mx$Nxf32>) -> tensor<$Mx$Nxf32>\n",
       "%mm",
       {}});
  cases.push_back({"matmul_of_matmul",
                   plain + ", %C: tensor<$Nx$Pxf32>",
                   "tensor<$Mx$Pxf32>",
                   matmul("%A", "%B") + filled("z2", "0.0", "f32", "tensor<$Mx$Pxf32>") +
                       "  %r = linalg.matmul ins(%mm, %C : tensor<$Mx$Nxf32>, tensor<$Nx$Pxf32>) "
                       "outs(%z2 : tensor<$Mx$Pxf32>) -> tensor<$Mx$Pxf32>\n",
                   "%r",
                   {}});
  cases.push_back({"matmul_f16",
                   "%A: tensor<$Mx$Kxf16>, %B: tensor<$Kx$Nxf16>",
                   "tensor<$Mx$Nxf32>",
                   filled("zero", "0.0", "f32", "tensor<$Mx$Nxf32>") +
                       "  %mm = linalg.matmul ins(%A, %B : tensor<$Mx$Kxf16>, tensor<$Kx$Nxf16>) "
                       "outs(%zero : tensor<$Mx$Nxf32>) -> tensor<$Mx$Nxf32>\n",
                   "%mm",
                   {}});
  cases.push_back({"matmul_i8",
                   "%A: tensor<$Mx$Kxi8>, %B: tensor<$Kx$Nxi8>",
                   "tensor<$Mx$Nxi32>",
                   filled("zero", "0", "i32", "tensor<$Mx$Nxi32>") +
                       "  %mm = linalg.matmul ins(%A, %B : tensor<$Mx$Kxi8>, tensor<$Kx$Nxi8>) "
                       "outs(%zero : tensor<$Mx$Nxi32>) -> tensor<$Mx$Nxi32>\n",
                   "%mm",
                   {}});
  cases.push_back({"batch_matmul",
                   "%A: tensor<$Bx$Mx$Kxf32>, %B: tensor<$Bx$Kx$Nxf32>",
                   "tensor<$Bx$Mx$Nxf32>",
                   filled("zero", "0.0", "f32", "tensor<$Bx$Mx$Nxf32>") +
                       "  %mm = linalg.batch_matmul ins(%A, %B : tensor<$Bx$Mx$Kxf32>, "
                       "tensor<$Bx$Kx$Nxf32>) outs(%zero : tensor<$Bx$Mx$Nxf32>) -> "
                       "tensor<$Bx$Mx$Nxf32>\n",
                   "%mm",
                   {{'B', {1, 2, 3, 5}}}});
  cases.push_back({"matvec",
                   "%A: tensor<$Mx$Kxf32>, %x: tensor<$Kxf32>",
                   "tensor<$Mxf32>",
                   filled("zero", "0.0", "f32", "tensor<$Mxf32>") +
                       "  %r = linalg.matvec ins(%A, %x : tensor<$Mx$Kxf32>, tensor<$Kxf32>) "
                       "outs(%zero : tensor<$Mxf32>) -> tensor<$Mxf32>\n",
                   "%r",
                   {}});
  cases.push_back({"dot",
                   "%A: tensor<$Kxf32>, %B: tensor<$Kxf32>",
                   "tensor<f32>",
                   filled("zero", "0.0", "f32", "tensor<f32>") +
                       "  %r = linalg.dot ins(%A, %B : tensor<$Kxf32>, tensor<$Kxf32>) "
                       "outs(%zero : tensor<f32>) -> tensor<f32>\n",
                   "%r",
                   {}});
  cases.push_back({"int4_dequant_matmul",
                   "%w: tensor<$Gx$Kx$Nxi4>, %s: tensor<$Gx$Nxf32>, %z: tensor<$Gx$Nxi4>, "
                   "%x: tensor<$Mx$Gx$Kxf32>",
                   "tensor<$Mx$Nxf32>",
                   empty("e_d", "tensor<$Gx$Kx$Nxf32>") +
                       generic("%d", "#i3, #ac3, #ac3, #i3", "ppp",
                               "%w, %s, %z : tensor<$Gx$Kx$Nxi4>, tensor<$Gx$Nxf32>, tensor<$Gx$Nxi4>",
                               "%e_d : tensor<$Gx$Kx$Nxf32>", "%q: i4, %f: f32, %p: i4, %o: f32",
                               "%1 = arith.extsi %q : i4 to i32\n    %2 = arith.extsi %p : i4 to i32\n"
                               "    %3 = arith.subi %1, %2 : i32\n    %4 = arith.sitofp %3 : i32 to f32\n"
                               "    %5 = arith.mulf %4, %f : f32\n    linalg.yield %5 : f32",
                               "tensor<$Gx$Kx$Nxf32>") +
                       filled("zero", "0.0", "f32", "tensor<$Mx$Nxf32>") +
                       generic("%r",
                               "affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, "
                               "affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, #ab4",
                               "pprr", "%x, %d : tensor<$Mx$Gx$Kxf32>, tensor<$Gx$Kx$Nxf32>",
                               "%zero : tensor<$Mx$Nxf32>", "%p: f32, %q: f32, %o: f32",
                               "%1 = arith.mulf %p, %q : f32\n    %2 = arith.addf %o, %1 : f32\n"
                               "    linalg.yield %2 : f32",
                               "tensor<$Mx$Nxf32>"),
                   "%r",
                   {{'G', {1, 2, 4, 5}}, {'K', {8, 16, 17, 32, 64, 96}}}});
  return cases;
}

} // namespace fuselage::test
