#include "tests/core/reduce/FaultyPlugin.h"

namespace fuselage::test {
namespace {

/// Layers of a product, a bias, a scaled difference, a norm by the largest of each row, and a residual, all of one
/// size.
std::string network(unsigned layers, unsigned size) {
  const std::string n = std::to_string(size), t = "tensor<" + n + "x" + n + "xf32>", r = "tensor<" + n + "xf32>";
  std::string text = R"(
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: T, %w: T, %b: R) -> T {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -1.0e+30 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : T
  %er = tensor.empty() : R
  %rows = linalg.fill ins(%lowest : f32) outs(%er : R) -> R
  %acc = linalg.fill ins(%zero : f32) outs(%e : T) -> T
)";
  std::string last = "x";
  for (unsigned layer = 0; layer < layers; ++layer) {
    std::string part = R"(
  %m@ = linalg.matmul ins(%LAST, %w : T, T) outs(%acc : T) -> T
  %a@ = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m@, %b : T, R) outs(%e : T) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> T
  %d@ = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a@, %LAST : T, T) outs(%e : T) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %h = arith.mulf %q, %half : f32
    %s = arith.subf %p, %h : f32
    linalg.yield %s : f32
  } -> T
  %r@ = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%d@ : T) outs(%rows : R) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.maximumf %p, %o : f32
    linalg.yield %s : f32
  } -> R
  %n@ = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d@, %r@ : T, R) outs(%e : T) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %v = math.exp %q : f32
    %s = arith.divf %p, %v : f32
    linalg.yield %s : f32
  } -> T
)";
    for (auto [from, to] : {std::pair<std::string, std::string>{"@", std::to_string(layer)}, {"LAST", last}})
      for (size_t at = 0; (at = part.find(from, at)) != std::string::npos; at += to.size())
        part.replace(at, from.size(), to);
    text += part;
    last = "n" + std::to_string(layer);
  }
  text += "  return %" + last + " : T\n}\n";
  for (auto [from, to] : {std::pair<std::string, std::string>{": T", ": " + t},
                          {": R", ": " + r},
                          {"-> T", "-> " + t},
                          {"-> R", "-> " + r},
                          {", T", ", " + t},
                          {", R", ", " + r}})
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

struct Seed {
  const char *file;  ///< a sample; empty: network()
  unsigned layers;   ///< of that
  const char *fault; ///< options of the pass
};

/// Faults of all kinds in modules of 20 to 144 ops.
const Seed kSeeds[] = {
    {"bert_attention", 0, "wrong=sign on=arith.addf"},
    {"bert_attention", 0, "wrong=dropped on=arith.divf"},
    {"softmax", 0, "wrong=sign on=arith.divf"},
    {"softmax", 0, "wrong=order on=arith.subf"},
    {"softmax", 0, "wrong=index on=arith.divf"},
    {"softmax", 0, "wrong=one-size size=12 on=arith.divf"},
    {"mlp_gelu", 0, "wrong=sign on=arith.mulf"},
    {"conv_bias_relu", 0, "wrong=sign on=arith.addf"},
    {"int4_dequant_matmul_small", 0, "wrong=constant on=arith.mulf"},
    {"batch_matmul", 0, "wrong=dropped on=arith.mulf"},
    {"", 1, "wrong=sign on=arith.subf"},
    {"", 2, "wrong=order on=arith.subf"},
    {"", 3, "wrong=precision on=arith.subf"},
    {"", 1, "wrong=precision on=arith.divf"},
    {"", 2, "wrong=dropped on=arith.subf of=arith.mulf"},
    {"", 4, "wrong=constant on=arith.mulf"},
    {"", 2, "wrong=index on=arith.addf"},
    {"", 3, "wrong=one-size size=20 on=arith.addf"},
    {"", 4, "wrong=order on=arith.divf of=math.exp"},
    {"", 4, "wrong=one-size size=20 on=arith.maximumf"},
};

class ReduceResults : public testing::TestWithParam<Seed> {};

TEST_P(ReduceResults, KeepsTheWrongResults) {
  const Seed &seed = GetParam();
  Reduced reduced;
  reduced.open(*seed.file ? reduced.session.open(sample(seed.file))
                          : reduced.session.parse(network(seed.layers, 20), "network.mlir"));
  EXPECT_GE(countOpsIn(*reduced.module), 8u);
  reduced.run("canonicalize,cse,faulty-rewrite{" + std::string(seed.fault) + "},canonicalize");
  ASSERT_EQ(reduced.error, "");
  EXPECT_LE(reduced.reduction.opsAfter, 10u) << reduced.text();
  EXPECT_EQ(reduced.reduction.passes.size(), 1u);
  // What says how the pass is wrong stays.
  for (llvm::StringRef option : llvm::split(seed.fault, ' '))
    if (option.starts_with("wrong=") && option != "wrong=sign") // which is the default
      EXPECT_TRUE(llvm::StringRef(reduced.pipeline()).contains(option)) << reduced.pipeline();
  std::printf("%u ops of %u, %u cuts tried\n%s%s\n", reduced.reduction.opsAfter, reduced.reduction.opsBefore,
              reduced.reduction.tried, reduced.text().c_str(), reduced.pipeline().c_str());
}

TEST(ReduceOptions, KeepTheRewriteToBlame) {
  Reduced reduced;
  reduced.open(reduced.session.parse(network(3, 20), "network.mlir"));
  reduced.run("faulty-rewrite{wrong=dropped on=arith.subf from=2}");
  ASSERT_EQ(reduced.error, "");
  EXPECT_LE(reduced.reduction.opsAfter, 10u) << reduced.text();
  // Without `from`, another pattern of the pass is wrong in the same way.
  EXPECT_TRUE(llvm::StringRef(reduced.pipeline()).contains("from=0")) << reduced.pipeline();
  EXPECT_TRUE(llvm::StringRef(reduced.pipeline()).contains("wrong=dropped")) << reduced.pipeline();
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReduceResults, testing::ValuesIn(kSeeds));

} // namespace
} // namespace fuselage::test
