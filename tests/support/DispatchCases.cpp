#include "DispatchCases.h"
#include "DispatchCaseText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace fuselage::test {

static std::vector<DispatchCase> windows() {
  std::vector<DispatchCase> cases;
  std::map<char, std::vector<int64_t>> sizes{
      {'B', {1, 2}}, {'H', {1, 4, 7, 8, 14}}, {'W', {3, 8, 13, 16}}, {'C', {1, 3, 16, 24}}, {'F', {1, 5, 32, 48}}};
  std::string image = "tensor<$Bx$Hx$Wx$Cxf32>", padded = "tensor<$Bx$(H+2)x$(W+2)x$Cxf32>";
  std::string out = "tensor<$Bx$Hx$Wx$Fxf32>";
  std::string pad = "  %pz = arith.constant 0.0 : f32\n  %pad = tensor.pad %x low[0, 1, 1, 0] "
                    "high[0, 1, 1, 0] {\n  ^bb0(%i: index, %j: index, %k: index, %l: index):\n"
                    "    tensor.yield %pz : f32\n  } : " +
                    image + " to " + padded + "\n";
  std::string conv = filled("zero", "0.0", "f32", out) +
                     "  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, "
                     "strides = dense<1> : tensor<2xi64>} ins(%pad, %f : " +
                     padded + ", tensor<3x3x$Cx$Fxf32>) outs(%zero : " + out + ") -> " + out + "\n";
  cases.push_back({"conv_bias_relu", "%x: " + image + ", %f: tensor<3x3x$Cx$Fxf32>, %bias: tensor<$Fxf32>", out,
                   pad + conv + empty("e", out) +
                       generic("%r", "#i4, #d4, #i4", "pppp", "%conv, %bias : " + out + ", tensor<$Fxf32>",
                               "%e : " + out, "%a: f32, %b: f32, %o: f32",
                               "%s = arith.addf %a, %b : f32\n    %z = arith.constant 0.0 : f32\n"
                               "    %y = arith.maximumf %s, %z : f32\n    linalg.yield %y : f32",
                               out),
                   "%r", sizes});
  cases.push_back({"conv_strided", "%pad: tensor<$Bx$(H*2+1)x$(W*2+1)x$Cxf32>, %f: tensor<3x3x$Cx$Fxf32>", out,
                   filled("zero", "0.0", "f32", out) +
                       "  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, "
                       "strides = dense<2> : tensor<2xi64>} ins(%pad, %f : "
                       "tensor<$Bx$(H*2+1)x$(W*2+1)x$Cxf32>, tensor<3x3x$Cx$Fxf32>) outs(%zero : " +
                       out + ") -> " + out + "\n",
                   "%conv", sizes});
  cases.push_back({"conv_nchw", "%x: tensor<$Bx$Cx$(H+2)x$(W+2)xf32>, %f: tensor<$Fx$Cx3x3xf32>",
                   "tensor<$Bx$Fx$Hx$Wxf32>",
                   filled("zero", "0.0", "f32", "tensor<$Bx$Fx$Hx$Wxf32>") +
                       "  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, "
                       "strides = dense<1> : tensor<2xi64>} ins(%x, %f : "
                       "tensor<$Bx$Cx$(H+2)x$(W+2)xf32>, tensor<$Fx$Cx3x3xf32>) outs(%zero : "
                       "tensor<$Bx$Fx$Hx$Wxf32>) -> tensor<$Bx$Fx$Hx$Wxf32>\n",
                   "%conv", sizes});
  cases.push_back({"depthwise", "%x: " + padded + ", %f: tensor<3x3x$Cxf32>", image,
                   filled("zero", "0.0", "f32", image) +
                       "  %conv = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : "
                       "tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %f : " +
                       padded + ", tensor<3x3x$Cxf32>) outs(%zero : " + image + ") -> " + image + "\n",
                   "%conv", sizes});
  cases.push_back({"max_pool", "%x: " + padded, image,
                   filled("low", "0xFF800000", "f32", image) + empty("window", "tensor<3x3xf32>") +
                       "  %pool = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, "
                       "strides = dense<1> : tensor<2xi64>} ins(%x, %window : " +
                       padded + ", tensor<3x3xf32>) outs(%low : " + image + ") -> " + image + "\n",
                   "%pool", sizes});
  cases.push_back({"pad_sides",
                   "%x: tensor<$Mx$Nxf32>, %v: f32",
                   "tensor<$(M+5)x$(N+3)xf32>",
                   "  %r = tensor.pad %x low[2, 0] high[3, 3] {\n  ^bb0(%i: index, %j: index):\n"
                   "    tensor.yield %v : f32\n  } : tensor<$Mx$Nxf32> to tensor<$(M+5)x$(N+3)xf32>\n",
                   "%r",
                   {}});
  cases.push_back({"pad_by_index",
                   "%x: tensor<$Mx$Nxi32>",
                   "tensor<$(M+1)x$(N+2)xi32>",
                   "  %r = tensor.pad %x low[1, 0] high[0, 2] {\n  ^bb0(%i: index, %j: index):\n"
                   "    %s = arith.addi %i, %j : index\n    %c = arith.index_cast %s : index to i32\n"
                   "    tensor.yield %c : i32\n  } : tensor<$Mx$Nxi32> to tensor<$(M+1)x$(N+2)xi32>\n",
                   "%r",
                   {}});
  cases.push_back(
      {"sum_of_neighbours",
       "%x: tensor<$(N+2)xf32>",
       "tensor<$Nxf32>",
       empty("e", "tensor<$(N+2)xf32>") +
           generic("%sq", "#i1, #i1", "p", "%x : tensor<$(N+2)xf32>", "%e : tensor<$(N+2)xf32>", "%a: f32, %o: f32",
                   "%y = arith.mulf %a, %a : f32\n    linalg.yield %y : f32", "tensor<$(N+2)xf32>") +
           filled("z", "0.0", "f32", "tensor<$Nxf32>") + empty("window", "tensor<3xf32>") +
           generic("%r", "affine_map<(d0, d1) -> (d0 + d1)>, #c2, #r2", "pr",
                   "%sq, %window : tensor<$(N+2)xf32>, tensor<3xf32>", "%z : tensor<$Nxf32>",
                   "%a: f32, %w: f32, %o: f32", addf, "tensor<$Nxf32>"),
       "%r",
       {{'N', {1, 5, 64, 127, 1000, 2048}}}});
  return cases;
}

