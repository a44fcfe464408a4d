// Softmaxes, norms and other reductions of rows and columns.
#include "DispatchCaseText.h"

using namespace llvm;

namespace fuselage::test {

/// The pieces of a softmax over rows of `x`, a tensor<$Mx$Nxf32>; `%p` is the result.
static std::string softmaxPieces(StringRef x = "%x") {
  return filled("low", "0xFF800000", "f32", "tensor<$Mxf32>") +
         generic("%max", "#i2, #r2", "pr", (x + " : tensor<$Mx$Nxf32>").str(), "%low : tensor<$Mxf32>",
                 "%a: f32, %o: f32", maxf, "tensor<$Mxf32>") +
         empty("e_x", "tensor<$Mx$Nxf32>") +
         generic("%exp", "#i2, #r2, #i2", "pp", (x + ", %max : tensor<$Mx$Nxf32>, tensor<$Mxf32>").str(),
                 "%e_x : tensor<$Mx$Nxf32>", "%a: f32, %b: f32, %o: f32",
                 "%d = arith.subf %a, %b : f32\n    %y = math.exp %d : f32\n    linalg.yield %y : f32",
                 "tensor<$Mx$Nxf32>") +
         filled("nil", "0.0", "f32", "tensor<$Mxf32>") +
         generic("%sum", "#i2, #r2", "pr", "%exp : tensor<$Mx$Nxf32>", "%nil : tensor<$Mxf32>", "%a: f32, %o: f32",
                 addf, "tensor<$Mxf32>") +
         generic("%p", "#i2, #r2, #i2", "pp", "%exp, %sum : tensor<$Mx$Nxf32>, tensor<$Mxf32>",
                 "%e_x : tensor<$Mx$Nxf32>", "%a: f32, %b: f32, %o: f32",
                 "%y = arith.divf %a, %b : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>");
}

std::vector<DispatchCase> reductionCases() {
  std::vector<DispatchCase> cases;
  std::string x = "%x: tensor<$Mx$Nxf32>";
  cases.push_back({"softmax", x, "tensor<$Mx$Nxf32>", softmaxPieces(), "%p", {}});
  cases.push_back({"softmax_long",
                   x,
                   "tensor<$Mx$Nxf32>",
                   softmaxPieces(),
                   "%p",
                   {{'M', {1, 3, 8}}, {'N', {3000, 8192, 9973, 20000}}}});
  cases.push_back({"softmax_and_sum_escape", x, "tensor<$Mx$Nxf32>, tensor<$Mxf32>", softmaxPieces(), "%p, %sum", {}});
  cases.push_back({"softmax_composite",
                   x,
                   "tensor<$Mx$Nxf32>",
                   empty("e", "tensor<$Mx$Nxf32>") +
                       "  %p = linalg.softmax dimension(1) ins(%x : tensor<$Mx$Nxf32>) outs(%e : "
                       "tensor<$Mx$Nxf32>) -> tensor<$Mx$Nxf32>\n",
                   "%p",
                   {}});
  cases.push_back({"matmul_softmax",
                   "%A: tensor<$Mx$Kxf32>, %B: tensor<$Kx$Nxf32>",
                   "tensor<$Mx$Nxf32>",
                   matmul("%A", "%B") + softmaxPieces("%mm"),
                   "%p",
                   {}});
  cases.push_back(
      {"cast_between",
       "%A: tensor<$Mx$Kxf32>, %B: tensor<$Kx$Nxf32>",
       "tensor<$Mx$Nxf32>",
       matmul("%A", "%B") + "  %x = tensor.cast %mm : tensor<$Mx$Nxf32> to tensor<$Mx$Nxf32>\n" + softmaxPieces(),
       "%p",
       {}});
  cases.push_back({"row_sum",
                   x,
                   "tensor<$Mxf32>",
                   filled("z", "0.0", "f32", "tensor<$Mxf32>") +
                       generic("%r", "#i2, #r2", "pr", "%x : tensor<$Mx$Nxf32>", "%z : tensor<$Mxf32>",
                               "%a: f32, %o: f32", addf, "tensor<$Mxf32>"),
                   "%r",
                   {}});
  cases.push_back(
      {"long_sum_of_squares",
       x,
       "tensor<$Mxf32>",
       empty("e", "tensor<$Mx$Nxf32>") +
           generic("%sq", "#i2, #i2", "pp", "%x : tensor<$Mx$Nxf32>", "%e : tensor<$Mx$Nxf32>", "%a: f32, %o: f32",
                   "%y = arith.mulf %a, %a : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>") +
           filled("z", "0.0", "f32", "tensor<$Mxf32>") +
           generic("%r", "#i2, #r2", "pr", "%sq : tensor<$Mx$Nxf32>", "%z : tensor<$Mxf32>", "%a: f32, %o: f32", addf,
                   "tensor<$Mxf32>"),
       "%r",
       {{'M', {1, 2, 7}}, {'N', {1500, 4096, 5003, 12288}}}});
  cases.push_back({"column_sum",
                   x,
                   "tensor<$Nxf32>",
                   filled("z", "0.0", "f32", "tensor<$Nxf32>") +
                       generic("%r", "affine_map<(d0, d1) -> (d1, d0)>, #r2", "pr", "%x : tensor<$Mx$Nxf32>",
                               "%z : tensor<$Nxf32>", "%a: f32, %o: f32", addf, "tensor<$Nxf32>"),
                   "%r",
                   {}});
  cases.push_back(
      {"full_sum",
       x,
       "tensor<f32>",
       filled("z", "0.0", "f32", "tensor<f32>") + generic("%r", "#i2, #s2", "rr", "%x : tensor<$Mx$Nxf32>",
                                                          "%z : tensor<f32>", "%a: f32, %o: f32", addf, "tensor<f32>"),
       "%r",
       {}});
  cases.push_back(
      {"layernorm",
       x + ", %g: tensor<$Nxf32>",
       "tensor<$Mx$Nxf32>",
       filled("z", "0.0", "f32", "tensor<$Mxf32>") +
           generic("%s", "#i2, #r2", "pr", "%x : tensor<$Mx$Nxf32>", "%z : tensor<$Mxf32>", "%a: f32, %o: f32", addf,
                   "tensor<$Mxf32>") +
           empty("e", "tensor<$Mx$Nxf32>") +
           generic("%d", "#i2, #r2, #i2", "pp", "%x, %s : tensor<$Mx$Nxf32>, tensor<$Mxf32>", "%e : tensor<$Mx$Nxf32>",
                   "%a: f32, %b: f32, %o: f32",
                   "%n = arith.constant $N.0 : f32\n    %m = arith.divf %b, %n : f32\n"
                   "    %y = arith.subf %a, %m : f32\n    linalg.yield %y : f32",
                   "tensor<$Mx$Nxf32>") +
           generic("%v", "#i2, #r2", "pr", "%d : tensor<$Mx$Nxf32>", "%z : tensor<$Mxf32>", "%a: f32, %o: f32",
                   "%q = arith.mulf %a, %a : f32\n    %y = arith.addf %q, %o : f32\n"
                   "    linalg.yield %y : f32",
                   "tensor<$Mxf32>") +
           generic("%r", "#i2, #r2, #c2, #i2", "pp", "%d, %v, %g : tensor<$Mx$Nxf32>, tensor<$Mxf32>, tensor<$Nxf32>",
                   "%e : tensor<$Mx$Nxf32>", "%a: f32, %b: f32, %c: f32, %o: f32",
                   "%one = arith.constant 1.0 : f32\n    %s1 = arith.addf %b, %one : f32\n"
                   "    %q = math.sqrt %s1 : f32\n    %1 = arith.divf %a, %q : f32\n"
                   "    %y = arith.mulf %1, %c : f32\n    linalg.yield %y : f32",
                   "tensor<$Mx$Nxf32>"),
       "%r",
       {}});
  cases.push_back(
      {"keepdims_softmax",
       "%x: tensor<1x$Bx$Mx$Nxf32>",
       "tensor<1x$Bx$Mx$Nxf32>",
       filled("low", "0xFF800000", "f32", "tensor<1x$Bx$Mx1xf32>") +
           generic("%max", "#i4, #keep4", "pppr", "%x : tensor<1x$Bx$Mx$Nxf32>", "%low : tensor<1x$Bx$Mx1xf32>",
                   "%a: f32, %o: f32", maxf, "tensor<1x$Bx$Mx1xf32>") +
           empty("e", "tensor<1x$Bx$Mx$Nxf32>") +
           generic("%r", "#u4, #ukeep4, #i4", "pppp", "%x, %max : tensor<1x$Bx$Mx$Nxf32>, tensor<1x$Bx$Mx1xf32>",
                   "%e : tensor<1x$Bx$Mx$Nxf32>", "%a: f32, %b: f32, %o: f32",
                   "%y = arith.subf %a, %b : f32\n    linalg.yield %y : f32", "tensor<1x$Bx$Mx$Nxf32>"),
       "%r",
       {{'B', {1, 2, 3}}}});
  cases.push_back({"argmax",
                   x,
                   "tensor<$Mxf32>, tensor<$Mxi64>",
                   filled("low", "0xFF800000", "f32", "tensor<$Mxf32>") + filled("at", "0", "i64", "tensor<$Mxi64>") +
                       "  %r:2 = linalg.generic {indexing_maps = [#i2, #r2, #r2], iterator_types = "
                       "[\"parallel\", \"reduction\"]} ins(%x : tensor<$Mx$Nxf32>) outs(%low, %at : "
                       "tensor<$Mxf32>, tensor<$Mxi64>) {\n  ^bb0(%a: f32, %o: f32, %i: i64):\n"
                       "    %c = linalg.index 1 : index\n    %ci = arith.index_cast %c : index to i64\n"
                       "    %g = arith.cmpf ogt, %a, %o : f32\n    %v = arith.select %g, %a, %o : f32\n"
                       "    %w = arith.select %g, %ci, %i : i64\n    linalg.yield %v, %w : f32, i64\n"
                       "  } -> (tensor<$Mxf32>, tensor<$Mxi64>)\n",
                   "%r#0, %r#1",
                   {}});
  cases.push_back({"sum_of_middle",
                   "%x: tensor<$Bx$Mx$Nxf32>",
                   "tensor<$Bx$Nxf32>",
                   filled("z", "0.0", "f32", "tensor<$Bx$Nxf32>") +
                       generic("%r", "#i3, #ac3", "prp", "%x : tensor<$Bx$Mx$Nxf32>", "%z : tensor<$Bx$Nxf32>",
                               "%a: f32, %o: f32", addf, "tensor<$Bx$Nxf32>"),
                   "%r",
                   {{'B', {1, 2, 3, 7}}}});
  cases.push_back({"rows_and_elements",
                   x,
                   "tensor<$Mx$Nxf32>, tensor<$Mxf32>",
                   empty("e", "tensor<$Mx$Nxf32>") + filled("z", "0.0", "f32", "tensor<$Mxf32>") +
                       "  %r:2 = linalg.generic {indexing_maps = [#i2, #i2, #r2], iterator_types = "
                       "[\"parallel\", \"reduction\"]} ins(%x : tensor<$Mx$Nxf32>) outs(%e, %z : "
                       "tensor<$Mx$Nxf32>, tensor<$Mxf32>) {\n  ^bb0(%a: f32, %o: f32, %s: f32):\n"
                       "    %q = arith.mulf %a, %a : f32\n    %t = arith.addf %q, %s : f32\n"
                       "    linalg.yield %q, %t : f32, f32\n  } -> (tensor<$Mx$Nxf32>, "
                       "tensor<$Mxf32>)\n",
                   "%r#0, %r#1",
                   {}});
  cases.push_back(
      {"sum_f64",
       "%x: tensor<$Mx$Nxf64>",
       "tensor<$Mxf64>",
       filled("z", "0.0", "f64", "tensor<$Mxf64>") +
           generic("%r", "#i2, #r2", "pr", "%x : tensor<$Mx$Nxf64>", "%z : tensor<$Mxf64>", "%a: f64, %o: f64",
                   "%y = arith.addf %a, %o : f64\n    linalg.yield %y : f64", "tensor<$Mxf64>"),
       "%r",
       {}});
  return cases;
}

} // namespace fuselage::test
