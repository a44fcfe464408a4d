// The tensor passes keep what a dispatch computes, whatever its kind and sizes.
#include "../../support/DispatchCases.h"
#include "../../support/PassEquivalence.h"
#include "core/transforms/DispatchBody.h"
#include "core/transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

void addTensorPasses(OpPassManager &passes) {
  OpPassManager &functions = passes.nest<func::FuncOp>();
  functions.addPass(createTileToWorkgroupsPass());
  functions.addPass(createFuseProducersPass());
  functions.addPass(createTileReductionsPass());
  functions.addPass(createPromoteOperandsPass());
}

/// What is wrong with the form of the result; empty if nothing is.
std::string checkForm(ModuleOp module) {
  std::string problem;
  module.walk([&](func::FuncOp function) {
    forEachDispatchBody(function, [&](Block &body) {
      for (Operation &op : body)
        if (asTileable(&op))
          problem = "an op stays outside of the loops over workgroups: " +
                    op.getName().getStringRef().str();
      for (auto forall : body.getOps<scf::ForallOp>())
        if (!forall.isNormalized() || !forall.getMapping())
          problem = "a loop over workgroups is not normalized or not mapped";
    });
  });
  return problem;
}

class Tiling : public testing::TestWithParam<DispatchCase> {};

TEST_P(Tiling, KeepsWhatIsComputed) {
  const char *asked = std::getenv("FUSELAGE_TEST_DRAWS");
  int draws = asked ? std::atoi(asked) : 2;
  for (int draw = 0; draw < draws; ++draw) {
    std::mt19937 random(draw * 7919 + std::hash<std::string>()(GetParam().name) % 1000);
    Session session;
    DispatchForm form = draw % 2 ? DispatchForm::Region : DispatchForm::Function;
    std::string source = instantiate(GetParam(), form, random);
    Equivalence outcome = checkEquivalence(session, source, addTensorPasses, draw,
                                           GetParam().tolerance, {}, checkForm);
    EXPECT_EQ(outcome.problem, "") << source << "\nbecame\n" << outcome.after;
    if (HasFailure())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Tiling, testing::ValuesIn(dispatchCases()),
                         [](const auto &info) { return info.param.name; });

} // namespace
