// Tile-and-fuse keeps what a function computes, whatever it fuses through and refuses.
#include "../../support/PassEquivalence.h"
#include "../../support/RandomChains.h"
#include "core/transforms/TileAndFuse.h"
#include "core/transforms/TileCleanup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

int draws(int usual) {
  const char *asked = std::getenv("FUSELAGE_TEST_DRAWS");
  return asked ? usual * std::atoi(asked) : usual;
}

/// What was fused and refused over many draws, so that a test cannot pass by doing nothing.
struct Tally {
  std::map<std::string, int> producers, consumers, refusals;
  int tiled = 0;
};

/// Tiles any op of a function in any way.
class TileAnyOp : public PassWrapper<TileAnyOp, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAnyOp)
  TileAnyOp(unsigned seed, Tally &tally) : seed_(seed), tally_(&tally) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, scf::SCFDialect, tensor::TensorDialect, linalg::LinalgDialect>();
  }

  void runOnOperation() override {
    std::mt19937 random(seed_);
    SmallVector<TilingInterface> roots;
    getOperation().walk([&](TilingInterface op) { roots.push_back(op); });
    if (roots.empty())
      return;
    TilingInterface root = roots[random() % roots.size()];
    TileAndFuseOptions options;
    SmallVector<int64_t> sizes;
    for (size_t loop = 0; loop < root.getLoopIteratorTypes().size(); ++loop)
      sizes.push_back(random() % 4 ? int64_t(1 + random() % 5) : 0);
    options.setTileSizes(sizes).setLoop(random() % 2 ? TileLoop::For : TileLoop::Forall);
    options.setShared(SharedProducer(random() % 3)).setCoverStridedTiles(random() % 2);
    options.setFuseConsumers(random() % 4).setFuseProducers(random() % 8);
    if (random() % 3 == 0 && !sizes.empty()) {
      SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
      std::shuffle(order.begin(), order.end(), random);
      options.setInterchange(order);
    }
    if (!whyNotTiled(root, options).empty())
      return;
    IRRewriter rewriter(&getContext());
    FailureOr<TileAndFuseResult> result = tileAndFuse(rewriter, root, options);
    if (failed(result)) {
      getOperation().emitError("tiling failed");
      return signalPassFailure();
    }
    ++tally_->tiled;
    for (const std::string &name : result->producers)
      ++tally_->producers[name];
    for (const std::string &name : result->consumers)
      ++tally_->consumers[name];
    for (const RefusedFusion &refused : result->refusals)
      ++tally_->refusals[infoOf(refused.refusal.reason).code.str()];
    if (random() % 2)
      cleanUpTiles(getOperation().getBody().front());
  }

private:
  unsigned seed_;
  Tally *tally_;
};

TEST(TileAndFuse, KeepsWhatChainsCompute) {
  Tally tally;
  for (int draw = 0; draw < draws(150) && !HasFailure(); ++draw) {
    std::mt19937 random(draw * 7919 + 5);
    ChainOptions options;
    options.ops = 2 + random() % 8;
    options.unitDims = random() % 3 == 0;
    options.products = random() % 2;
    options.reductions = random() % 2;
    options.slices = random() % 5;
    options.results = 1 + random() % 3;
    std::string source = randomChain(options, random);
    Session session;
    Equivalence outcome = checkEquivalence(
        session, source,
        [&](OpPassManager &passes) { passes.nest<func::FuncOp>().addPass(std::make_unique<TileAnyOp>(draw, tally)); },
        draw, 1e-4);
    EXPECT_EQ(outcome.problem, "") << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
  }
  for (const char *name : {"linalg.generic", "tensor.extract_slice", "tensor.expand_shape", "tensor.collapse_shape",
                           "tensor.cast", "tensor.pad", "tensor.concat"})
    EXPECT_GT(tally.producers[name], 0) << name << " was never fused as a producer";
  for (const char *name : {"linalg.generic", "tensor.extract_slice", "tensor.expand_shape", "tensor.collapse_shape",
                           "tensor.cast"})
    EXPECT_GT(tally.consumers[name], 0) << name << " was never fused as a consumer";
  for (const char *code : {"GROUP_SPLIT_UNEVENLY", "STRIDED_TILE", "CONCAT_STRADDLED", "ACCUMULATOR_RESET",
                           "INNER_DIMENSION_CUT", "SHARED_VALUE", "SLICE_CUT"})
    EXPECT_GT(tally.refusals[code], 0) << code << " never came up";
}

} // namespace
