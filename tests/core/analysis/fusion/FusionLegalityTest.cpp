// No edge is called illegal that tile-and-fuse fuses: ours or upstream's, in the whole function, by any tiles.
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/transforms/tile_and_fuse/TileAndFuse.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "tests/support/Draws.h"
#include "tests/support/RandomChains.h"
#include "tests/support/RandomModules.h"
#include <gtest/gtest.h>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

/// Ops by their places in a walk.
std::vector<Operation *> opsOf(ModuleOp module) {
  std::vector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

/// Edges as pairs of places.
using Edges = std::set<std::pair<unsigned, unsigned>>;

/// Tiles that cut a parallel loop at least, at random; empty if none can be cut.
SmallVector<int64_t> drawTiles(TilingInterface root, std::mt19937 &random) {
  OpBuilder builder(root);
  SmallVector<int64_t> tiles;
  bool isCut = false;
  for (auto [range, iterator] : llvm::zip_equal(root.getIterationDomain(builder), root.getLoopIteratorTypes())) {
    int64_t extent = getConstantIntValue(range.size).value_or(8);
    bool isWhole = iterator != utils::IteratorType::parallel || extent < 2 || random() % 3 == 0;
    tiles.push_back(isWhole ? 0 : 1 + int64_t(random() % (extent - 1)));
    isCut |= !isWhole;
  }
  return isCut && whyNotTiled(root, TileAndFuseOptions().setTileSizes(tiles)).empty() ? tiles : SmallVector<int64_t>();
}

/// The edges between ops that upstream fuses after `root`.
Edges fusedUpstream(ModuleOp module, unsigned rootPlace, std::mt19937 &random) {
  OwningOpRef<ModuleOp> copy(module.clone());
  std::vector<Operation *> ops = opsOf(*copy);
  auto root = cast<TilingInterface>(ops[rootPlace]);
  SmallVector<int64_t> tiles = drawTiles(root, random);
  Edges fused, known;
  if (tiles.empty())
    return fused;
  llvm::DenseMap<Operation *, unsigned> places;
  for (auto [place, op] : llvm::enumerate(ops)) {
    places[op] = place;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (auto found = places.find(producer); found != places.end())
          known.insert({found->second, unsigned(place)});
  }
  ScopedDiagnosticHandler silence(copy->getContext(), [](mlir::Diagnostic &) { return success(); });
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(getAsIndexOpFoldResult(copy->getContext(), tiles));
  IRRewriter rewriter(copy->getContext());
  auto result = scf::tileConsumerAndFuseProducersUsingSCF(rewriter, root, options);
  if (failed(result) || result->loops.empty())
    return fused;
  std::set<unsigned> members{rootPlace};
  for (Operation *producer : result->fusedProducers)
    if (auto found = places.find(producer); found != places.end())
      members.insert(found->second);
  for (auto [from, to] : known)
    if (members.contains(from) && members.contains(to))
      fused.insert({from, to});
  return fused;
}

/// Whether ours moves the one op into the loops around the other.
bool isFusedByOurs(ModuleOp module, unsigned from, unsigned to, bool fromConsumer, std::mt19937 &random) {
  OwningOpRef<ModuleOp> copy(module.clone());
  std::vector<Operation *> ops = opsOf(*copy);
  auto root = dyn_cast<TilingInterface>(ops[fromConsumer ? to : from]);
  if (!root || isa<LoopLikeOpInterface>(root.getOperation()))
    return false;
  SmallVector<int64_t> tiles = drawTiles(root, random);
  if (tiles.empty())
    return false;
  Operation *other = ops[fromConsumer ? from : to];
  TileAndFuseOptions options;
  options.setTileSizes(tiles).setFuseProducers(fromConsumer).setFuseConsumers(!fromConsumer);
  options.setControl([&](const FusionCandidate &candidate) { return candidate.op == other; });
  IRRewriter rewriter(copy->getContext());
  FailureOr<TileAndFuseResult> result = tileAndFuse(rewriter, root, options);
  return succeeded(result) && !(fromConsumer ? result->producers : result->consumers).empty();
}

struct Counts {
  unsigned fused = 0, illegal = 0;
};

/// Asks for every edge, and fuses around every op.
Counts check(const std::string &source, std::mt19937 &random, const char *policyName) {
  Counts counts;
  auto policy = parseFusionPolicy(policyName);
  EXPECT_TRUE(bool(policy));
  Session session(allDialects());
  auto module = session.parse(source, "module");
  EXPECT_TRUE(bool(module)) << llvm::toString(module.takeError()) << source;
  std::vector<BodyVerdicts> bodies = judgeFusion(**module, *policy);
  tryToShareLoops(bodies);
  std::vector<Operation *> ops = opsOf(**module);
  llvm::DenseMap<Operation *, unsigned> places;
  for (auto [place, op] : llvm::enumerate(ops))
    places[op] = place;
  Edges illegal;
  for (const BodyVerdicts &body : bodies)
    for (const EdgeVerdict &edge : body.edges) {
      if (edge.verdict != Verdict::Separate) {
        EXPECT_EQ(edge.isLegal(), true);
      }
      // What a payload reads as a whole is another matter than what the operands of the same op bring.
      if (edge.isLegal() == false && !edge.edge.isCaptured())
        illegal.insert({places.at(edge.from), places.at(edge.to)});
    }
  counts.illegal = illegal.size();
  for (auto [from, to] : illegal)
    for (bool fromConsumer : {true, false})
      for (int draw = 0; draw < 3; ++draw)
        EXPECT_FALSE(isFusedByOurs(**module, from, to, fromConsumer, random))
            << from << " -> " << to << (fromConsumer ? " from the consumer\n" : " from the producer\n") << source;
  for (auto [place, op] : llvm::enumerate(ops)) {
    if (!isa<TilingInterface>(op) || isa<LoopLikeOpInterface>(op) || op->getNumResults() == 0 ||
        !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      continue;
    for (const std::pair<unsigned, unsigned> &edge : fusedUpstream(**module, place, random)) {
      ++counts.fused;
      EXPECT_FALSE(illegal.contains(edge)) << edge.first << " -> " << edge.second << " around " << place << '\n'
                                           << source;
    }
  }
  return counts;
}

TEST(FusionLegality, ChainsThatTileAndFuseTakesAreLegal) {
  Counts all;
  for (unsigned draw = 0; draw < draws(25) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 31);
    ChainOptions options;
    options.ops = 2 + random() % 8;
    options.unitDims = random() % 2;
    options.slices = random() % 2;
    options.results = 1 + random() % 3;
    Counts counts = check(randomChain(options, random), random, draw % 2 ? "aggressive" : "conservative");
    all.fused += counts.fused;
    all.illegal += counts.illegal;
  }
  EXPECT_GT(all.fused, 20u);
}

TEST(FusionLegality, ModulesThatTileAndFuseTakesAreLegal) {
  Counts all;
  for (unsigned draw = 0; draw < draws(25) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 32);
    ModuleOptions options;
    options.steps = 2 + random() % 10;
    options.dynamicSizes = random() % 4 == 0;
    Counts counts = check(randomModule(options, random), random, draw % 2 ? "aggressive" : "conservative");
    all.fused += counts.fused;
    all.illegal += counts.illegal;
  }
  EXPECT_GT(all.fused, 10u);
  EXPECT_GT(all.illegal, 10u) << "nothing is illegal any more: the answer has no worth";
}

