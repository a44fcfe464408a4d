// A small encoder as exporters write it: named weights, layers, a residual around each.
#pragma once
#include "core/ir/ops/ValueNames.h"
#include "tests/core/graph/TestModules.h"
#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace fuselage::test {

/// Values are called as in the text, as they are of files.
struct ParsedWithNames : Parsed {
  explicit ParsedWithNames(const std::string &text) : Parsed(text) { keepValueNames(*module, text, "test.mlir"); }
};

/// Of each layer a matmul with `attention.query.weight` and a bias, a tanh, a matmul with `mlp.fc.weight`, and the sum
/// with what came in; before all an embedding of `embed.weight`, after it a matmul with `head.weight`.
/// `named`: the weights say their names, and a prefix that all share.
inline std::string namedModel(unsigned layers, bool named = true) {
  std::string arguments = "%x: tensor<8x16xf32>", body;
  auto weight = [&](const std::string &name, const std::string &key, const char *type) {
    arguments += llvm::formatv(", %{0}: {1}", name, type);
    if (named)
      arguments += " {fuselage.parameter = \"model::_orig_mod.m." + key + "\"}";
  };
  auto matmul = [&](const std::string &to, const std::string &from, const std::string &by) {
    body += llvm::formatv("  %f{0} = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>\n"
                          "  %{0} = linalg.matmul ins(%{1}, %{2} : tensor<8x16xf32>, tensor<16x16xf32>) "
                          "outs(%f{0} : tensor<8x16xf32>) -> tensor<8x16xf32>\n",
                          to, from, by);
  };
  auto add = [&](const std::string &to, const std::string &a, const std::string &b) {
    body += llvm::formatv("  %{0} = linalg.add ins(%{1}, %{2} : tensor<8x16xf32>, tensor<8x16xf32>) "
                          "outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>\n",
                          to, a, b);
  };
  weight("we", "embed.weight", "tensor<16x16xf32>");
  matmul("h0", "x", "we");
  for (unsigned l = 0; l < layers; ++l) {
    std::string n = std::to_string(l), prefix = "encoder.layer." + n + ".";
    weight("wq" + n, prefix + "attention.query.weight", "tensor<16x16xf32>");
    weight("bq" + n, prefix + "attention.query.bias", "tensor<8x16xf32>");
    weight("wt" + n, prefix + "mlp.fc.weight", "tensor<16x16xf32>");
    matmul("q" + n, "h" + n, "wq" + n);
    add("qb" + n, "q" + n, "bq" + n);
    body += llvm::formatv(
        "  %t{0} = linalg.tanh ins(%qb{0} : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>\n", n);
    body += llvm::formatv("  %i{0} = tensor.empty() : tensor<16x16xf32>\n"
                          "  %wtt{0} = linalg.transpose ins(%wt{0} : tensor<16x16xf32>) outs(%i{0} : "
                          "tensor<16x16xf32>) permutation = [1, 0]\n",
                          n);
    matmul("m" + n, "t" + n, "wtt" + n);
    add("h" + std::to_string(l + 1), "m" + n, "h" + n);
  }
  weight("wh", "head.weight", "tensor<16x16xf32>");
  matmul("out", "h" + std::to_string(layers), "wh");
  return "func.func @main(" + arguments +
         ") -> tensor<8x16xf32> {\n  %zero = arith.constant 0.0 : f32\n"
         "  %e = tensor.empty() : tensor<8x16xf32>\n" +
         body + "  return %out : tensor<8x16xf32>\n}\n";
}

} // namespace fuselage::test
