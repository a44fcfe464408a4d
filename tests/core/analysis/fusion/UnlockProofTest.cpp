// Every unlock that is listed unlocks: run in the whole module, it fuses the edge. And on modules of every
// kind: no separate edge without a reason, and verdicts that are what form-dispatches then does.
#include "core/analysis/fusion/FusionBodies.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/UnlockProofs.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "core/ir/layers/ShortFunction.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "tests/core/analysis/fusion/ReasonPage.h"
#include "tests/support/BreakReturns.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/RandomChains.h"
#include "tests/support/RandomModules.h"
#include "tests/support/SampleTexts.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

using Lines = std::set<unsigned>;

/// The lines of the source that an op, and its payload, come from.
Lines linesOf(Operation *op) {
  Lines lines;
  auto add = [&](Operation *part) {
    part->getLoc()->walk([&](Location location) {
      if (auto position = dyn_cast<FileLineColLoc>(location))
        lines.insert(position.getLine());
      return WalkResult::advance();
    });
  };
  isa<linalg::LinalgOp>(op) ? void(op->walk(add)) : add(op);
  return lines;
}

unsigned lineOf(Operation *op) { return positionOf(op->getLoc()).line; }

struct Totals {
  unsigned dispatches = 0, separate = 0, stored = 0; ///< stored: separate edges that move bytes, known or not
  int64_t bytes = 0;
};

Totals totalsOf(const std::vector<BodyVerdicts> &bodies) {
  Totals totals;
  for (const BodyVerdicts &body : bodies) {
    totals.dispatches += body.dispatches.size();
    for (const EdgeVerdict &edge : body.edges)
      if (edge.verdict == Verdict::Separate) {
        ++totals.separate;
        totals.stored += edge.bytes != 0;
        totals.bytes += std::max<int64_t>(edge.bytes, 0);
      }
  }
  return totals;
}

class UnlockProofs : public testing::Test {
protected:
  /// Asks for every edge of the module, runs each unlock listed in a copy of all of it, and asks again.
  void check(const std::string &source, const FusionPolicy &policy) {
    Session session(allDialects());
    auto parsed = session.parse(source, "module");
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError()) << source;
    std::vector<BodyVerdicts> bodies = judgeFusion(**parsed, policy);
    proveUnlocks(bodies, policy);
    Totals before = totalsOf(bodies);
    std::map<std::string, std::vector<const EdgeVerdict *>> byUnlock;
    for (const BodyVerdicts &body : bodies) {
      EXPECT_TRUE(body.isProven);
      for (const EdgeVerdict &edge : body.edges) {
        EXPECT_EQ(edge.verdict == Verdict::Separate, !edge.refusals.empty()) << source;
        for (llvm::StringRef unlock : edge.proven)
          byUnlock[unlock.str()].push_back(&edge);
      }
    }
    for (const auto &[unlock, edges] : byUnlock) {
      OwningOpRef<ModuleOp> copy((*parsed).get().clone());
      llvm::Error error = runFusionPipeline(*copy, functionPipeline("fuselage-" + unlock));
      ASSERT_FALSE(static_cast<bool>(error)) << unlock << ": " << llvm::toString(std::move(error)) << source;
      error = completeDispatches(*copy, policy);
      ASSERT_FALSE(static_cast<bool>(error)) << unlock << ": " << llvm::toString(std::move(error)) << source;
      std::vector<BodyVerdicts> after = judgeFusion(*copy, policy);
      Totals now = totalsOf(after);
      EXPECT_LE(now.dispatches, before.dispatches) << unlock << "\n" << source;
      EXPECT_TRUE(now.dispatches < before.dispatches || now.separate < before.separate || now.stored < before.stored ||
                  now.bytes < before.bytes)
          << unlock << "\n"
          << source;
      for (const EdgeVerdict *edge : edges) {
        ++proven_;
        EXPECT_FALSE(isSeparate(after, lineOf(edge->from), lineOf(edge->to)))
            << unlock << " does not fuse line " << lineOf(edge->from) << " into line " << lineOf(edge->to) << "\n"
            << source;
      }
    }
    // What was listed may also be run as a whole, one after the other.
    for (const BodyVerdicts &body : bodies)
      for (const EdgeVerdict &edge : body.edges)
        if (edge.proven.size() > 1)
          checkTogether(**parsed, edge, policy, source);
  }

  void checkTogether(ModuleOp module, const EdgeVerdict &edge, const FusionPolicy &policy, const std::string &source) {
    OwningOpRef<ModuleOp> copy(module.clone());
    std::string passes =
        llvm::join(llvm::map_range(edge.proven, [](llvm::StringRef name) { return "fuselage-" + name.str(); }), ",");
    llvm::Error error = runFusionPipeline(*copy, functionPipeline(passes));
    ASSERT_FALSE(static_cast<bool>(error)) << passes << llvm::toString(std::move(error)) << source;
    error = completeDispatches(*copy, policy);
    ASSERT_FALSE(static_cast<bool>(error)) << passes << llvm::toString(std::move(error)) << source;
    EXPECT_FALSE(isSeparate(judgeFusion(*copy, policy), lineOf(edge.from), lineOf(edge.to)))
        << passes << " do not fuse line " << lineOf(edge.from) << " into line " << lineOf(edge.to) << "\n"
        << source;
  }

  /// Whether a value still goes through memory from what was on one line to what was on another.
  static bool isSeparate(const std::vector<BodyVerdicts> &bodies, unsigned from, unsigned to) {
    for (const BodyVerdicts &body : bodies)
      for (const EdgeVerdict &edge : body.edges) {
        // Views and constants that take an op's place carry its location.
        if (edge.verdict != Verdict::Separate || edge.bytes == 0 || findViewed(edge.from) || findViewed(edge.to))
          continue;
        Lines sources = linesOf(edge.from), targets = linesOf(edge.to);
        if (sources.count(from) && targets.count(to) && !sources.count(to) && !targets.count(from))
          return true;
      }
    return false;
  }

  unsigned proven_ = 0;
};

