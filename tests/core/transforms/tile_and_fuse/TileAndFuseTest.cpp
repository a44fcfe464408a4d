// Tile-and-fuse keeps what a function computes, whatever it fuses through and refuses.
#include "core/transforms/tile_and_fuse/TileAndFuse.h"
#include "core/registration/Registration.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "tests/support/Draws.h"
#include "tests/support/PassEquivalence.h"
#include "tests/support/RandomChains.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

/// What was fused and refused over many draws, so that a test cannot pass by doing nothing.
struct Tally {
  std::map<std::string, int> producers, consumers, refusals;
  int tiled = 0;
};

/// Tiles any op of a function in any way; by few large tiles if `coarse`.
class TileAnyOp : public PassWrapper<TileAnyOp, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAnyOp)
  TileAnyOp(unsigned seed, Tally &tally, bool coarse = false) : seed_(seed), tally_(&tally), coarse_(coarse) {}

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
      sizes.push_back(coarse_ ? coarseSize(root, loop, random) : random() % 4 ? int64_t(1 + random() % 5) : 0);
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
  static int64_t coarseSize(TilingInterface root, size_t loop, std::mt19937 &random) {
    auto structured = dyn_cast<linalg::LinalgOp>(root.getOperation());
    int64_t extent = structured ? structured.getStaticLoopRanges()[loop] : ShapedType::kDynamic;
    return ShapedType::isDynamic(extent) ? 16 : llvm::divideCeil(extent, 1 + random() % 4);
  }

  unsigned seed_;
  Tally *tally_;
  bool coarse_;
};

TEST(TileAndFuse, KeepsWhatChainsCompute) {
  Tally tally;
  for (unsigned draw = 0; draw < draws(150) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 5);
    ChainOptions options;
    options.ops = 2 + random() % 8;
    options.unitDims = random() % 3 == 0;
    options.products = random() % 2;
    options.reductions = random() % 2;
    options.slices = random() % 5;
    options.results = 1 + random() % 3;
    std::string source = randomChain(options, random);
    Session session(allDialects());
    Equivalence outcome = checkEquivalence(
        session, source,
        [&](OpPassManager &passes) { passes.nest<func::FuncOp>().addPass(std::make_unique<TileAnyOp>(draw, tally)); },
        draw);
    EXPECT_EQ(outcome.problem, "") << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
  }
  for (const char *name : {"linalg.generic", "tensor.extract_slice", "tensor.expand_shape", "tensor.collapse_shape",
                           "tensor.cast", "tensor.pad", "tensor.concat"})
    EXPECT_GT(tally.producers[name], 0) << name << " was never fused as a producer";
  for (const char *name :
       {"linalg.generic", "tensor.extract_slice", "tensor.expand_shape", "tensor.collapse_shape", "tensor.cast"})
    EXPECT_GT(tally.consumers[name], 0) << name << " was never fused as a consumer";
  for (const char *code : {"GROUP_SPLIT_UNEVENLY", "STRIDED_TILE", "CONCAT_STRADDLED", "ACCUMULATOR_RESET",
                           "INNER_DIMENSION_CUT", "SHARED_VALUE", "SLICE_CUT"})
    EXPECT_GT(tally.refusals[code], 0) << code << " never came up";
}

/// The samples, their function called as the comparison wants it.
std::map<std::string, std::string> samples() {
  std::map<std::string, std::string> texts;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(FUSELAGE_SOURCE_DIR "/samples", error), end; file != end && !error;
       file.increment(error)) {
    llvm::StringRef path = file->path();
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!path.ends_with(".mlir") || !buffer)
      continue;
    std::string text = (*buffer)->getBuffer().str();
    size_t at = text.find("func.func @") + 10;
    text.replace(at, text.find('(', at) - at, "@dispatch");
    texts[llvm::sys::path::filename(path).str()] = text;
  }
  return texts;
}

TEST(TileAndFuse, KeepsWhatSamplesCompute) {
  // Minutes on a host; the same in small are other samples.
  const std::set<std::string> large{"bert_attention_16x512.mlir", "int4_dequant_matmul.mlir"};
  Tally tally;
  std::map<std::string, std::string> texts = samples();
  EXPECT_GT(texts.size(), 8u);
  for (const auto &[name, text] : texts)
    for (unsigned draw = 0; draw < draws(1) && !HasFailure(); ++draw) {
      Session session(allDialects());
      if (!large.count(name)) {
        Equivalence outcome =
            checkEquivalence(session, text,
                             [&](OpPassManager &passes) {
                               passes.nest<func::FuncOp>().addPass(std::make_unique<TileAnyOp>(draw, tally, true));
                             },
                             draw, {37});
        EXPECT_EQ(outcome.problem, "") << name << ", draw " << draw << "\n" << outcome.after;
        continue;
      }
      auto module = session.parse(text, name);
      ASSERT_TRUE(bool(module));
      PassManager passes(&session.context());
      passes.nest<func::FuncOp>().addPass(std::make_unique<TileAnyOp>(draw, tally, true));
      EXPECT_TRUE(succeeded(passes.run(**module))) << name << ", draw " << draw;
    }
  EXPECT_GT(tally.tiled, 5);
}