constexpr const char *kPreamble = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: tensor<32x32xf32>, %t: tensor<4x4x8x8xf32>, %l: tensor<32xf32>) -> tensor<*xf32> {
  %e = tensor.empty() : tensor<32x32xf32>
  %et = tensor.empty() : tensor<4x4x8x8xf32>
)";

constexpr const char *kNegated = R"( : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<32x32xf32>
)";

std::string negated(const std::string &result, const std::string &value) {
  return "  " + result +
         " = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(" + value +
         kNegated;
}

std::string reduced(const std::string &result, const std::string &value, const std::string &op) {
  return "  " + result +
         " = linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"reduction\"]} ins(" +
         value + " : tensor<32x32xf32>) outs(%l : tensor<32xf32>) {\n  ^bb0(%x: f32, %o: f32):\n    %y = arith." + op +
         " %x, %o : f32\n    linalg.yield %y : f32\n  } -> tensor<32xf32>\n";
}

std::string byRows(const std::string &result, const std::string &value, const std::string &rows,
                   const std::string &op) {
  return "  " + result +
         " = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
         value + ", " + rows + " : tensor<32x32xf32>, tensor<32xf32>) outs(%e : tensor<32x32xf32>) {\n" +
         "  ^bb0(%x: f32, %z: f32, %o: f32):\n    %y = arith." + op +
         " %x, %z : f32\n    linalg.yield %y : f32\n  } -> tensor<32x32xf32>\n";
}

/// The whole function; what it returns is a cast to no shape, which is no edge of loops.
std::string function(const std::string &body, const std::string &value, const std::string &type) {
  return kPreamble + body + "  %r = tensor.cast " + value + " : " + type +
         " to tensor<*xf32>\n  return %r : tensor<*xf32>\n}\n";
}

