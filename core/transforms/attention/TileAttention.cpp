#include "core/transforms/attention/TileAttention.h"
#include "core/transforms/attention/AttentionLoops.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace fuselage {

/// The sizes, and whether all tiles have them.
static AttentionLoopOptions optionsFor(flow::AttentionOp op, const TargetStrategy &strategy) {
  const AttentionTile usual = attentionTileNear(op);
  std::optional<AttentionTile> requested = requestedAttentionTile(op);
  std::optional<AttentionSizes> sizes = attentionSizesOf(op);
  if (!sizes)
    return {.tile = requested.value_or(usual)};
  auto isUneven = [&](AttentionTile tile) {
    return sizes->queries % tile.queries != 0 || sizes->keys % tile.keys != 0;
  };
  if (requested) {
    AttentionTile tile{.queries = std::min(requested->queries, sizes->queries),
                       .keys = std::min(requested->keys, sizes->keys)};
    return {.tile = tile, .isUniform = tile != usual || isUneven(tile)};
  }
  if (std::optional<AttentionTile> picked = pickAttentionTile(*sizes, strategy))
    return {.tile = *picked, .isUniform = true};
  bool isChoosing = strategy.choosesAttentionTiles() && usual.queries < sizes->queries && usual.keys < sizes->keys;
  return {.tile = usual, .isUniform = isChoosing && isUneven(usual)};
}

/// Canonicalizes the block around loops and merges equal ops there, as passes do with dispatches before they are tiled.
/// Tiles of one size are told apart by what they are tiles of, even if they are equal: threads hold each in registers
/// of its own.
static void tidy(RewriterBase &rewriter, Block &body, bool isUniform) {
  MLIRContext *context = rewriter.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    name.getCanonicalizationPatterns(patterns, context);
  // Not reaching a fixed point within the driver's limit leaves correct, less tidy IR.
  (void)applyPatternsGreedily(*body.getParent(), std::move(patterns));
  if (isUniform)
    return cleanUpTiles(body);
  DominanceInfo dominance(body.getParentOp());
  eliminateCommonSubExpressions(rewriter, dominance, body.getParentOp());
}

void tileAttention(Operation *root) {
  SmallVector<flow::AttentionOp> attentions;
  root->walk([&](flow::AttentionOp op) { attentions.push_back(op); });
  IRRewriter rewriter(root->getContext());
  llvm::MapVector<Block *, bool> areUniform; // a block may have several
  for (flow::AttentionOp op : attentions) {
    const AttentionLoopOptions options = optionsFor(op, *strategyOf(op));
    areUniform[op->getBlock()] |= options.isUniform;
    buildAttentionLoops(rewriter, op, options);
  }
  for (auto [body, isUniform] : areUniform)
    tidy(rewriter, *body, isUniform);
}

static bool hasAttention(Operation *root) {
  return root->walk([](flow::AttentionOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

OwningOpRef<ModuleOp> copyWithTiledAttention(func::FuncOp &function) {
  auto module = function->getParentOfType<ModuleOp>();
  bool calls = module && function.walk([](func::CallOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!hasAttention(calls ? module.getOperation() : function.getOperation()))
    return nullptr;
  OwningOpRef<ModuleOp> copy = calls ? module.clone() : ModuleOp::create(function.getLoc());
  if (!calls)
    copy->push_back(function.clone());
  tileAttention(*copy);
  function = copy->lookupSymbol<func::FuncOp>(function.getName());
  return copy;
}

} // namespace fuselage