static std::vector<DispatchCase> elementwise() {
  std::vector<DispatchCase> cases;
  std::string x = "%x: tensor<$Mx$Nxf32>";
  cases.push_back({"add_rows",
                   x + ", %b: tensor<$Nxf32>",
                   "tensor<$Mx$Nxf32>",
                   empty("e", "tensor<$Mx$Nxf32>") +
                       generic("%r", "#i2, #c2, #i2", "pp", "%x, %b : tensor<$Mx$Nxf32>, tensor<$Nxf32>",
                               "%e : tensor<$Mx$Nxf32>", "%a: f32, %c: f32, %o: f32",
                               "%y = arith.addf %a, %c : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>"),
                   "%r",
                   {{'N', {1, 7, 64, 1021, 2053, 4096}}}});
  cases.push_back(
      {"transpose", x, "tensor<$Nx$Mxf32>", transposed("r", "%x", "tensor<$Mx$Nxf32>", "tensor<$Nx$Mxf32>"), "%r", {}});
  cases.push_back({"transpose_named",
                   "%x: tensor<$Mx$Nx$Bxf32>",
                   "tensor<$Bx$Mx$Nxf32>",
                   empty("e", "tensor<$Bx$Mx$Nxf32>") +
                       "  %r = linalg.transpose ins(%x : tensor<$Mx$Nx$Bxf32>) outs(%e : "
                       "tensor<$Bx$Mx$Nxf32>) permutation = [2, 0, 1]\n",
                   "%r",
                   {{'B', {1, 3, 8}}}});
  cases.push_back(
      {"swap_heads",
       "%x: tensor<1x$Mx$Bx$Nxf32>",
       "tensor<1x$Bx$Mx$Nxf32>",
       empty("e", "tensor<1x$Bx$Mx$Nxf32>") + generic("%r", "#bacd4, #i4", "pppp", "%x : tensor<1x$Mx$Bx$Nxf32>",
                                                      "%e : tensor<1x$Bx$Mx$Nxf32>", "%a: f32, %o: f32",
                                                      "linalg.yield %a : f32", "tensor<1x$Bx$Mx$Nxf32>"),
       "%r",
       {{'B', {1, 2, 12}}}});
  cases.push_back({"broadcast_named",
                   "%b: tensor<$Nxf32>",
                   "tensor<$Mx$Nxf32>",
                   empty("e", "tensor<$Mx$Nxf32>") +
                       "  %r = linalg.broadcast ins(%b : tensor<$Nxf32>) outs(%e : tensor<$Mx$Nxf32>) "
                       "dimensions = [0]\n",
                   "%r",
                   {}});
  cases.push_back(
      {"gather",
       "%t: tensor<$Kx$Nxf32>, %i: tensor<$Mxi32>",
       "tensor<$Mx$Nxf32>",
       empty("e", "tensor<$Mx$Nxf32>") + generic("%r", "#r2, #i2", "pp", "%i : tensor<$Mxi32>",
                                                 "%e : tensor<$Mx$Nxf32>", "%a: i32, %o: f32",
                                                 "%n = arith.constant $K : i32\n    %q = arith.remui %a, %n : i32\n"
                                                 "    %1 = arith.index_cast %q : i32 to index\n"
                                                 "    %2 = linalg.index 1 : index\n"
                                                 "    %y = tensor.extract %t[%1, %2] : tensor<$Kx$Nxf32>\n"
                                                 "    linalg.yield %y : f32",
                                                 "tensor<$Mx$Nxf32>"),
       "%r",
       {}});
  cases.push_back(
      {"gather_of_computed",
       "%t: tensor<$Kxf32>, %i: tensor<$Mxi32>",
       "tensor<$Mxf32>",
       empty("e_k", "tensor<$Kxf32>") +
           generic("%sq", "#i1, #i1", "p", "%t : tensor<$Kxf32>", "%e_k : tensor<$Kxf32>", "%a: f32, %o: f32",
                   "%y = arith.mulf %a, %a : f32\n    linalg.yield %y : f32", "tensor<$Kxf32>") +
           empty("e", "tensor<$Mxf32>") +
           generic("%r", "#i1, #i1", "p", "%i : tensor<$Mxi32>", "%e : tensor<$Mxf32>", "%a: i32, %o: f32",
                   "%n = arith.constant $K : i32\n    %q = arith.remui %a, %n : i32\n"
                   "    %1 = arith.index_cast %q : i32 to index\n"
                   "    %y = tensor.extract %sq[%1] : tensor<$Kxf32>\n    linalg.yield %y : f32",
                   "tensor<$Mxf32>"),
       "%r",
       {}});
  cases.push_back({"two_results",
                   x,
                   "tensor<$Mx$Nxf32>, tensor<$Mx$Nxi1>",
                   empty("e", "tensor<$Mx$Nxf32>") + empty("f", "tensor<$Mx$Nxi1>") +
                       "  %r:2 = linalg.generic {indexing_maps = [#i2, #i2, #i2], iterator_types = "
                       "[\"parallel\", \"parallel\"]} ins(%x : tensor<$Mx$Nxf32>) outs(%e, %f : "
                       "tensor<$Mx$Nxf32>, tensor<$Mx$Nxi1>) {\n  ^bb0(%a: f32, %o: f32, %p: i1):\n"
                       "    %z = arith.constant 0.0 : f32\n    %g = arith.cmpf ogt, %a, %z : f32\n"
                       "    %n = arith.negf %a : f32\n    linalg.yield %n, %g : f32, i1\n  } -> "
                       "(tensor<$Mx$Nxf32>, tensor<$Mx$Nxi1>)\n",
                   "%r#0, %r#1",
                   {}});
  cases.push_back({"two_dispatch_results",
                   x + ", %w: tensor<$Mx$Nxf32>",
                   "tensor<$Mx$Nxf32>, tensor<$Nx$Mxf32>",
                   empty("e", "tensor<$Mx$Nxf32>") +
                       generic("%s", "#i2, #i2, #i2", "pp", "%x, %w : tensor<$Mx$Nxf32>, tensor<$Mx$Nxf32>",
                               "%e : tensor<$Mx$Nxf32>", "%a: f32, %b: f32, %o: f32",
                               "%y = arith.addf %a, %b : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>") +
                       transposed("r", "%s", "tensor<$Mx$Nxf32>", "tensor<$Nx$Mxf32>"),
                   "%s, %r",
                   {}});
  cases.push_back(
      {"siblings",
       x,
       "tensor<$Mx$Nxf32>, tensor<$Mx$Nxf32>",
       empty("e", "tensor<$Mx$Nxf32>") +
           generic("%s", "#i2, #i2", "pp", "%x : tensor<$Mx$Nxf32>", "%e : tensor<$Mx$Nxf32>", "%a: f32, %o: f32",
                   "%y = arith.mulf %a, %a : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>") +
           generic("%p", "#i2, #i2", "pp", "%s : tensor<$Mx$Nxf32>", "%e : tensor<$Mx$Nxf32>", "%a: f32, %o: f32",
                   "%y = math.absf %a : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>") +
           generic("%q", "#i2, #i2", "pp", "%s : tensor<$Mx$Nxf32>", "%e : tensor<$Mx$Nxf32>", "%a: f32, %o: f32",
                   "%y = arith.negf %a : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>"),
       "%p, %q",
       {}});
  cases.push_back(
      {"reshaped_between",
       x,
       "tensor<$Mx$Nxf32>",
       empty("e", "tensor<$Mx$Nxf32>") +
           generic("%s", "#i2, #i2", "pp", "%x : tensor<$Mx$Nxf32>", "%e : tensor<$Mx$Nxf32>", "%a: f32, %o: f32",
                   "%y = arith.mulf %a, %a : f32\n    linalg.yield %y : f32", "tensor<$Mx$Nxf32>") +
           "  %c = tensor.collapse_shape %s [[0, 1]] : tensor<$Mx$Nxf32> into tensor<$(M*N)xf32>\n" +
           empty("f", "tensor<$(M*N)xf32>") +
           generic("%n", "#i1, #i1", "p", "%c : tensor<$(M*N)xf32>", "%f : tensor<$(M*N)xf32>", "%a: f32, %o: f32",
                   "%y = arith.negf %a : f32\n    linalg.yield %y : f32", "tensor<$(M*N)xf32>") +
           "  %r = tensor.expand_shape %n [[0, 1]] output_shape [$M, $N] : "
           "tensor<$(M*N)xf32> into tensor<$Mx$Nxf32>\n",
       "%r",
       {}});
  cases.push_back({"fill_only", "", "tensor<$Mx$Nxi8>", filled("r", "7", "i8", "tensor<$Mx$Nxi8>"), "%r", {}});
  cases.push_back(
      {"iota",
       "",
       "tensor<$Mx$Nxindex>",
       empty("e", "tensor<$Mx$Nxindex>") + generic("%r", "#i2", "pp", "", "%e : tensor<$Mx$Nxindex>", "%o: index",
                                                   "%1 = linalg.index 0 : index\n    %2 = linalg.index 1 : index\n"
                                                   "    %y = arith.muli %1, %2 : index\n    linalg.yield %y : index",
                                                   "tensor<$Mx$Nxindex>"),
       "%r",
       {}});
  cases.push_back({"scalar_op",
                   "%s: tensor<f32>, %t: tensor<f32>",
                   "tensor<f32>",
                   empty("e", "tensor<f32>") +
                       generic("%r", "affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>", "",
                               "%s, %t : tensor<f32>, tensor<f32>", "%e : tensor<f32>", "%a: f32, %b: f32, %o: f32",
                               "%y = arith.addf %a, %b : f32\n    linalg.yield %y : f32", "tensor<f32>"),
                   "%r",
                   {}});
  cases.push_back({"rank6",
                   "%x: tensor<$Ax$Bx$Cx$Dx$Ex$Fxf32>",
                   "tensor<$Ax$Cx$Bx$Dx$Ex$Fxf32>",
                   empty("e", "tensor<$Ax$Cx$Bx$Dx$Ex$Fxf32>") +
                       "  %r = linalg.transpose ins(%x : tensor<$Ax$Bx$Cx$Dx$Ex$Fxf32>) outs(%e : "
                       "tensor<$Ax$Cx$Bx$Dx$Ex$Fxf32>) permutation = [0, 2, 1, 3, 4, 5]\n",
                   "%r",
                   {{'A', {1, 2}}, {'B', {2, 3}}, {'C', {1, 4}}, {'D', {2, 5}}, {'E', {3, 8}}, {'F', {1, 40, 1031}}}});
  for (const char *type : {"bf16", "f16", "f64"}) {
    std::string t = type;
    cases.push_back(
        {"double_" + t,
         "%x: tensor<$Mx$Nx" + t + ">",
         "tensor<$Mx$Nx" + t + ">",
         empty("e", "tensor<$Mx$Nx" + t + ">") +
             generic("%r", "#i2, #i2", "pp", "%x : tensor<$Mx$Nx" + t + ">", "%e : tensor<$Mx$Nx" + t + ">",
                     "%a: " + t + ", %o: " + t, "%y = arith.addf %a, %a : " + t + "\n    linalg.yield %y : " + t,
                     "tensor<$Mx$Nx" + t + ">"),
         "%r",
         {}});
  }
  return cases;
}

std::vector<DispatchCase> dispatchCases() {
  std::vector<DispatchCase> all;
  for (auto part : {contractionCases(), reductionCases(), windows(), elementwise()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

} // namespace fuselage::test
