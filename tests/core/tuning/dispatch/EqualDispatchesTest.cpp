// One of equal dispatches is tuned: groups hold exactly those that are equal, and count their calls.
#include "core/tuning/dispatch/EqualDispatches.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "core/tuning/library/TunedLibrary.h"
#include "mlir/Support/DebugStringHelper.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/RandomChains.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace fuselage::tune;

namespace {

/// What a dispatch is, but for what it is called.
std::string textOf(mlir::func::FuncOp dispatch) {
  mlir::OwningOpRef<mlir::func::FuncOp> copy(dispatch.clone());
  copy->setName("f");
  for (mlir::NamedAttribute attribute : llvm::to_vector((*copy)->getDiscardableAttrs()))
    (*copy)->removeDiscardableAttr(attribute.getName());
  return mlir::debugString(*copy->getOperation());
}

/// The flat list: every dispatch is in one group, with what equals it, and every call is counted once.
void checkGroups(const RunProgram &program, const std::vector<EqualDispatches> &groups, const std::string &source) {
  std::map<std::string, mlir::func::FuncOp> byName;
  for (mlir::func::FuncOp dispatch : program.dispatches)
    byName[dispatch.getName().str()] = dispatch;
  std::set<std::string> texts;
  std::multiset<std::string> listed;
  unsigned calls = 0;
  for (const EqualDispatches &group : groups) {
    ASSERT_FALSE(group.functions.empty()) << source;
    EXPECT_EQ(mlir::func::FuncOp(group.first).getName(), group.functions.front()) << source;
    EXPECT_TRUE(texts.insert(textOf(group.first)).second) << "another group has the same\n" << source;
    for (const std::string &name : group.functions) {
      ASSERT_TRUE(byName.count(name)) << name << source;
      EXPECT_EQ(textOf(byName[name]), textOf(group.first)) << source;
      EXPECT_EQ(fingerprintOfDispatch(byName[name]), fingerprintOfDispatch(group.first)) << "the library knows it";
      listed.insert(name);
    }
    calls += group.calls;
  }
  EXPECT_EQ(listed.size(), byName.size()) << source;
  EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()).size(), byName.size()) << source;
  EXPECT_EQ(calls, program.dispatchCalls) << source;
}

/// A handful of ops, few of them equal.
std::string chain(std::mt19937 &random) {
  ChainOptions options;
  options.ops = 1 + static_cast<int>(random() % 5);
  return randomChain(options, random);
}

TEST(EqualDispatches, ExpandToTheFlatListOnRandomPrograms) {
  size_t dispatches = 0, groups = 0;
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 71);
    std::string source =
        draw % 2 == 0 ? layeredModel({.layers = 2 + draw % 5, .otherLayer = draw % 3, .also = unsigned(random() % 32)})
                      : chain(random);
    Session session(allDialects());
    auto module = session.parse(source, "model.mlir");
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError()) << source;
    std::vector<Diagnostic> remarks;
    auto program = formRunProgram(std::move(*module), draw % 2 == 0 ? "main" : "dispatch", remarks);
    ASSERT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError()) << source;
    std::vector<EqualDispatches> equal = equalDispatches(*program);
    checkGroups(*program, equal, source);
    dispatches += program->dispatches.size();
    groups += equal.size();
  }
  EXPECT_LT(groups, dispatches);
}

/// What a recording leaves of equal dispatches is one function with many calls.
TEST(EqualDispatches, CountCallsOfMergedOnes) {
  Session session(allDialects());
  auto module = session.parse(layeredModel({.layers = 7}), "model.mlir");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  std::vector<Diagnostic> remarks;
  auto program = formRunProgram(mlir::OwningOpRef<mlir::ModuleOp>((*module)->clone()), "main", remarks);
  ASSERT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError());
  std::vector<EqualDispatches> apart = equalDispatches(*program);

  ASSERT_FALSE(static_cast<bool>(runPipeline(*program->module, "builtin.module(fuselage-merge-equal-dispatches)", "")));
  auto merged = formRunProgram(std::move(program->module), "main", remarks);
  ASSERT_TRUE(static_cast<bool>(merged)) << llvm::toString(merged.takeError());
  std::vector<EqualDispatches> together = equalDispatches(*merged);
  checkGroups(*merged, together, "merged");
  auto callsOf = [](const std::vector<EqualDispatches> &groups) {
    std::vector<unsigned> calls;
    for (const EqualDispatches &group : groups)
      calls.push_back(group.calls);
    return calls;
  };
  EXPECT_EQ(callsOf(together), callsOf(apart));
  EXPECT_TRUE(llvm::is_contained(callsOf(together), 7u));
  EXPECT_TRUE(llvm::all_of(together, [](const EqualDispatches &group) { return group.functions.size() == 1; }));
}

} // namespace
