#include "core/ir/module/PrintedModule.h"
#include "core/rewrites/PatternOffers.h"
#include "core/stepping/rewrites/Breakpoints.h"
#include "core/stepping/rewrites/OpPatterns.h"
#include "core/stepping/rewrites/StepRewrites.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include "tests/support/RandomModules.h"
#include "tests/support/SampleTexts.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::test {
namespace {

const std::string &sample(const std::string &name) {
  static const auto texts = sampleTexts();
  return texts.at(FUSELAGE_SOURCE_DIR "/samples/" + name + ".mlir");
}

std::shared_ptr<const RewriteLog> logOf(const Step &step) {
  auto log = rewritesOf(step);
  if (log)
    return *log;
  ADD_FAILURE() << step.name << ": " << llvm::toString(log.takeError());
  return std::make_shared<const RewriteLog>();
}

std::vector<PatternOffer> offersIn(mlir::ModuleOp module, int64_t op, llvm::StringRef passes) {
  auto offers = offersOf(module, op, passes);
  if (offers)
    return std::move(*offers);
  ADD_FAILURE() << llvm::toString(offers.takeError());
  return {};
}

std::string textOf(mlir::ModuleOp module) { return PrintedModule(module).text(); }

/// What drivers do first, they do to the IR as it stands: the pattern must be among those that would apply.
unsigned expectFirstRewriteIsOffered(const std::string &text, llvm::StringRef pass) {
  Input input(text);
  Recording recording = input.recordPipeline(pass);
  if (recording.steps.size() != 1 || recording.steps[0].failed)
    return 0;
  std::shared_ptr<const RewriteLog> log = logOf(recording.steps[0]);
  if (log->rewrites.empty())
    return 0;
  const Rewrite &first = log->rewrites.front();
  if (first.kind != RewriteKind::Pattern || first.inConversion)
    return 0;
  const std::string &name = log->patterns[first.pattern].name;
  const std::string before = textOf(*input.module);
  std::vector<PatternOffer> offers = offersIn(*input.module, log->ops[first.root].before, pass);
  EXPECT_EQ(textOf(*input.module), before) << "the module was to stay as it is";
  auto offer = llvm::find_if(offers, [&](const PatternOffer &offer) { return offer.pattern == name; });
  EXPECT_TRUE(offer != offers.end() && offer->applies()) << name << " of " << pass.str() << " in\n" << text;
  if (offer == offers.end() || !offer->applies())
    return 0;
  auto after = moduleAfter(recording.steps[0], *log, 0);
  EXPECT_TRUE(bool(after)) << llvm::toString(after.takeError());
  if (after)
    EXPECT_EQ(textOf(*offer->after), after->snapshot->lines().text()) << name;
  return 1;
}

TEST(Patterns, WhatADriverDoesFirstIsOffered) {
  unsigned looked = 0;
  for (const auto &[path, text] : sampleTexts())
    looked += expectFirstRewriteIsOffered(text, "linalg-fuse-elementwise-ops");
  std::mt19937 random(11);
  for (int draw = 0; draw < 40; ++draw) {
    const std::string text = randomModule({.steps = 10, .dynamicSizes = draw % 2 == 1}, random);
    for (const char *pass : {"canonicalize", "linalg-fuse-elementwise-ops", "func.func(linalg-fold-unit-extent-dims)"})
      looked += expectFirstRewriteIsOffered(text, pass);
  }
  EXPECT_GT(looked, 20u);
}

TEST(Patterns, EachAppliesAsAStep) {
  Input input(sample("bert_attention"));
  const llvm::StringRef passes = "canonicalize,linalg-fuse-elementwise-ops";
  unsigned applied = 0;
  int64_t count = 0;
  (*input.module)->walk([&](mlir::Operation *) { ++count; });
  for (int64_t op = 0; op < count; op += 3) {
    std::vector<PatternOffer> offers = offersIn(*input.module, op, passes);
    message::OpPatterns<> message = messageOfOffers(*input.module, op, passes, offers);
    for (auto [offer, row] : llvm::zip_equal(offers, message.patterns)) {
      EXPECT_EQ(offer.applies(), !row.pipeline.empty());
      if (!offer.applies())
        continue;
      EXPECT_EQ(offer.problem, "");
      Recording recording = input.recordPipeline(row.pipeline);
      ASSERT_FALSE(recording.steps.back().failed) << row.pipeline;
      EXPECT_EQ(recording.snapshots.back()->lines().text(), textOf(*offer.after)) << row.pipeline;
      ++applied;
    }
  }
  EXPECT_GT(applied, 3u);
}

TEST(Patterns, FoldsAreOffered) {
  Input input; // op 4: %x = arith.addf %zero, %one
  std::vector<PatternOffer> offers = offersIn(*input.module, 4, "canonicalize");
  ASSERT_FALSE(offers.empty());
  EXPECT_EQ(offers[0].pattern, kFoldPattern);
  ASSERT_TRUE(offers[0].applies());
  EXPECT_EQ(textOf(*offers[0].after).find("arith.addf %zero"), std::string::npos);
}

TEST(Patterns, SayWhyTheyDoNotApply) {
  Input input;
  auto failure = [&](int64_t op, llvm::StringRef passes, llvm::StringRef pattern) {
    auto after = applyPattern(*input.module, op, passes, pattern);
    EXPECT_FALSE(bool(after));
    return after ? "" : takeFailure(after.takeError()).message;
  };
  EXPECT_NE(failure(99, "canonicalize", "fold").find("there is no op 99; those of the module are 0 to"),
            std::string::npos);
  EXPECT_NE(failure(1, "canonicalize", "NoSuchPattern").find("has no pattern 'NoSuchPattern' for op 1"),
            std::string::npos);
  EXPECT_NE(failure(6, "canonicalize", "EraseDeadLinalgOp").find("does not apply to op 6"), std::string::npos);
  EXPECT_NE(failure(1, "no-such-pass", "fold").find("no-such-pass"), std::string::npos);
}

/// A step without a rewrite is a pass, which leaves what the step does without it.
unsigned expectWithoutIsAPass(const std::string &text, llvm::StringRef pipeline) {
  Input input(text);
  Recording recording = input.recordPipeline(pipeline);
  const Step &step = recording.steps[0];
  std::shared_ptr<const RewriteLog> log = logOf(step);
  unsigned compared = 0;
  for (unsigned rewrite = 0; rewrite < log->rewrites.size() && compared < 8; ++rewrite)
    for (bool whole : {false, true}) {
      auto without = runWithout(step, *log, rewrite, whole);
      if (!without) {
        llvm::consumeError(without.takeError());
        continue;
      }
      const std::string same = pipelineWithout(step, *log, rewrite, whole);
      Recording again = input.recordPipeline(same);
      EXPECT_FALSE(again.steps.empty() || again.steps.back().failed) << same;
      EXPECT_EQ(again.snapshots.back()->lines().text(), textOf(**without)) << same;
      ++compared;
    }
  return compared;
}

TEST(Patterns, AStepWithoutOneIsAPass) {
  unsigned compared = 0;
  for (const char *name : {"bert_attention", "mlp_gelu", "softmax"})
    for (const char *pass : {"linalg-fuse-elementwise-ops", "canonicalize{max-iterations=3}"})
      compared += expectWithoutIsAPass(sample(name), pass);
  compared += expectWithoutIsAPass(smallModule.str(), "canonicalize");
  EXPECT_GT(compared, 10u);
}

TEST(Patterns, ItsRewritesAreListed) {
  Input input(sample("bert_attention"));
  Recording all = input.recordPipeline("linalg-fuse-elementwise-ops");
  const std::string without = pipelineWithout(all.steps[0], *logOf(all.steps[0]), 0, /*wholePattern=*/true);
  Recording recording = input.recordPipeline(without);
  std::shared_ptr<const RewriteLog> log = logOf(recording.steps[0]);
  EXPECT_FALSE(log->attempts.empty());
  for (const PatternSum &sum : log->patterns)
    EXPECT_EQ(sum.attempts == 0, shortPatternName(sum.name) == "FuseElementwiseOps") << sum.name;
}

//===- Breakpoints --------------------------------------------------------===//

struct Place {
  int64_t step, rewrite;
};

TEST(Breakpoints, StopWhereALookAtEveryRewriteDoes) {
  Input input(sample("bert_attention"));
  Recording recording = input.recordPipeline("canonicalize,linalg-fuse-elementwise-ops,canonicalize,cse");
  auto logAt = [&](unsigned step) { return rewritesOf(recording.steps[step]); };
  for (const char *breakpoint : {"FuseElementwiseOps", "dead", "linalg.fill", "@forward", "input.mlir:40", ":40",
                                 "other.mlir:40", "NoSuchPattern", "@nobody"}) {
    std::vector<Place> expected;
    for (unsigned step = 0; step < recording.steps.size(); ++step) {
      std::shared_ptr<const RewriteLog> log = logOf(recording.steps[step]);
      for (unsigned rewrite = 0; rewrite < log->rewrites.size(); ++rewrite)
        if (stopsAt(*log, rewrite, breakpoint))
          expected.push_back({step, rewrite});
    }
    StopSearch search{.breakpoints = {"NoSuchOp", breakpoint}};
    for (const Place &place : expected) {
      auto stop = findStop(recording, search, logAt);
      ASSERT_TRUE(bool(stop)) << llvm::toString(stop.takeError());
      ASSERT_TRUE(stop->has_value()) << breakpoint;
      EXPECT_EQ((*stop)->step, place.step);
      EXPECT_EQ((*stop)->rewrite, place.rewrite);
      EXPECT_EQ((*stop)->breakpoint, breakpoint);
      search.step = (*stop)->step;
      search.rewrite = (*stop)->rewrite;
    }
    auto end = findStop(recording, search, logAt);
    ASSERT_TRUE(bool(end)) << llvm::toString(end.takeError());
    EXPECT_FALSE(end->has_value()) << breakpoint;
    if (expected.size() < 2)
      continue;
    search.backwards = true;
    auto before = findStop(recording, search, logAt);
    ASSERT_TRUE(bool(before) && before->has_value()) << breakpoint;
    EXPECT_EQ((*before)->step, expected[expected.size() - 2].step);
    EXPECT_EQ((*before)->rewrite, expected[expected.size() - 2].rewrite);
  }
}

TEST(Breakpoints, ArePatternsKindsOpsFunctionsAndLines) {
  Input input(sample("bert_attention"));
  Recording recording = input.recordPipeline("linalg-fuse-elementwise-ops");
  std::shared_ptr<const RewriteLog> log = logOf(recording.steps[0]);
  auto count = [&](llvm::StringRef breakpoint) {
    unsigned count = 0;
    for (unsigned rewrite = 0; rewrite < log->rewrites.size(); ++rewrite)
      count += stopsAt(*log, rewrite, breakpoint);
    return count;
  };
  EXPECT_EQ(count("FuseElementwiseOps"), count("(anonymous namespace)::FuseElementwiseOps"));
  EXPECT_GT(count("FuseElementwiseOps"), 5u);
  EXPECT_GT(count("dead"), 0u);
  EXPECT_EQ(count("@forward"), log->rewrites.size());
  EXPECT_EQ(count("@backward"), 0u);
  EXPECT_EQ(count(""), 0u);
  EXPECT_EQ(count(":"), 0u);
}

} // namespace
} // namespace fuselage::test
