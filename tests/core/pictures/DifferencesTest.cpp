// Two runs as a table of differences: what is matched, what is noise, and what the sums are.
#include "core/pictures/RunDifferences.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::message;

namespace {

std::string same(const std::string &text) { return text; }

Kernel<> kernelOf(int dispatch, const char *name, const char *loc, double median, double spread = 0.1) {
  Kernel<> kernel;
  kernel.dispatchIndex = dispatch;
  kernel.dispatch = name;
  kernel.loc = loc;
  kernel.medianUs = median;
  kernel.minUs = median - spread;
  kernel.p95Us = median + spread;
  kernel.clock = "device";
  kernel.cold = "flushed";
  return kernel;
}

TimedRun runOf(std::vector<Kernel<>> kernels) {
  RunReport<> report;
  report.device = "vulkan:0";
  report.function = "main";
  report.verdict = RunVerdict::Ok;
  report.kernels = std::move(kernels);
  return timedRun(report, same);
}

const RunDifference *find(const RunDifferences &differences, const std::string &name) {
  for (const RunDifference &row : differences.rows)
    if (row.name == name)
      return &row;
  return nullptr;
}

TEST(Differences, KernelsOfADispatchAreOneRowAndLoopsCount) {
  Kernel<> looped = kernelOf(1, "loop", "m.mlir:2:3", 10);
  looped.calls = 3;
  TimedRun run = runOf({kernelOf(0, "split", "m.mlir:1:3", 4), kernelOf(0, "split", "m.mlir:1:3", 1), looped});
  ASSERT_EQ(run.dispatches.size(), 2u);
  EXPECT_DOUBLE_EQ(run.dispatches[0].us.median, 5);
  EXPECT_DOUBLE_EQ(run.dispatches[1].us.median, 30);
  EXPECT_DOUBLE_EQ(run.total().median, 35);
  EXPECT_EQ(run.launches, 5);
}

TEST(Differences, MatchByPlaceWhateverADispatchIsCalled) {
  TimedRun before = runOf(
      {kernelOf(0, "main_dispatch_0_matmul", "m.mlir:4:3", 20), kernelOf(1, "main_dispatch_1_add", "m.mlir:5:3", 7)});
  TimedRun after = runOf({kernelOf(0, "main_dispatch_0_matmul_add", "m.mlir:4:3", 22)});
  RunDifferences found = differencesOf(before, after, DifferencesBy::Places);
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.rows[0].name, "main_dispatch_1_add"); // the larger change
  EXPECT_EQ(remarkOf(found.rows[0]), "only before");
  EXPECT_EQ(found.rows[1].name, "main_dispatch_0_matmul_add");
  EXPECT_TRUE(found.rows[1].isInBoth());
  EXPECT_DOUBLE_EQ(found.rows[1].changeUs(), 2);
  EXPECT_EQ(changeText(found.rows[1].before, found.rows[1].after), "+10.0 %");
  EXPECT_DOUBLE_EQ(found.before.median, 27);
  EXPECT_DOUBLE_EQ(found.after.median, 22);
}

TEST(Differences, WhatIsMergedNamesTheDispatchThatHasItNow) {
  TimedRun before = runOf({kernelOf(0, "matmul", "m.mlir:4:3", 20), kernelOf(1, "add", "m.mlir:5:3", 7),
                           kernelOf(2, "gone", "m.mlir:6:3", 1)});
  Kernel<> merged = kernelOf(0, "matmul_add", "m.mlir:4:3", 22);
  merged.parts = {"m.mlir:4:3", "m.mlir:5:3"};
  RunDifferences found = differencesOf(before, runOf({merged}), DifferencesBy::Places);
  EXPECT_EQ(find(found, "add")->mergedInto, "matmul_add");
  EXPECT_EQ(remarkOf(*find(found, "add")), "merged");
  EXPECT_EQ(remarkOf(*find(found, "gone")), "only before");
  EXPECT_NE(differencesCsv(found).find("\nadd,dispatch,1,0,7,6.9,7.1,,,,,,false,false,matmul_add\n"), std::string::npos)
      << differencesCsv(found);
  // By names, places mean nothing.
  EXPECT_EQ(find(differencesOf(before, runOf({merged}), DifferencesBy::Names), "add")->mergedInto, "");
}

TEST(Differences, RangesThatOverlapAreNoise) {
  TimedRun before = runOf({kernelOf(0, "a", "m.mlir:1:1", 10, 1), kernelOf(1, "b", "m.mlir:2:1", 10, 1)});
  TimedRun after = runOf({kernelOf(0, "a", "m.mlir:1:1", 11.9, 1), kernelOf(1, "b", "m.mlir:2:1", 12.1, 1)});
  RunDifferences found = differencesOf(before, after, DifferencesBy::Places);
  EXPECT_TRUE(find(found, "a")->isWithinNoise());
  EXPECT_EQ(remarkOf(*find(found, "a")), "within noise");
  EXPECT_FALSE(find(found, "b")->isWithinNoise());
  EXPECT_EQ(remarkOf(*find(found, "b")), "");
}

