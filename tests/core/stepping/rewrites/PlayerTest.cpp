// The IR after rewrites in the order in which somebody looks at them, each beside that of a run to the step's end.
#include "core/stepping/rewrites/RewritePlayer.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include "tests/support/SampleTexts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

namespace fuselage::test {
namespace {

class RewritePlayerOfSample : public testing::TestWithParam<std::string> {
protected:
  /// The texts after some rewrites, by a run that goes on to the step's end.
  static std::map<unsigned, std::string> textsOf(const Step &step, const RewriteLog &log,
                                                 llvm::ArrayRef<unsigned> rewrites) {
    RewriteWatchOptions options;
    for (unsigned rewrite : rewrites) {
      const Rewrite &one = log.rewrites[rewrite];
      options.captures.push_back(
          {.function = log.functions[one.function], .functionOrdinal = one.functionOrdinal, .end = one.end});
    }
    auto run = step.replay->run(options);
    std::map<unsigned, std::string> texts;
    if (!run) {
      ADD_FAILURE() << step.name << ": " << llvm::toString(run.takeError());
      return texts;
    }
    EXPECT_TRUE(run->ok) << step.name;
    for (auto [rewrite, module] : llvm::zip(rewrites, run->captured))
      texts[rewrite] = Snapshot(std::move(module), Snapshot::InStep()).lines().text();
    return texts;
  }

  /// Rewrites somewhere in a step that somebody looks at: on with J, back with K, and elsewhere.
  static std::vector<unsigned> walkAround(unsigned middle, unsigned count) {
    std::vector<unsigned> walk;
    for (int offset : {0, 1, 2, 3, 4, 5, 3, 2, 1, 0, -1, -2, -3, -2, 9, 0})
      if (int rewrite = int(middle) + offset; rewrite >= 0 && rewrite < int(count))
        walk.push_back(unsigned(rewrite));
    return walk;
  }
};

TEST_P(RewritePlayerOfSample, ShowsWhatAWholeRunGoesThrough) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/" + GetParam() + ".mlir"]);
  auto recording = input.record({});
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  unsigned invalid = 0;
  for (const Step &step : recording->steps) {
    if (step.name == "Bufferize") // which takes functions and ops in the order of their addresses
      continue;
    auto player = RewritePlayer::listing(step);
    ASSERT_TRUE(bool(player)) << llvm::toString(player.takeError());
    const RewriteLog &log = *(*player)->log();
    const unsigned count = unsigned(log.rewrites.size());
    for (unsigned part = 0; part < 6 && count > 0; ++part) {
      const std::vector<unsigned> walk = walkAround(std::min(count - 1, count * part / 5), count);
      std::vector<unsigned> once = walk;
      llvm::sort(once);
      once.erase(llvm::unique(once), once.end());
      std::map<unsigned, std::string> texts = textsOf(step, log, once);
      for (unsigned rewrite : walk)
        for (unsigned asked : {rewrite - 1, rewrite}) { // as the window asks for the IR before it, too
          if (!texts.contains(asked))
            continue;
          auto shown = (*player)->moduleAfter(asked);
          ASSERT_TRUE(bool(shown)) << step.name << " " << asked << ": " << llvm::toString(shown.takeError());
          EXPECT_EQ(shown->note, "") << step.name << " " << asked;
          EXPECT_EQ(shown->snapshot->lines().text(), texts[asked]) << step.name << " " << asked;
          invalid += !shown->snapshot->problem().empty();
        }
    }
  }
  EXPECT_GT(invalid, 0u);
}

INSTANTIATE_TEST_SUITE_P(Samples, RewritePlayerOfSample,
                         testing::Values("conv_bias_relu", "matmul_transpose_bias", "softmax"));

/// A run that is cut short after the first rewrite tries little after it, whichever driver it is in.
class CutShort : public testing::TestWithParam<std::string> {};

TEST_P(CutShort, EndsSoonAfterItsCaptures) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/bert_attention.mlir"]);
  Recording recording = input.recordPipeline(GetParam());
  const Step &step = recording.steps.back();
  ASSERT_FALSE(step.failed);
  auto log = rewritesOf(step);
  ASSERT_TRUE(bool(log)) << llvm::toString(log.takeError());
  auto first = llvm::find_if((*log)->rewrites, [](const Rewrite &one) { return one.kind == RewriteKind::Pattern; });
  ASSERT_NE(first, (*log)->rewrites.end());
  RewriteWatchOptions options{.captures = {{.function = (*log)->functions[first->function],
                                            .functionOrdinal = first->functionOrdinal,
                                            .end = first->end}},
                              .stopsAfterCaptures = true};
  auto run = step.replay->run(options);
  ASSERT_TRUE(bool(run)) << llvm::toString(run.takeError());
  EXPECT_FALSE(run->ok);
  EXPECT_FALSE(run->end);
  ASSERT_TRUE(bool(run->captured.front()));
  EXPECT_LE(run->log.attempts.size(), first->attempt + 1);
  EXPECT_LT(run->log.attempts.size(), (*log)->attempts.size());
}

INSTANTIATE_TEST_SUITE_P(Drivers, CutShort,
                         testing::Values("func.func(linalg-generalize-named-ops)", "linalg-fuse-elementwise-ops",
                                         "one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-"
                                         "to-loops),convert-scf-to-cf"),
                         [](const auto &info) { return "Case" + std::to_string(info.index); });

} // namespace
} // namespace fuselage::test
