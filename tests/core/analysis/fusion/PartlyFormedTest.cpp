// One dispatch that is formed already changes nothing of what is said of the others.
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "tests/support/Draws.h"
#include "tests/support/RandomChains.h"
#include "tests/support/RandomModules.h"
#include "tests/support/SampleTexts.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

/// What is said of a separate edge.
struct Said {
  int64_t bytes = 0;
  std::vector<std::string> codes{};
  bool operator==(const Said &) const = default;
};

void PrintTo(const Said &said, std::ostream *os) {
  *os << said.bytes << " bytes";
  for (const std::string &code : said.codes)
    *os << ' ' << code;
}

/// Of edges by where their ends are in the text, and how many there are: an op that several dispatches compute is in
/// each.
using SaidOf = std::map<std::tuple<std::string, std::string, int>, Said>;

SaidOf separateEdges(const FusionReport &report) {
  SaidOf edges;
  for (const FusionEdgeReport &edge : report.edges) {
    if (edge.verdict != Verdict::Separate)
      continue;
    Said said{.bytes = edge.bytes};
    for (const FusionReasonReport &reason : edge.reasons)
      said.codes.push_back(reason.code);
    edges[{edge.fromLoc, edge.toLoc, edge.operand}] = said;
  }
  return edges;
}

int64_t savedByAll(const FusionReport &report) {
  int64_t bytes = 0;
  for (const FusionEdgeReport &edge : report.edges)
    bytes += edge.verdict == Verdict::Separate ? edge.bytes : 0;
  return bytes;
}

/// As reports write it.
std::string locOf(Operation *op) {
  auto at = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return at ? llvm::formatv("{0}:{1}:{2}", at.getFilename().getValue(), at.getLine(), at.getColumn()).str() : "";
}

unsigned compared = 0;

void check(const std::string &source, const std::string &what, std::mt19937 &random) {
  Session session(allDialects());
  auto module = session.parse(source, "module");
  ASSERT_TRUE(bool(module)) << what << ": " << llvm::toString(module.takeError());
  auto before = explainFusion(**module, {}, 500, {.maxOps = 0});
  ASSERT_TRUE(bool(before)) << what << ": " << llvm::toString(before.takeError());
  const SaidOf wanted = separateEdges(*before);
  // Forms one of the planned dispatches.
  SmallVector<func::FuncOp> functions((*module)->getOps<func::FuncOp>());
  std::set<std::string> formed;
  for (func::FuncOp function : functions) {
    if (function.isExternal() || !canHoldDispatches(function.getBody()))
      continue;
    DispatchPlan plan = planFunction(function.getBody(), {});
    if (plan.groups.size() < 2 || !plan.orders.empty())
      continue;
    const DispatchGroup &group = plan.groups[random() % plan.groups.size()];
    for (Operation *op : group.ops)
      formed.insert(locOf(op));
    for (Operation *op : group.clonedProducers)
      formed.insert(locOf(op));
    IRRewriter rewriter(function.getContext());
    ASSERT_TRUE(succeeded(wrapDispatch(rewriter, group))) << what;
    if (!isPartlyFormed(function))
      return; // nothing that computes is left
    break;
  }
  if (formed.empty())
    return;
  std::string text;
  llvm::raw_string_ostream(text) << **module;
  auto after = explainFusion(**module, {}, 500, {.maxOps = 0});
  ASSERT_TRUE(bool(after)) << what << ": " << llvm::toString(after.takeError());
  EXPECT_EQ(after->totals.dispatches, before->totals.dispatches) << what << '\n' << source << "\nbecame\n" << text;
  EXPECT_EQ(after->totals.bytes, before->totals.bytes) << what << '\n' << source << "\nbecame\n" << text;
  EXPECT_EQ(after->totals.missedBytes, before->totals.missedBytes) << what << '\n' << source << "\nbecame\n" << text;
  // A slice that is stored for one reader may be taken along by another.
  if (source.find("extract_slice") == std::string::npos)
    EXPECT_EQ(savedByAll(*after), savedByAll(*before)) << what << '\n' << source << "\nbecame\n" << text;
  const SaidOf said = separateEdges(*after);
  for (const auto &[edge, expected] : wanted) {
    auto [from, to, operand] = edge;
    auto found = said.find(edge);
    if (formed.contains(from) || formed.contains(to) || found == said.end())
      continue;
    ++compared;
    // A slice that a dispatch took along is read there: its own edge is the one that moves bytes.
    Said other = found->second;
    other.bytes = other.bytes == 0 || expected.bytes == 0 ? expected.bytes : other.bytes;
    EXPECT_EQ(other, expected) << what << ": " << from << " to " << to << '\n' << source << "\nbecame\n" << text;
  }
}

TEST(PartlyFormed, Chains) {
  for (unsigned draw = 0; draw < draws(40) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 51);
    ChainOptions options;
    options.ops = 4 + random() % 12;
    options.unitDims = random() % 2;
    options.slices = random() % 3 == 0;
    options.results = 1 + random() % 3;
    check(randomChain(options, random), "chain " + std::to_string(draw), random);
  }
}

TEST(PartlyFormed, Modules) {
  for (unsigned draw = 0; draw < draws(40) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 52);
    ModuleOptions options;
    options.steps = 4 + random() % 14;
    check(randomModule(options, random), "module " + std::to_string(draw), random);
  }
  EXPECT_GT(compared, draws(40) / 20);
}

TEST(PartlyFormed, Samples) {
  std::mt19937 random = randomOf(0, 53);
  for (const auto &[path, text] : sampleTexts())
    check(text, path, random);
}

} // namespace