/// Tiles the op marked `root` of `source`; what the driver says.
struct Driven {
  Driven(llvm::StringRef source, const TileAndFuseOptions &options) {
    auto parsed = session.parse(source, "driven.mlir");
    EXPECT_TRUE(bool(parsed)) << (parsed ? "" : llvm::toString(parsed.takeError()));
    module = std::move(*parsed);
    TilingInterface root;
    module->walk([&](TilingInterface op) { root = op->hasAttr("root") ? op : root; });
    problem = whyNotTiled(root, options);
    IRRewriter rewriter(module->getContext());
    FailureOr<TileAndFuseResult> made = tileAndFuse(rewriter, root, options);
    EXPECT_EQ(succeeded(made), problem.empty());
    if (succeeded(made))
      result = std::move(*made);
    EXPECT_TRUE(succeeded(verify(*module)));
  }

  std::vector<std::string> codes() const {
    std::vector<std::string> all;
    for (const RefusedFusion &refused : result.refusals)
      all.push_back(refused.op + " " + infoOf(refused.refusal.reason).code.str());
    return all;
  }

  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  std::string problem;
  TileAndFuseResult result;
};

using Names = std::vector<std::string>;

const char *const chain = R"(
func.func @f(%x: tensor<16x8xf32>, %c: i1) -> (tensor<16x8xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<16x8xf32>
  %a = linalg.exp ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %b = linalg.negf {root} ins(%a : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %t = tensor.empty() : tensor<8x16xf32>
  %d = linalg.transpose ins(%b : tensor<16x8xf32>) outs(%t : tensor<8x16xf32>) permutation = [1, 0]
  return %b, %d : tensor<16x8xf32>, tensor<8x16xf32>
})";

TEST(TileAndFuse, SaysWhatItFused) {
  Driven driven(chain, TileAndFuseOptions().setTileSizes({4, 4}));
  EXPECT_EQ(driven.result.loops.size(), 2u);
  EXPECT_EQ(driven.result.producers, Names{"linalg.exp"});
  EXPECT_EQ(driven.result.consumers, Names{"linalg.transpose"});
  EXPECT_EQ(driven.codes(), Names{});
}

TEST(TileAndFuse, AsksTheControlFunction) {
  std::vector<std::string> asked;
  auto control = [&](const FusionCandidate &candidate) {
    asked.push_back(candidate.op->getName().getStringRef().str());
    return !candidate.isConsumer;
  };
  Driven driven(chain, TileAndFuseOptions().setTileSizes({4}).setControl(control));
  EXPECT_EQ(asked, (Names{"linalg.transpose", "linalg.exp"}));
  EXPECT_EQ(driven.result.producers, Names{"linalg.exp"});
  EXPECT_EQ(driven.codes(), Names{"linalg.transpose CONTROL_DECLINED"});
}

TEST(TileAndFuse, StaysInItsBlock) {
  Driven driven(R"(
func.func @f(%x: tensor<16x8xf32>, %c: i1) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %a = linalg.exp ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r = scf.if %c -> tensor<16x8xf32> {
    %b = linalg.negf {root} ins(%a : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %b : tensor<16x8xf32>
  } else {
    scf.yield %x : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
})",
                TileAndFuseOptions().setTileSizes({4}));
  EXPECT_EQ(driven.codes(), Names{"linalg.exp OTHER_BLOCK"});
}

TEST(TileAndFuse, DoesNotMoveWhatDependsOnTheLoop) {
  Driven driven(R"(
func.func private @g(tensor<16x8xf32>) -> tensor<16x8xf32>
func.func @f(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %b = linalg.negf {root} ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %g = func.call @g(%b) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %s = linalg.add ins(%b, %g : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %s : tensor<16x8xf32>
})",
                TileAndFuseOptions().setTileSizes({4}));
  EXPECT_EQ(driven.codes(), (Names{"func.call NOT_FUSABLE", "linalg.add OPERAND_BEHIND_LOOP"}));
}

TEST(TileAndFuse, RefusesToCutWhatNeedsAllOfIt) {
  const char *const softmax = R"(
func.func @f(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %s = linalg.softmax {root} dimension(1) ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %s : tensor<16x8xf32>
})";
  EXPECT_EQ(Driven(softmax, TileAndFuseOptions().setTileSizes({4, 4})).problem,
            "loop 1 needs all of its range at once; give it the tile size 0");
  EXPECT_EQ(Driven(softmax, TileAndFuseOptions().setTileSizes({4, 0})).problem, "");
  const char *const empty = R"(
func.func @f(%x: tensor<16x0xf32>) -> tensor<16x0xf32> {
  %s = linalg.negf {root} ins(%x : tensor<16x0xf32>) outs(%x : tensor<16x0xf32>) -> tensor<16x0xf32>
  return %s : tensor<16x0xf32>
})";
  EXPECT_EQ(Driven(empty, TileAndFuseOptions().setTileSizes({4, 4})).problem,
            "there is nothing to compute: a tensor of it has no elements");
  const char *const buffers = R"(
func.func @f(%x: memref<16x8xf32>) {
  linalg.negf {root} ins(%x : memref<16x8xf32>) outs(%x : memref<16x8xf32>)
  return
})";
  EXPECT_EQ(Driven(buffers, TileAndFuseOptions().setTileSizes({4, 4})).problem,
            "it does not compute tensors: tiles are slices of tensors; run the pass before "
            "bufferization");
}

} // namespace