/// Every edge between two ops that compute is legal.
void expectAllLegal(const std::string &source) {
  for (const char *name : {"aggressive", "conservative", "none"}) {
    auto policy = parseFusionPolicy(name);
    ASSERT_TRUE(bool(policy));
    Session session(allDialects());
    auto module = session.parse(source, "module");
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError()) << source;
    std::vector<BodyVerdicts> bodies = judgeFusion(**module, *policy);
    tryToShareLoops(bodies);
    unsigned edges = 0;
    for (const BodyVerdicts &body : bodies)
      for (const EdgeVerdict &edge : body.edges) {
        if (isa<tensor::EmptyOp>(edge.from) || isa<tensor::CastOp>(edge.to))
          continue;
        ++edges;
        EXPECT_EQ(edge.isLegal(), true) << name << ", operand " << edge.operand << " of line "
                                        << positionOf(edge.to->getLoc()).line << '\n'
                                        << source;
      }
    EXPECT_GT(edges, 0u);
  }
}

const std::string kSquare = "tensor<32x32xf32>";

TEST(FusionLegality, UnpackThenElementwise) {
  expectAllLegal(function("  %u = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e : "
                          "tensor<4x4x8x8xf32> -> tensor<32x32xf32>\n" +
                              negated("%v", "%u"),
                          "%v", kSquare));
}

TEST(FusionLegality, ElementwiseThenPack) {
  expectAllLegal(function(negated("%v", "%a") + "  %p = linalg.pack %v inner_dims_pos = [0, 1] inner_tiles = [8, 8] "
                                                "into %et : tensor<32x32xf32> -> tensor<4x4x8x8xf32>\n",
                          "%p", "tensor<4x4x8x8xf32>"));
}

TEST(FusionLegality, SoftmaxThenElementwise) {
  expectAllLegal(function("  %s = linalg.softmax dimension(1) ins(%a : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) "
                          "-> tensor<32x32xf32>\n" +
                              negated("%v", "%s"),
                          "%v", kSquare));
}

TEST(FusionLegality, SoftmaxOpByOp) {
  expectAllLegal(function(reduced("%m", "%a", "maximumf") + byRows("%d", "%a", "%m", "subf") +
                              reduced("%s", "%d", "addf") + byRows("%v", "%d", "%s", "divf"),
                          "%v", kSquare));
}

TEST(FusionLegality, ReductionWithTwoConsumers) {
  expectAllLegal(
      function(reduced("%m", "%a", "addf") + byRows("%d", "%a", "%m", "subf") + byRows("%q", "%d", "%m", "divf"), "%q",
               kSquare));
}

TEST(FusionLegality, ElementwiseThenInsertSlice) {
  expectAllLegal(function(
      negated("%v", "%a") +
          "  %big = tensor.empty() : tensor<64x32xf32>\n"
          "  %i = tensor.insert_slice %v into %big[0, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x32xf32>\n",
      "%i", "tensor<64x32xf32>"));
}

TEST(FusionLegality, SliceThenInsertSlice) {
  expectAllLegal(function(
      "  %v = linalg.exp ins(%a : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>\n"
      "  %k = tensor.extract_slice %v[0, 1] [32, 16] [1, 2] : tensor<32x32xf32> to tensor<32x16xf32>\n"
      "  %i = tensor.insert_slice %k into %a[0, 0] [32, 16] [1, 1] : tensor<32x16xf32> into tensor<32x32xf32>\n",
      "%i", kSquare));
}

TEST(FusionLegality, ScalarsOfNamedOps) {
  expectAllLegal("func.func @f(%z: tensor<f32>) -> tensor<f32> {\n"
                 "  %s = linalg.exp ins(%z : tensor<f32>) outs(%z : tensor<f32>) -> tensor<f32>\n"
                 "  %t = linalg.negf ins(%s : tensor<f32>) outs(%z : tensor<f32>) -> tensor<f32>\n"
                 "  return %t : tensor<f32>\n}\n");
}

TEST(FusionLegality, CallsAndGathersAreNot) {
  Session session(allDialects());
  auto module = session.parse(R"(
func.func private @other(tensor<8xf32>) -> tensor<8xf32>
func.func @f(%a: tensor<8xf32>, %i: tensor<8xindex>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = func.call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%at: index, %o: f32):
    %y = tensor.extract %x[%at] : tensor<8xf32>
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %c, %g : tensor<8xf32>, tensor<8xf32>
})",
                              "module");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  std::vector<BodyVerdicts> bodies = judgeFusion(**module, {});
  tryToShareLoops(bodies);
  unsigned illegal = 0;
  for (const BodyVerdicts &body : bodies)
    for (const EdgeVerdict &edge : body.edges)
      illegal += edge.isLegal() == false;
  EXPECT_EQ(illegal, 2u);
}

} // namespace
