// Reading a module on two threads gives what reading it on one gives. A test of its own, so that TSan and Valgrind can
// watch it in little time.
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/gate/OpIdentities.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/model/LayerNames.h"
#include "core/ir/Session.h"
#include "core/ir/layers/ShortFunction.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/module/VerifyParts.h"
#include "core/ir/module/VerifySafely.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/registration/Registration.h"
#include "core/support/JsonText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/DebugStringHelper.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/LinalgChain.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

constexpr unsigned manyOps = 2200; // more than anything needs to be split

struct Chain {
  Chain() {
    // Not by the session, which gives a text too little time for Valgrind.
    module = mlir::parseSourceString<mlir::ModuleOp>(linalgChain(manyOps), &session.context(), "chain.mlir");
    EXPECT_TRUE(module);
  }
  mlir::Block &body() { return (*module->getOps<mlir::func::FuncOp>().begin()).getBody().front(); }
  /// The op that is the number-th in the function.
  mlir::Operation *op(size_t number) { return &*std::next(body().begin(), number); }

  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// One processor for as long as this lives.
struct OneProcessor {
  OneProcessor() { setenv("FUSELAGE_JOBS", "1", 1); }
  ~OneProcessor() { unsetenv("FUSELAGE_JOBS"); }
};

std::string textOf(const Graph &graph) {
  std::vector<const FunctionGraph *> functions;
  for (const FunctionGraph &function : graph.functions)
    functions.push_back(&function);
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJSON(functions, os);
  return text;
}

bool isSafe(mlir::Operation *) { return true; }

std::vector<std::string> messagesOf(mlir::MLIRContext &context, llvm::function_ref<llvm::LogicalResult()> verify,
                                    bool &isFine) {
  std::vector<std::string> messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    messages.push_back(diagnostic.str());
    return llvm::success();
  });
  isFine = llvm::succeeded(verify());
  return messages;
}

/// A module that was damaged is refused with the words of the verifier that goes op by op.
void expectRefused(Chain &chain, const char *what) {
  SCOPED_TRACE(what);
  bool isFine = true, isFineToo = true;
  auto messages = messagesOf(
      chain.session.context(), [&] { return verifySafely(*chain.module); }, isFine);
  EXPECT_FALSE(isFine);
  EXPECT_FALSE(messages.empty());
  EXPECT_EQ(messagesOf(
                chain.session.context(), [&] { return verifyQuickly(*chain.module); }, isFineToo),
            messages);
  EXPECT_FALSE(isFineToo);
  EXPECT_FALSE(verifyParts(*chain.module, isSafe));
}

TEST(TwoThreads, ShareAContextThatIsSharedNoLonger) {
  Chain chain;
  ASSERT_FALSE(chain.session.context().isMultithreadingEnabled());
  {
    SharedContext shared(chain.session.context());
    EXPECT_TRUE(chain.session.context().isMultithreadingEnabled());
  }
  EXPECT_FALSE(chain.session.context().isMultithreadingEnabled());
}

TEST(TwoThreads, VerifyAModule) {
  Chain chain;
  EXPECT_EQ(verifyParts(*chain.module, isSafe), hasTwoProcessors());
  EXPECT_TRUE(llvm::succeeded(verifyQuickly(*chain.module)));
  OneProcessor one;
  EXPECT_FALSE(verifyParts(*chain.module, isSafe));
  EXPECT_TRUE(llvm::succeeded(verifyQuickly(*chain.module)));
}

TEST(TwoThreads, FindAnOpThatIsWrong) {
  for (size_t number : {size_t(20), size_t(1100), size_t(2190)}) {
    Chain chain;
    auto wrong = llvm::find_if(llvm::make_range(std::next(chain.body().begin(), number), chain.body().end()),
                               [](mlir::Operation &op) { return llvm::isa<mlir::linalg::GenericOp>(op); });
    ASSERT_NE(wrong, chain.body().end());
    wrong->setAttr("iterator_types", mlir::ArrayAttr::get(wrong->getContext(), {}));
    expectRefused(chain, "iterators");
  }
}

