// Runs in sequences of numbers, against a naive finder.
#include "core/graph/patterns/SimilarRuns.h"
#include "core/ir/layers/PeriodicRuns.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

bool isPeriodic(const std::vector<uint32_t> &text, size_t from, size_t length, size_t period) {
  for (size_t i = from + period; i < from + length; ++i)
    if (text[i] != text[i - period])
      return false;
  return true;
}

/// By trying every start and every period.
std::vector<PeriodicRun> naiveRuns(const std::vector<uint32_t> &text) {
  std::vector<PeriodicRun> runs;
  for (size_t start = 0; start < text.size(); ++start)
    for (size_t period = 1; start + 3 * period <= text.size(); ++period) {
      size_t end = start + period;
      while (end < text.size() && text[end] == text[end - period])
        ++end;
      bool fromLeft = start > 0 && text[start - 1] == text[start - 1 + period];
      bool smallest = true;
      for (size_t shorter = 1; shorter < period && smallest; ++shorter)
        smallest = !isPeriodic(text, start, end - start, shorter);
      if (end - start >= 3 * period && !fromLeft && smallest)
        runs.push_back({start, period, end - start});
    }
  return runs;
}

TEST(PeriodicRuns, AgreeWithANaiveFinder) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    std::vector<uint32_t> text;
    uint32_t letters = 1 + random() % 4;
    while (text.size() < 60) {
      std::vector<uint32_t> word;
      for (size_t n = 1 + random() % 9; n > 0; --n)
        word.push_back(random() % letters);
      for (size_t n = 1 + random() % 6; n > 0; --n)
        text.insert(text.end(), word.begin(), word.end());
    }
    EXPECT_EQ(findPeriodicRuns(text), naiveRuns(text)) << "round " << round;
  }
}

TEST(PeriodicRuns, ShortTextsHaveNone) {
  EXPECT_TRUE(findPeriodicRuns({}).empty());
  EXPECT_TRUE(findPeriodicRuns({1, 1}).empty());
  EXPECT_EQ(findPeriodicRuns({1, 1, 1}), (std::vector<PeriodicRun>{{0, 1, 3}}));
}

TEST(SimilarRuns, WhatIsAlmostTheSame) {
  std::vector<uint32_t> word{1, 2, 3, 4, 5, 6, 7, 8};
  auto lengthOf = [&](
                      const std::vector<uint32_t> &rest, llvm::function_ref<bool(size_t)> mayEnd = [](size_t) {
                        return true;
                      }) { return findSimilar(word, rest, mayEnd).length; };
  EXPECT_EQ(lengthOf({1, 2, 3, 9, 4, 5, 6, 7, 8, 1}), 9u);
  EXPECT_EQ(lengthOf({1, 2, 4, 5, 6, 7, 8}), 7u);
  EXPECT_EQ(findSimilar(word, {1, 2, 4, 5, 6, 7, 8}, [](size_t) { return true; }).changes, 1u);
  EXPECT_EQ(lengthOf({1, 9, 9, 9, 5, 6, 7, 8}), 0u);
  EXPECT_EQ(lengthOf({1, 2, 3, 9, 4, 5, 6, 7, 8, 1}, [](size_t end) { return end != 9; }), 8u);
  EXPECT_EQ(lengthOf({9, 1, 2, 3, 4, 5, 6, 7, 8}), 0u) << "the word itself, behind something else";
  EXPECT_EQ(lengthOf({}), 0u);
  EXPECT_EQ(findPair({}).period, 0u);
}

} // namespace
