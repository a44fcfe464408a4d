#include "tests/core/reduce/FaultyPlugin.h"

namespace fuselage::test {
namespace {

struct Seed {
  const char *file, *wrong, *on, *of;
};

/// Faults of all kinds in modules of 20 to 85 ops.
const Seed kSeeds[] = {
    {"bert_attention", "sign", "arith.addf", ""},
    {"bert_attention", "order", "arith.divf", ""},
    {"bert_attention", "precision", "arith.subf", ""},
    {"bert_attention", "dropped", "arith.divf", ""},
    {"bert_attention", "constant", "arith.divf", ""},
    {"bert_attention", "one-size", "arith.subf", ""},
    {"bert_attention", "index", "arith.subf", ""},
    {"bert_attention_16x512", "dropped", "arith.mulf", ""},
    {"bert_attention_16x512", "sign", "arith.subf", ""},
    {"softmax", "sign", "arith.divf", ""},
    {"softmax", "order", "arith.subf", ""},
    {"softmax", "index", "arith.divf", ""},
    {"softmax", "one-size", "arith.divf", ""},
    {"softmax", "precision", "arith.divf", ""},
    {"mlp_gelu", "sign", "arith.mulf", ""},
    {"mlp_gelu", "dropped", "arith.addf", "math.erf"},
    {"mlp_gelu", "constant", "arith.mulf", "arith.addf"},
    {"conv_bias_relu", "sign", "arith.addf", ""},
    {"matmul_transpose_bias", "dropped", "arith.addf", ""},
    {"batch_matmul", "constant", "arith.mulf", ""},
};

class ReduceResults : public testing::TestWithParam<Seed> {};

TEST_P(ReduceResults, KeepsTheWrongResults) {
  const Seed &seed = GetParam();
  Reduced reduced;
  reduced.open(reduced.session.open(sample(seed.file)));
  std::string pass = "faulty-rewrite{wrong=" + std::string(seed.wrong) + " on=" + seed.on;
  if (*seed.of)
    pass += " of=" + std::string(seed.of);
  reduced.run("canonicalize,cse," + pass + "},canonicalize");
  ASSERT_EQ(reduced.error, "");
  EXPECT_LE(reduced.reduction.opsAfter, 10u) << reduced.text();
  EXPECT_EQ(reduced.reduction.passes.size(), 1u);
  std::printf("%u ops of %u, %u cuts tried\n%s%s\n", reduced.reduction.opsAfter, reduced.reduction.opsBefore,
              reduced.reduction.tried, reduced.text().c_str(), reduced.pipeline().c_str());
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReduceResults, testing::ValuesIn(kSeeds));

} // namespace
} // namespace fuselage::test
