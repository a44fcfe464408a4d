// What is planned for a few of many equal layers is what is planned for all of them.
#include "core/analysis/fusion/FuseAll.h"
#include "core/ir/Session.h"
#include "core/ir/ops/ValueNames.h"
#include "core/registration/Registration.h"
#include "tests/support/LayeredModel.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

/// With names and locations: passes, views and saved files go by both.
std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, withValueNames(OpPrintingFlags().enableDebugInfo(true).assumeVerified()));
  return text;
}

FuseAllResult fuse(ModuleOp module, FusionGoal goal, bool eachLayer) {
  auto result = fuseAll(module, {}, {.goal = goal, .eachLayer = eachLayer});
  EXPECT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  return std::move(*result);
}

TEST(FuseLayers, AreTheSameForAFewAndForAll) {
  unsigned shortCuts = 0, changed = 0;
  for (unsigned draw = 0; draw < 32 && !testing::Test::HasFailure(); ++draw) {
    LayeredModelOptions model{.layers = 26 + draw % 5, .returnsEach = draw % 3 == 1, .also = draw % 32};
    std::string source = layeredModel(model);
    Session session(allDialects());
    auto parsed = session.parse(source, "model.mlir");
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError());
    keepValueNames(**parsed, source, "model.mlir");
    std::string before = textOf(**parsed);
    FusionGoal goal = draw % 8 < 4 ? FusionGoal::All : FusionGoal::CleanUp;
    FuseAllResult few = fuse(**parsed, goal, /*eachLayer=*/false), all = fuse(**parsed, goal, true);
    EXPECT_EQ(textOf(**parsed), before) << "the module is not to be changed";
    EXPECT_EQ(few.steps.size(), all.steps.size()) << source;
    for (auto [one, other] : llvm::zip(few.steps, all.steps)) {
      EXPECT_EQ(one.pass, other.pass) << source;
      EXPECT_EQ(one.dispatches, other.dispatches) << source;
    }
    EXPECT_EQ(few.dropped, all.dropped) << source;
    EXPECT_EQ(few.before.dispatches, all.before.dispatches) << source;
    EXPECT_EQ(few.after.bytes, all.after.bytes) << source;
    EXPECT_EQ(textOf(*few.module), textOf(*all.module)) << source;
    shortCuts += bool(few.fewAfter);
    changed += !all.steps.empty();
  }
  EXPECT_GT(changed, 15u);
  EXPECT_GT(shortCuts, changed / 2);
}

/// A layer that differs leaves two runs. Five layers are too few to leave some out.
TEST(FuseLayers, SeveralRunsAndNone) {
  for (LayeredModelOptions model : {LayeredModelOptions{.layers = 80, .otherLayer = 40}, {.layers = 5}}) {
    Session session(allDialects());
    auto parsed = session.parse(layeredModel(model), "model.mlir");
    ASSERT_TRUE(static_cast<bool>(parsed));
    FuseAllResult few = fuse(**parsed, FusionGoal::All, /*eachLayer=*/false),
                  all = fuse(**parsed, FusionGoal::All, true);
    EXPECT_EQ(bool(few.fewAfter), model.otherLayer > 0);
    EXPECT_EQ(textOf(*few.module), textOf(*all.module));
  }
}

} // namespace