TEST(TwoThreads, FindAnOpThatReadsALaterOne) {
  Chain chain;
  mlir::Operation *late = chain.op(1500);
  late->moveBefore(chain.op(1490));
  chain.op(1400)->setOperand(0, late->getResult(0));
  expectRefused(chain, "dominance");
}

TEST(TwoThreads, FindABlockWithoutAnEnd) {
  Chain chain;
  chain.body().getTerminator()->erase();
  expectRefused(chain, "terminator");
}

TEST(TwoThreads, FindABodyWithoutAnEnd) {
  Chain chain;
  for (mlir::Operation &op : chain.body())
    if (auto generic = llvm::dyn_cast<mlir::linalg::GenericOp>(op)) {
      generic.getBody()->getTerminator()->erase();
      break;
    }
  expectRefused(chain, "body");
}

TEST(TwoThreads, FindAFunctionOfAnotherType) {
  Chain chain;
  auto function = *chain.module->getOps<mlir::func::FuncOp>().begin();
  auto type = function.getFunctionType();
  function.setFunctionType(mlir::FunctionType::get(type.getContext(), type.getInputs(), {}));
  expectRefused(chain, "return");
}

TEST(TwoThreads, BuildAGraph) {
  Chain chain;
  PrintedModule printed(*chain.module);
  std::string withText = textOf(buildGraphWithText(*chain.module)), picture = textOf(buildGraph(*chain.module));
  EXPECT_EQ(withText, textOf(buildGraph(*chain.module, printed)));
  EXPECT_NE(withText, picture);
  OneProcessor one;
  EXPECT_EQ(withText, textOf(buildGraphWithText(*chain.module)));
  EXPECT_EQ(picture, textOf(buildGraph(*chain.module)));
}

TEST(TwoThreads, ExplainAModule) {
  Chain chain;
  for (const FusionPolicy &policy : {FusionPolicy(), conservativePolicy()}) {
    unsigned calls = 0;
    std::optional<LayerNames> names;
    auto meanwhile = [&] {
      ++calls;
      names.emplace(buildGraphForNames(*chain.module));
    };
    auto report = explainFusion(*chain.module, policy, 500, {.maxOps = 0}, nullptr, meanwhile);
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    EXPECT_EQ(calls, hasTwoProcessors() ? 1u : 0u);
    EXPECT_GT(report->edges.size(), 2000u);
    std::string text = message::jsonText(*report);
    EXPECT_EQ(text, jsonText(message::encode(*report)));
    OneProcessor one;
    auto again = explainFusion(*chain.module, policy, 500, {.maxOps = 0}, nullptr, meanwhile);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(text, message::jsonText(*again));
    EXPECT_LE(calls, 1u); // one processor waits for nothing
  }
}

TEST(TwoThreads, IdentitiesOfOpsAreThoseThatOneThreadFinds) {
  Chain chain;
  auto identities = [&] {
    message::FusionReport<> report;
    report.edges.resize(manyOps);
    for (auto [op, edge] : llvm::enumerate(report.edges))
      edge.from = edge.to = static_cast<int64_t>(op);
    addIdentities(*chain.module, report);
    EXPECT_EQ(report.ops.size(), manyOps);
    return message::jsonText(report);
  };
  std::string two = identities();
  OneProcessor one;
  EXPECT_EQ(identities(), two);
}

TEST(TwoThreads, FuseAModuleOfManyLayers) {
  Session session{allDialects()};
  constexpr unsigned layers = 80;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(test::layeredModel({.layers = layers}), &session.context());
  ASSERT_TRUE(module);
  ASSERT_GT(countAllOps(*module), manyOps);
  auto fused = [&](bool eachLayer) {
    FuseAllOptions options;
    options.eachLayer = eachLayer;
    auto result = fuseAll(*module, FusionPolicy(), options);
    EXPECT_TRUE(bool(result));
    if (!result)
      return llvm::toString(result.takeError());
    return std::to_string(result->before.bytes) + " " + std::to_string(result->after.bytes) +
           mlir::debugString(result->module.get());
  };
  const std::string two = fused(/*eachLayer=*/false);
  EXPECT_EQ(fused(/*eachLayer=*/true), two);
  OneProcessor one;
  EXPECT_EQ(fused(/*eachLayer=*/false), two);
}

} // namespace