TEST(Differences, EqualDispatchesAreOneRowWithTheirNumber) {
  std::vector<Kernel<>> kernels;
  for (int i = 0; i < 80; ++i) {
    kernels.push_back(kernelOf(i, "matmul", ("m.mlir:" + std::to_string(i) + ":1").c_str(), 2));
    kernels.back().group = 0;
  }
  kernels.push_back(kernelOf(80, "softmax", "m.mlir:99:1", 5));
  kernels.back().group = 1;
  TimedRun before = runOf(kernels);
  for (Kernel<> &kernel : kernels)
    kernel.medianUs /= 2;
  RunDifferences found = differencesOf(before, runOf(kernels), DifferencesBy::Places);
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.rows[0].countBefore, 80u);
  EXPECT_EQ(found.rows[0].countAfter, 80u);
  EXPECT_DOUBLE_EQ(found.rows[0].before.median, 160);
  EXPECT_DOUBLE_EQ(found.rows[0].after.median, 80);
}

TEST(Differences, OtherTextsMatchByNamesWithoutNumbers) {
  TimedRun before = runOf({kernelOf(0, "main_dispatch_0_matmul_8x8", "old.mlir:4:3", 20),
                           kernelOf(1, "main_dispatch_1_matmul_8x8", "old.mlir:5:3", 20),
                           kernelOf(2, "main_dispatch_2", "old.mlir:6:3", 1)});
  TimedRun after = runOf({kernelOf(0, "main_dispatch_7_matmul_8x8", "new.mlir:4:3", 15),
                          kernelOf(1, "main_dispatch_8", "new.mlir:6:3", 1)});
  RunDifferences found = differencesOf(before, after, DifferencesBy::Names);
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.rows[0].countBefore, 2u);
  EXPECT_EQ(found.rows[0].countAfter, 1u);
  EXPECT_DOUBLE_EQ(found.rows[0].changeUs(), -25);
  EXPECT_TRUE(found.rows[1].isInBoth());
  EXPECT_EQ(unnumberedName("main_dispatch_12_matmul_8x8"), "matmul_8x8");
  EXPECT_EQ(unnumberedName("main_dispatch_12"), "main_dispatch");
  EXPECT_EQ(unnumberedName("dispatch_of_mine"), "dispatch_of_mine");
}

TEST(Differences, WhatIsComputedOnceIsNoPartOfTheSum) {
  Kernel<> once = kernelOf(0, "transpose", "m.mlir:1:1", 100);
  once.once = true;
  TimedRun run = runOf({once, kernelOf(1, "matmul", "m.mlir:2:1", 5)});
  EXPECT_DOUBLE_EQ(run.total().median, 5);
  EXPECT_EQ(run.launches, 1);
  RunDifferences found = differencesOf(run, run, DifferencesBy::Places);
  EXPECT_EQ(remarkOf(*find(found, "transpose")), "within noise, once, not in the sum");
}

TEST(Differences, AnUnknownTimeIsNoNumber) {
  TimedRun known = runOf({kernelOf(0, "a", "m.mlir:1:1", 10)});
  TimedRun unknown = runOf({kernelOf(0, "a", "m.mlir:1:1", -1)});
  RunDifferences found = differencesOf(known, unknown, DifferencesBy::Places);
  EXPECT_FALSE(found.rows[0].isKnown());
  EXPECT_FALSE(found.rows[0].isWithinNoise());
  EXPECT_FALSE(found.after.isKnown());
  EXPECT_EQ(changeText(found.before, found.after), "");
  EXPECT_NE(differencesCsv(found).find("\na,dispatch,1,1,10,9.9,10.1,,,,,,false,false,\n"), std::string::npos)
      << differencesCsv(found);
}

TEST(Differences, RunsThatAreNoPairSayWhy) {
  TimedRun before = runOf({kernelOf(0, "a", "m.mlir:1:1", 10)});
  Kernel<> warm = kernelOf(0, "a", "m.mlir:1:1", 10);
  warm.cold = "warm";
  RunDifferences found = differencesOf(before, runOf({warm}), DifferencesBy::Places);
  ASSERT_EQ(found.doubts.size(), 1u);
  EXPECT_EQ(found.doubts[0], "caches differ: flushed before, warm after");
  EXPECT_TRUE(differencesOf(before, before, DifferencesBy::Places).doubts.empty());
}

TEST(Differences, TheTableOfASpreadsheetHasASum) {
  TimedRun before = runOf({kernelOf(0, "a,b", "m.mlir:1:1", 10), kernelOf(1, "c", "m.mlir:2:1", 10)});
  TimedRun after = runOf({kernelOf(0, "a,b", "m.mlir:1:1", 5)});
  std::string csv = differencesCsv(differencesOf(before, after, DifferencesBy::Places));
  EXPECT_NE(csv.find("\n\"a,b\",dispatch,1,1,10,9.9,10.1,5,4.9,5.1,-5,-0.5,false,false,\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nc,dispatch,1,0,10,9.9,10.1,,,,,,false,false,\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n,sum,2,1,20,19.8,20.2,5,4.9,5.1,-15,-0.75,false,false,\n"), std::string::npos) << csv;
}

} // namespace
