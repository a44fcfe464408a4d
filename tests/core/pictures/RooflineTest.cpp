// The roofline chart, from a report to pixels and files.
#include "core/pictures/RooflineSvg.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::message;

namespace {

std::string same(const std::string &text) { return text; }

Kernel<> kernelOf(const char *dispatch, const char *loc, double flops, double bytes, double us) {
  Kernel<> kernel;
  kernel.dispatch = kernel.name = dispatch;
  kernel.loc = loc;
  kernel.parts = {loc};
  kernel.flops = flops;
  kernel.bytes = bytes;
  kernel.medianUs = us;
  return kernel;
}

RunReport<> reportOf(std::vector<Kernel<>> kernels) {
  RunReport<> report;
  report.device = "vulkan:0";
  report.kernels = std::move(kernels);
  report.peaks = DevicePeaks<>();
  report.peaks->peaks = {{.kind = PeakKind::Bandwidth, .name = "memory", .rate = 10, .how = ""},
                         {.kind = PeakKind::Compute, .name = "f32", .rate = 100, .how = ""}};
  return report;
}

double luminance(unsigned colour) {
  double sum = 0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 3; ++i) {
    double part = ((colour >> (16 - 8 * i)) & 255) / 255.0;
    sum += weights[i] * (part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(unsigned a, unsigned b) {
  double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
  return (light + 0.05) / (dark + 0.05);
}

} // namespace

TEST(Roofline, AddsTheKernelsOfADispatch) {
  RunReport<> report =
      reportOf({kernelOf("mm", "m.mlir:3:1", 2e6, 1e5, 30), kernelOf("mm", "m.mlir:3:1", 2e6, 1e5, 10)});
  report.kernels[1].name = "mm_second";
  Kernel<> unknown = kernelOf("gather", "m.mlir:9:1", -1, 10, 1), host = kernelOf("tensor.cast", "", 1, 1, 1);
  host.onHost = true;
  report.kernels.insert(report.kernels.end(), {unknown, host});
  RooflineChart chart = rooflineOf<StdTypes>(report, nullptr, "", same);
  ASSERT_EQ(chart.now.size(), 1u);
  EXPECT_DOUBLE_EQ(chart.now[0].us, 40);
  EXPECT_DOUBLE_EQ(chart.now[0].gflops, 50);
  EXPECT_DOUBLE_EQ(chart.now[0].intensity, 20);
  EXPECT_EQ(chart.leftOut, 1);
}

TEST(Roofline, WhatOnlyMovesDataStandsUnderTheMemoryPeakAtTheLeftEdge) {
  RunReport<> report = reportOf({kernelOf("transpose", "m.mlir:2:1", 0, 1e6, 200)}); // 5 GB/s of 10
  RooflineChart chart = rooflineOf<StdTypes>(report, nullptr, "", same);
  ASSERT_EQ(chart.now.size(), 1u);
  double edge = std::pow(10.0, chart.xLow);
  EXPECT_TRUE(chart.now[0].movesOnly);
  EXPECT_DOUBLE_EQ(chart.now[0].intensity, edge);
  EXPECT_DOUBLE_EQ(chart.now[0].gflops, 0.5 * 10 * edge);
}

TEST(Roofline, ArrowsLeadToTheDispatchThatHasTheOpNow) {
  RunReport<> before = reportOf({kernelOf("a", "m.mlir:1:1", 1e6, 1e6, 10), kernelOf("b", "m.mlir:2:1", 1e6, 1e6, 10),
                                 kernelOf("c", "m.mlir:3:1", 1e6, 1e6, 10)});
  RunReport<> now = reportOf({kernelOf("ab", "m.mlir:2:1", 2e6, 1e6, 10)});
  now.kernels[0].parts = {"m.mlir:1:1", "m.mlir:2:1"};
  RooflineChart chart = rooflineOf<StdTypes>(now, &before, "then", same);
  ASSERT_EQ(chart.arrows.size(), 2u);
  EXPECT_EQ(chart.arrows[0].from, 0);
  EXPECT_EQ(chart.arrows[1].from, 1);
  EXPECT_EQ(chart.arrows[1].to, 0);
}

TEST(Roofline, AllIsOnTheAxes) {
  RunReport<> report = reportOf({kernelOf("slow", "", 1, 1e9, 1e6), kernelOf("dense", "", 1e12, 10, 1e3)});
  RooflineChart chart = rooflineOf<StdTypes>(report, nullptr, "", same);
  RooflinePlace place{.left = 50, .top = 20, .width = 400, .height = 300};
  RooflineScale scale(chart, place);
  for (const RooflinePoint &point : chart.now) {
    EXPECT_GE(scale.x(point.intensity), place.left - 1e-6);
    EXPECT_LE(scale.x(point.intensity), place.right() + 1e-6);
    EXPECT_GE(scale.y(point.gflops), place.top - 1e-6);
    EXPECT_LE(scale.y(point.gflops), place.bottom() + 1e-6);
  }
  EXPECT_LT(scale.x(1), scale.x(10));
  EXPECT_GT(scale.y(1), scale.y(10));
}

TEST(Roofline, SharesSayWhatTheyAre) {
  EXPECT_EQ(shareText(LimitKind::Memory, "memory", 0.78, ShareBound::Exact), "78 % of the memory peak");
  EXPECT_EQ(shareText(LimitKind::Compute, "f32", 0.0123, ShareBound::AtLeast), "at least 1.2 % of the f32 peak");
  EXPECT_EQ(shareText(LimitKind::Launch, "launch", 0.9, ShareBound::AtMost), "at most 90 % is the launch");
  EXPECT_EQ(shareText(LimitKind::Unknown, "", -1, ShareBound::Exact), "");
}

TEST(Roofline, FilesHavePeaksAndDispatches) {
  RunReport<> report = reportOf({kernelOf("a<b", "m.mlir:1:1", 1e6, 1e6, 10)});
  report.kernels[0].limit = {.kind = LimitKind::Memory, .peak = "memory", .us = 5, .share = 0.5};
  RooflineChart chart = rooflineOf<StdTypes>(report, nullptr, "", same);
  EXPECT_DOUBLE_EQ(chart.now[0].attainable, 200);
  for (bool isDark : {false, true}) {
    std::string svg = rooflineSvg(chart, isDark);
    EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
    EXPECT_EQ(svg.find("a<b"), std::string::npos);
    EXPECT_NE(svg.find("memory, 10 GB/s"), std::string::npos);
    EXPECT_NE(svg.find("f32, 100 GFLOP/s"), std::string::npos);
  }
  std::string csv = rooflineCsv(chart);
  EXPECT_NE(csv.find("roof,memory,,10,,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("dispatch,a<b,m.mlir:1:1,100,100,1,10,memory,memory,5,0.5,exact\n"), std::string::npos) << csv;
  EXPECT_NE(rooflineSvg(RooflineChart(), false).find("</svg>"), std::string::npos);
}

TEST(Roofline, ColoursCanBeRead) {
  for (const picture::RooflineColours &colours : {picture::rooflineLight, picture::rooflineDark}) {
    for (unsigned text :
         {colours.text, colours.muted, colours.memory, colours.compute, colours.selected, colours.before})
      EXPECT_GE(contrast(text, colours.ground), 4.5) << std::hex << text;
    for (unsigned mark : {colours.point, colours.wrong})
      EXPECT_GE(contrast(mark, colours.ground), 3.0) << std::hex << mark;
  }
}
