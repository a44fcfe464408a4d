// Edges that are the same but for where they are make a group: exactly those, and with their totals.
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/RandomChains.h"
#include "tests/support/RandomModules.h"
#include <gtest/gtest.h>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

FusionReport reportOn(const std::string &source, UnlockProofOptions proofs = {}) {
  Session session(allDialects());
  auto module = session.parse(source, "model.mlir");
  EXPECT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError()) << source;
  auto report = explainFusion(**module, {}, 500, proofs);
  EXPECT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError()) << source;
  return std::move(*report);
}

/// What a row of the flat list says, but for where the edge is.
std::string rowOf(const FusionEdgeReport &edge) {
  std::string text = edge.function + edge.fromOp + edge.toOp + edge.type + std::to_string(edge.operand) +
                     std::to_string(int(edge.verdict)) + std::to_string(edge.missed) + std::to_string(edge.bytes);
  for (const FusionReasonReport &reason : edge.reasons)
    text += reason.code + reason.kind + reason.evidence.producerMap + reason.evidence.consumerMap;
  for (const std::string &unlock : edge.unlocks)
    text += unlock;
  return text;
}

/// Every edge is in one group, the one that it names; what a group stands for agrees, and adds up.
void checkGroups(const FusionReport &report, const std::string &source) {
  std::multiset<int64_t> listed;
  int64_t previous = INT64_MAX;
  for (auto [number, group] : llvm::enumerate(report.groups)) {
    ASSERT_FALSE(group.edges.empty());
    int64_t bytes = 0;
    bool isKnown = true;
    for (int64_t index : group.edges) {
      const FusionEdgeReport &edge = report.edges.at(index);
      EXPECT_EQ(edge.group, static_cast<int>(number)) << source;
      EXPECT_EQ(rowOf(edge), rowOf(report.edges[group.edges.front()])) << source;
      bytes += edge.bytes;
      isKnown &= edge.bytes >= 0;
      listed.insert(index);
    }
    EXPECT_EQ(group.bytes, isKnown ? bytes : -1) << source;
    bool isSeparate = report.edges[group.edges.front()].verdict == Verdict::Separate;
    int64_t rank = isSeparate ? group.bytes : -2;
    EXPECT_LE(rank, previous) << source;
    previous = rank;
  }
  ASSERT_EQ(listed.size(), report.edges.size()) << source;
  EXPECT_EQ(std::set<int64_t>(listed.begin(), listed.end()).size(), listed.size()) << source;
}

/// Who goes on to another step does not wait for the end of a report.
TEST(FusionReports, EndWhereTheyAreCancelled) {
  Session session(allDialects());
  auto module = session.open(FUSELAGE_SOURCE_DIR "/samples/softmax.mlir");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  std::atomic<bool> cancelled = false;
  UnlockProofOptions proofs;
  proofs.cancelled = &cancelled;
  auto whole = explainFusion(**module, {}, 500, proofs);
  ASSERT_TRUE(static_cast<bool>(whole)) << llvm::toString(whole.takeError());
  EXPECT_FALSE(whole->edges.empty());
  cancelled = true;
  auto report = explainFusion(**module, {}, 500, proofs);
  ASSERT_FALSE(static_cast<bool>(report));
  EXPECT_EQ(takeFailure(report.takeError()).message, "judging the edges was cancelled");
}

TEST(FusionGroups, ExpandToTheFlatListOnRandomPrograms) {
  size_t edges = 0, groups = 0;
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 91);
    ChainOptions chain{.ops = 2 + int(random() % 12), .results = 1 + int(random() % 2)};
    ModuleOptions options{.steps = 2 + int(random() % 12), .dynamicSizes = draw % 4 == 3};
    std::string source = draw % 3 == 0   ? randomChain(chain, random)
                         : draw % 3 == 1 ? randomModule(options, random)
                                         : layeredModel({.layers = 2 + draw % 5, .also = draw % 32});
    FusionReport report = reportOn(source, {.maxOps = 0});
    checkGroups(report, source);
    edges += report.edges.size();
    groups += report.groups.size();
  }
  EXPECT_LT(groups, edges);
}

/// Layers add places, not rows.
TEST(FusionGroups, OfAModelAreThoseOfFewLayers) {
  FusionReport few = reportOn(layeredModel({.layers = 8, .also = 31})),
               many = reportOn(layeredModel({.layers = 24, .also = 31}));
  checkGroups(many, "24 layers");
  EXPECT_EQ(few.groups.size(), many.groups.size());
  EXPECT_GT(many.edges.size(), 2 * few.edges.size());
  EXPECT_TRUE(many.unproven.empty());
}

TEST(FusionGroups, AreRowsOfTheText) {
  FusionReport report = reportOn(layeredModel({.layers = 10, .also = 1}));
  std::string grouped = formatFusionReport(report, {}), flat = formatFusionReport(report, {.flat = true});
  EXPECT_NE(grouped.find("x10 "), std::string::npos) << grouped;
  EXPECT_EQ(flat.find("times  from"), std::string::npos) << flat;
  EXPECT_LT(2 * llvm::count(grouped, '\n'), llvm::count(flat, '\n'));
}

} // namespace