const char *const policies[] = {"conservative", "aggressive", "none", "conservative{multi-use=true,zeros=true}"};

FusionPolicy policyOf(llvm::StringRef text) { return llvm::cantFail(parseFusionPolicy(text)); }

TEST_F(UnlockProofs, OnSamples) {
  for (const auto &[path, text] : sampleTexts())
    if (!llvm::StringRef(path).contains("16x512"))
      for (const char *policy : {"conservative", "aggressive"})
        check(text, policyOf(policy));
  EXPECT_GT(proven_, 50u);
}

TEST_F(UnlockProofs, OnReasonPages) {
  for (FusionReason reason : allReasons()) {
    std::string page = readReasonPage(infoOf(reason).code);
    check(exampleOn(page), policyOf(policyOn(page)));
  }
  EXPECT_GT(proven_, 5u);
}

TEST_F(UnlockProofs, OnExportersChains) {
  for (unsigned draw = 0; draw < draws(25) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 5);
    ChainOptions options;
    options.ops = 2 + random() % 9;
    options.results = 1 + random() % 2;
    check(draw % 5 ? randomChain(options, random) : randomAttention(random), policyOf(policies[draw % 4]));
  }
  EXPECT_GT(proven_, 20u);
}

TEST_F(UnlockProofs, OnRandomModules) {
  for (unsigned draw = 0; draw < draws(60) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 17);
    ModuleOptions options{.steps = 2 + static_cast<int>(random() % 12), .dynamicSizes = draw % 4 == 3};
    check(randomModule(options, random), policyOf(policies[draw % 4]));
  }
  EXPECT_GT(proven_, 20u);
}

/// Modules of a trial are verified where passes changed them, and only there.
TEST(FusionPipelines, RefuseWhatDoesNotVerify) {
  registerBreakReturns();
  Session session(allDialects());
  constexpr llvm::StringLiteral source = "func.func @f(%a: f32) -> f32 { return %a : f32 }";
  for (auto [passes, verifies, isFine] :
       {std::tuple("test-break-returns", true, false), std::tuple("test-break-returns,cse", true, false),
        std::tuple("test-break-returns", false, true), std::tuple("cse", true, true)}) {
    auto module = session.parse(source, "module");
    ASSERT_TRUE(static_cast<bool>(module));
    llvm::Error error = runFusionPipeline(**module, functionPipeline(passes), verifies);
    EXPECT_EQ(!error, isFine) << passes;
    if (!error)
      continue;
    Failure failure = takeFailure(std::move(error));
    EXPECT_NE(failure.message.find("test-break-returns"), std::string::npos) << failure.message;
    ASSERT_EQ(failure.diagnostics.size(), 1u);
    EXPECT_NE(failure.diagnostics[0].message.find("has 0 operands"), std::string::npos);
  }
}

/// What is tried on a few of many equal layers is what comes out where every layer is tried.
TEST(UnlockProofsOfLayers, AreThoseOfEachLayer) {
  unsigned proven = 0;
  for (unsigned draw = 0; draw < 40; ++draw) {
    unsigned also = draw % 32, experts = draw < 32 ? 0 : draw % 2 ? 3 : 9;
    std::string source = layeredModel({.layers = 9, .returnsEach = also % 3 == 0, .also = also, .experts = experts});
    Session session(allDialects());
    auto parsed = session.parse(source, "module");
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError()) << source;
    FusionPolicy policy = policyOf(policies[also % 2]);
    std::vector<BodyVerdicts> few = judgeFusion(**parsed, policy), each = judgeFusion(**parsed, policy);
    EXPECT_TRUE(ShortFunction::of(*parsed->get().getOps<func::FuncOp>().begin())) << source;
    proveUnlocks(few, policy);
    proveUnlocks(each, policy, {.fewLayers = false});
    ASSERT_EQ(few.size(), 1u);
    ASSERT_EQ(few.front().edges.size(), each.front().edges.size());
    EXPECT_TRUE(few.front().isProven && each.front().isProven);
    for (auto [one, other] : llvm::zip(few.front().edges, each.front().edges)) {
      EXPECT_EQ(one.proven, other.proven) << also << ": line " << lineOf(one.from) << " to line " << lineOf(one.to);
      proven += one.proven.size();
    }
  }
  EXPECT_GT(proven, 500u);
}

