// What a consumer reads twice is computed once: payloads grow as the ops that they are made of, not as the
// ways through them.
#include "core/interfaces/IndexFacts.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "tests/support/PassEquivalence.h"
#include <gtest/gtest.h>
#include <string>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

constexpr const char *kSquare = "tensor<4x4xf32>";

/// Each op adds the one before it to itself.
std::string selfAdds(unsigned ops, bool isTransposed) {
  std::string type = kSquare;
  std::string text = "#id = affine_map<(d0, d1) -> (d0, d1)>\n#swap = affine_map<(d0, d1) -> (d1, d0)>\n"
                     "func.func @dispatch(%x0: " +
                     type + ") -> " + type + " {\n  %e = tensor.empty() : " + type + "\n";
  for (unsigned i = 0; i < ops; ++i) {
    std::string from = "%x" + std::to_string(i), to = "%x" + std::to_string(i + 1);
    std::string ins = "ins(" + from + ", " + from + " : " + type + ", " + type + ") outs(%e : " + type + ")";
    text += isTransposed ? "  " + to +
                               " = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = "
                               "[\"parallel\", \"parallel\"]} " +
                               ins +
                               " {\n  ^bb0(%a: f32, %b: f32, %o: f32):\n"
                               "    %s = arith.addf %a, %b : f32\n    linalg.yield %s : f32\n  } -> " +
                               type + "\n"
                         : "  " + to + " = linalg.add " + ins + " -> " + type + "\n";
  }
  return text + "  return %x" + std::to_string(ops) + " : " + type + "\n}\n";
}

struct Growth {
  unsigned linalgOps = 0, additions = 0;
};

Growth fuse(const std::string &source, const std::string &pipeline) {
  Session session(allDialects());
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &session.context());
  EXPECT_TRUE(module) << source;
  llvm::Error error = runPipeline(*module, "builtin.module(func.func(" + pipeline + "))");
  EXPECT_FALSE(error) << llvm::toString(std::move(error));
  Growth growth;
  module->walk([&](Operation *op) {
    growth.linalgOps += isa<linalg::LinalgOp>(op);
    growth.additions += isa<arith::AddFOp>(op);
  });
  return growth;
}

class BodyGrowth : public testing::TestWithParam<const char *> {};

TEST_P(BodyGrowth, OfSelfAddsIsLinear) {
  for (unsigned ops : {22u, 200u}) {
    Growth growth = fuse(selfAdds(ops, false), GetParam());
    EXPECT_EQ(growth.linalgOps, 1u);
    EXPECT_EQ(growth.additions, ops);
  }
}

TEST_P(BodyGrowth, OfTransposedSelfAddsIsBounded) {
  for (unsigned ops : {22u, 200u}) {
    Growth growth = fuse(selfAdds(ops, true), GetParam());
    EXPECT_LE(growth.additions, 4 * ops);
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, BodyGrowth, testing::Values("fuselage-fuse-elementwise", "fuselage-fuse-all"),
                         [](const auto &info) {
                           return std::string(info.param).find("all") == std::string::npos ? "Elementwise" : "All";
                         });

TEST(BodyGrowth, IsBounded) {
  Growth growth = fuse(selfAdds(1500, false), "fuselage-fuse-elementwise");
  EXPECT_EQ(growth.linalgOps, 2u);
  EXPECT_EQ(growth.additions, 1500u);
}

TEST(BodyGrowth, KeepsWhatSelfAddsCompute) {
  for (bool isTransposed : {false, true}) {
    Session session(allDialects());
    Equivalence outcome = checkEquivalence(
        session, selfAdds(9, isTransposed),
        [&](OpPassManager &passes) {
          ASSERT_TRUE(succeeded(parsePassPipeline("func.func(fuselage-fuse-all)", passes)));
        },
        1);
    EXPECT_EQ(outcome.problem, "") << outcome.after;
  }
}

/// Eight operands of eight operands ..., sixteen levels deep: each index is looked at once.
TEST(IndexFacts, AreFoundInLinearTime) {
  std::string text = "func.func @f(%n: index) -> index {\n  %x0 = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%n]\n";
  for (unsigned i = 1; i <= 15; ++i) {
    std::string last = "%x" + std::to_string(i - 1), operands = last;
    for (int j = 1; j < 8; ++j)
      operands += ", " + last;
    text += "  %x" + std::to_string(i) +
            " = affine.apply affine_map<()[a, b, c, d, e, f, g, h] -> (a + b + c + d + e + f + g + h)>()[" + operands +
            "]\n";
  }
  text += "  return %x15 : index\n}\n";
  Session session(allDialects());
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &session.context());
  ASSERT_TRUE(module) << text;
  auto function = cast<func::FuncOp>(module->getBody()->front());
  Value last = function.getBody().front().getTerminator()->getOperand(0);
  EXPECT_EQ(knownDivisor(OpFoldResult(last)), 8);
}

} // namespace
