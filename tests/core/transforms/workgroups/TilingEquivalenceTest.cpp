// The tensor passes keep what a dispatch computes, whatever its kind and sizes.
#include "core/registration/Registration.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "tests/support/DispatchCases.h"
#include "tests/support/Draws.h"
#include "tests/support/PassEquivalence.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

/// What the user can choose.
struct Choices {
  std::vector<int64_t> tileSizes;
  int64_t maxWorkgroupBytes = 31744;
  bool sharesReductions = false; ///< products ask for workgroups that share them
};

/// Asks, on every op that takes such, for parts of one iteration to half of each reduction.
struct AskForSplits : PassWrapper<AskForSplits, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AskForSplits)
  explicit AskForSplits(unsigned seed) : random(randomOf(seed, 1)) {}
  void runOnOperation() override {
    getOperation()->walk([&](linalg::LinalgOp op) {
      SmallVector<int64_t> parts;
      for (auto [range, iterator] : llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
        bool isShared = iterator == utils::IteratorType::reduction && range > 1;
        parts.push_back(isShared ? largestDivisor(range, 1 + int64_t(random() % (range / 2))) : 0);
      }
      writeTilingConfig(op, {.workgroup = {}, .reduction = {}, .host = {}, .split = parts});
    });
  }
  std::mt19937 random;
};

void addTensorPasses(OpPassManager &passes, const Choices &choices, unsigned seed) {
  OpPassManager &functions = passes.nest<func::FuncOp>();
  if (choices.sharesReductions)
    functions.addPass(std::make_unique<AskForSplits>(seed));
  TileToWorkgroupsPassOptions tiling;
  tiling.tileSizes.assign(choices.tileSizes.begin(), choices.tileSizes.end());
  tiling.maxWorkgroupBytes = choices.maxWorkgroupBytes;
  functions.addPass(createTileToWorkgroupsPass(tiling));
  functions.addPass(createFuseProducersPass());
  functions.addPass(createTileReductionsPass());
  PromoteOperandsPassOptions promotion;
  promotion.maxWorkgroupBytes = choices.maxWorkgroupBytes;
  functions.addPass(createPromoteOperandsPass(promotion));
  functions.addPass(createSwapAllocTensorPass());
}

/// What is wrong with the form of the result; empty if nothing is.
std::string checkForm(ModuleOp module) {
  std::string problem = "no dispatch was found";
  module.walk([&](func::FuncOp function) {
    forEachDispatchBody(function, [&](Block &body) {
      problem = body.getOps<scf::ForallOp>().empty() ? "no loop over workgroups" : "";
      for (Operation &op : body)
        if (asTileable(&op))
          problem = "an op stays outside of the loops over workgroups: " + op.getName().getStringRef().str();
      for (auto forall : body.getOps<scf::ForallOp>())
        if (!forall.isNormalized() || !forall.getMapping())
          problem = "a loop over workgroups is not normalized or not mapped";
    });
  });
  return problem;
}

/// Arbitrary tiles for the parallel loops of the last root of `source`; none if it is rewritten
/// before it is tiled.
std::vector<int64_t> anyTileSizes(llvm::StringRef source, std::mt19937 &random) {
  Session session(allDialects());
  std::vector<int64_t> sizes;
  auto module = session.parse(source, "dispatch.mlir");
  if (!module) {
    llvm::consumeError(module.takeError());
    return sizes;
  }
  forEachDispatchBody((*module)->lookupSymbol<func::FuncOp>("dispatch"), [&](Block &body) {
    std::vector<KernelPlan> plans = planKernels(body, *strategyFor(DeviceModel()));
    if (plans.empty())
      return;
    TilingInterface root = plans.back().root;
    for (auto [range, iterator] : llvm::zip(loopRanges(root), root.getLoopIteratorTypes()))
      sizes.push_back(iterator == utils::IteratorType::parallel ? random() % (range + 2) : 0);
  });
  return sizes;
}

class Tiling : public testing::TestWithParam<DispatchCase> {
protected:
  bool anyIsShared = false; ///< a reduction, by workgroups, after some draw

  /// Draws, runs and compares; `choose` picks what is left to the user.
  void check(unsigned count, llvm::function_ref<Choices(llvm::StringRef, std::mt19937 &)> choose) {
    for (unsigned draw = 0; draw < count && !HasFailure(); ++draw) {
      std::mt19937 random = randomOf(draw, std::hash<std::string>()(GetParam().name));
      Session session(allDialects());
      DispatchForm form = draw % 2 ? DispatchForm::Region : DispatchForm::Function;
      std::string source = instantiate(GetParam(), form, random);
      Choices choices = choose(source, random);
      Equivalence outcome = checkEquivalence(
          session, source, [&](OpPassManager &passes) { addTensorPasses(passes, choices, draw); }, draw, {}, checkForm);
      EXPECT_EQ(outcome.problem, "") << "tile sizes " << testing::PrintToString(choices.tileSizes) << ", "
                                     << choices.maxWorkgroupBytes << " bytes\n"
                                     << source << "\nbecame\n"
                                     << outcome.after;
      anyIsShared |= llvm::StringRef(outcome.after).contains("fuselage.splits");
    }
  }
};

TEST_P(Tiling, KeepsWhatIsComputed) {
  check(draws(2), [](llvm::StringRef, std::mt19937 &) { return Choices(); });
}

TEST_P(Tiling, KeepsWhatIsComputedWithAnyTiles) {
  check(draws(2), [](llvm::StringRef source, std::mt19937 &random) {
    return Choices{.tileSizes = anyTileSizes(source, random)};
  });
}

TEST_P(Tiling, KeepsWhatIsComputedWhereWorkgroupsShareReductions) {
  check(draws(2), [](llvm::StringRef, std::mt19937 &) { return Choices{.tileSizes = {}, .sharesReductions = true}; });
  EXPECT_TRUE(anyIsShared || GetParam().name != "matmul");
}

TEST_P(Tiling, KeepsWhatIsComputedWithLittleMemory) {
  check(draws(1), [](llvm::StringRef, std::mt19937 &random) {
    return Choices{.tileSizes = {}, .maxWorkgroupBytes = int64_t(random() % 3000)};
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, Tiling, testing::ValuesIn(dispatchCases()),
                         [](const auto &info) { return info.param.name; });

} // namespace