/// The regions that an op on this line is in.
std::set<Operation *> regionsOf(ModuleOp module, unsigned line) {
  std::set<Operation *> regions;
  module.walk([&](flow::DispatchRegionOp region) {
    region->walk([&](Operation *op) {
      if (isa<linalg::LinalgOp, linalg::SoftmaxOp, tensor::PadOp, tensor::ConcatOp>(op) && lineOf(op) == line)
        regions.insert(region);
    });
  });
  return regions;
}

TEST(FusionVerdictsOfRandomModules, AreWhatFormDispatchesDoes) {
  std::map<std::string, unsigned> seen;
  for (unsigned draw = 0; draw < draws(150) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 29);
    ModuleOptions options{.steps = 3 + static_cast<int>(random() % 14), .dynamicSizes = draw % 3 == 2};
    std::string source = randomModule(options, random);
    Session session(allDialects());
    auto parsed = session.parse(source, "module");
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError()) << source;
    FusionPolicy policy = policyOf(policies[draw % 4]);
    std::vector<BodyVerdicts> bodies = judgeFusion(**parsed, policy);
    OwningOpRef<ModuleOp> formed((*parsed).get().clone());
    llvm::Error error =
        runFusionPipeline(*formed, functionPipeline("fuselage-form-dispatches{policy=" + policy.name + "}"));
    ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error)) << source;
    for (const BodyVerdicts &body : bodies)
      for (const EdgeVerdict &edge : body.edges) {
        EXPECT_EQ(edge.verdict == Verdict::Separate, !edge.refusals.empty()) << source;
        for (const Refusal &refusal : edge.refusals)
          ++seen[infoOf(refusal.kind.value_or(refusal.reason)).code.str()];
        if (!isComputeOp(edge.from) || !isComputeOp(edge.to))
          continue;
        std::set<Operation *> from = regionsOf(*formed, lineOf(edge.from)), to = regionsOf(*formed, lineOf(edge.to));
        std::set<Operation *> both;
        std::set_intersection(from.begin(), from.end(), to.begin(), to.end(), std::inserter(both, both.end()));
        if (edge.verdict == Verdict::Separate)
          EXPECT_TRUE(both.empty() || isCheapProducer(edge.from) || isCheapProducer(edge.to) || policy.fuseElementwise)
              << policy.name << ": line " << lineOf(edge.from) << " is in the dispatch of line " << lineOf(edge.to)
              << "\n"
              << source;
        else
          EXPECT_EQ(both, to) << policy.name << ": line " << lineOf(edge.from) << " is not in each dispatch of line "
                              << lineOf(edge.to) << "\n"
                              << source;
      }
  }
  for (const char *code : {"RESHAPE_EXPAND", "RESHAPE_COLLAPSE", "SLICE_EXTRACT", "SLICE_INSERT", "CONCAT_TENSORS",
                           "CONSUMER_CONTRACTION", "CONSUMER_HAS_REDUCTION", "OTHER_BLOCK", "CAPTURED_IN_BODY",
                           "OPERAND_IS_INIT", "MULTI_USE", "UNIT_DIM_BROADCAST", "NOT_GENERIC"})
    EXPECT_GT(seen[code], 0u) << code;
}

/// The elementwise clauses say what MLIR's fusion says, of every use of every kind of op.
TEST(FusionVerdictsOfRandomModules, AgreeWithMlirOnElementwiseFusion) {
  unsigned uses = 0, fusable = 0;
  for (unsigned draw = 0; draw < draws(300) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 31);
    ModuleOptions options{.steps = 4 + static_cast<int>(random() % 14), .dynamicSizes = draw % 3 == 1};
    std::string source = randomModule(options, random);
    Session session(allDialects());
    auto parsed = session.parse(source, "module");
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError()) << source;
    (*parsed)->walk([&](Operation *op) {
      for (OpOperand &use : op->getOpOperands()) {
        auto value = dyn_cast<OpResult>(use.get());
        if (!value || !isa<RankedTensorType>(value.getType()))
          continue;
        bool upstream = linalg::areElementwiseOpsFusable(&use);
        EXPECT_EQ(elementwiseRefusals({.value = value, .use = &use, .consumer = op}).empty(), upstream)
            << "line " << lineOf(value.getOwner()) << " into line " << lineOf(op) << "\n"
            << source;
        ++uses;
        fusable += upstream;
      }
    });
  }
  EXPECT_GT(uses, 1000u);
  EXPECT_GT(fusable, 100u);
}

} // namespace
