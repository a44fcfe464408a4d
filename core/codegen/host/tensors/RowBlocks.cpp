#include "core/codegen/host/tensors/RowBlocks.h"
#include "core/ir/ops/NumberBytes.h"
#include "core/transforms/tile_and_fuse/TileAndFuse.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/workgroups/DispatchNormalization.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>
#include <numeric>

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t leastBytes = 128 << 10; ///< less is in a cache anyway
constexpr int64_t blocksOfThread = 4;
constexpr int64_t lineElements = 16;    ///< of a cache
constexpr int64_t worthBlocking = 4096; ///< bytes of a block; less is done before it has begun

/// Bytes of a static tensor; 0 of any other value.
int64_t knownBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? std::max<int64_t>(unpackedBytes(type), 0) : 0;
}

/// The rows of a block that `op` requests; 0: it requests none.
int64_t requestedRows(Operation *op) {
  TilingConfig config = readTilingConfig(op);
  return config.host.size() > HostBlockRows ? std::max<int64_t>(config.host[HostBlockRows], 0) : 0;
}

/// What is done row by row: neither a product nor a window, of known sizes, and as nobody asks otherwise.
bool isOfRows(Operation *op) {
  auto structured = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!structured || isa<linalg::FillOp>(op) || !structured.hasPureTensorSemantics() ||
      (!readTilingConfig(op).empty() && requestedRows(op) == 0) ||
      llvm::any_of(structured.getStaticLoopRanges(),
                   [](int64_t range) { return ShapedType::isDynamic(range) || range <= 0; }))
    return false;
  WorkKind kind = workKindOf(cast<TilingInterface>(op));
  // Tiles of a result say which iterations make them only where each dimension is a loop.
  return (kind == WorkKind::Elementwise || kind == WorkKind::Reduction) &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return structured.getMatchingIndexingMap(&operand).isProjectedPermutation(
               /*allowZeroInResults=*/structured.isDpsInput(&operand));
         });
}

/// Finds the ops before a root that go over its rows, and makes one loop over blocks of rows of all of them.
class Blocker {
public:
  Blocker(RewriterBase &rewriter, linalg::LinalgOp root, const HostTarget &target)
      : rewriter_(rewriter), root_(root), target_(target), ranges_(root.getStaticLoopRanges()),
        rows_(root.getNumLoops(), false) {}

  /// The loop; null where it is not worth one, or all rows are requested as one block.
  scf::ForallOp block(std::vector<RowBlocks> *requested) {
    return findRows() && isWorthwhile() && (takeRequest(requested) || chooseBlock()) && !isWhole() ? rewrite()
                                                                                                   : scf::ForallOp();
  }

private:
  /// By loop of an op: the root's loop that it moves with; -1: none.
  using Follows = SmallVector<int>;

  bool findRows();
  void collect();
  void join(linalg::LinalgOp producer, const Follows &follows);
  bool followsAllRows(Operation *op) const;
  bool isWorthwhile() const;
  RowBlocks blocks();
  bool takeRequest(std::vector<RowBlocks> *requested);
  bool chooseBlock();
  bool isWhole() const {
    return llvm::all_of(tile_, [](int64_t size) { return size == 0; });
  }
  int64_t bytesOfRow(Value value) const;
  scf::ForallOp rewrite();
  llvm::SetVector<Value> values() const;
  bool isHandedOnAfter(Operation *op) const;

  RewriterBase &rewriter_;
  linalg::LinalgOp root_;
  const HostTarget &target_;
  SmallVector<int64_t> ranges_;                 ///< of the root's loops
  llvm::MapVector<Operation *, Follows> group_; ///< the root first
  llvm::DenseSet<Operation *> refused_;         ///< ops that do not go over the rows
  SmallVector<bool> rows_;                      ///< by loop of the root
  SmallVector<int64_t> tile_;                   ///< the same; 0: whole
};

/// What a loop of `producer` moves with, found from one of its readers; what readers do not agree on it does not move
/// with.
void Blocker::join(linalg::LinalgOp producer, const Follows &follows) {
  auto [known, isNew] = group_.try_emplace(producer, follows);
  if (!isNew)
    for (auto [before, now] : llvm::zip_equal(known->second, follows))
      before = before == now ? before : -1;
}

/// Readers of `op` that are none of the group stand after the root, which then has its value to hand on.
bool Blocker::isHandedOnAfter(Operation *op) const {
  Operation *root = group_.front().first;
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    Operation *at = root->getBlock()->findAncestorOpInBlock(*user);
    return group_.contains(user) || (at && root->isBeforeInBlock(at));
  });
}

void Blocker::collect() {
  group_.clear();
  Follows own;
  for (auto [loop, iterator] : llvm::enumerate(root_.getIteratorTypesArray()))
    own.push_back(iterator == utils::IteratorType::parallel ? int(loop) : -1);
  group_.try_emplace(root_, own);
  // In reverse order, so that all readers of an op are known before it is.
  for (Operation *op = root_->getPrevNode(); op; op = op->getPrevNode()) {
    auto producer = dyn_cast<linalg::LinalgOp>(op);
    bool isRead = producer && llvm::any_of(op->getUsers(), [&](Operation *user) { return group_.contains(user); });
    if (!isRead || refused_.contains(op) || !isOfRows(op))
      continue;
    for (OpOperand &use : op->getUses()) {
      auto reader = group_.find(use.getOwner());
      if (reader == group_.end())
        continue;
      AffineMap read = cast<linalg::LinalgOp>(use.getOwner()).getMatchingIndexingMap(&use);
      AffineMap made = producer.getIndexingMapMatchingResult(cast<OpResult>(use.get()));
      Follows follows(producer.getNumLoops(), -1);
      for (auto [index, loop] : llvm::zip_equal(read.getResults(), made.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(index), of = dyn_cast<AffineDimExpr>(loop);
            dim && of && producer.getIteratorTypesArray()[of.getPosition()] == utils::IteratorType::parallel)
          follows[of.getPosition()] = reader->second[dim.getPosition()];
      join(producer, follows);
    }
    if (group_.contains(op) && !isHandedOnAfter(op))
      group_.erase(op);
  }
}

bool Blocker::followsAllRows(Operation *op) const {
  const Follows &follows = group_.find(op)->second;
  for (auto [loop, isRow] : llvm::enumerate(rows_))
    if (isRow && !llvm::is_contained(follows, int(loop)))
      return false;
  return true;
}

/// The loops of the root that everything large moves with; what is small and does not is computed before.
bool Blocker::findRows() {
  while (true) {
    collect();
    if (group_.size() < 2)
      return false;
    int64_t all = std::accumulate(ranges_.begin(), ranges_.end(), int64_t(1), std::multiplies<>());
    for (auto [loop, iterator] : llvm::enumerate(root_.getIteratorTypesArray()))
      rows_[loop] = iterator == utils::IteratorType::parallel;
    for (auto &[op, follows] : group_) {
      SmallVector<int64_t> own = cast<linalg::LinalgOp>(op).getStaticLoopRanges();
      if (std::accumulate(own.begin(), own.end(), int64_t(1), std::multiplies<>()) * 16 < all)
        continue;
      for (auto [loop, isRow] : llvm::enumerate(rows_))
        isRow = isRow && llvm::is_contained(follows, int(loop));
    }
    if (llvm::none_of(rows_, [](bool isRow) { return isRow; }))
      return false;
    bool isSettled = true;
    for (auto &[op, follows] : group_)
      if (op != root_ && !followsAllRows(op)) {
        refused_.insert(op);
        isSettled = false;
      }
    if (isSettled)
      return true;
  }
}

/// What the group reads and writes.
llvm::SetVector<Value> Blocker::values() const {
  llvm::SetVector<Value> values;
  for (auto &[op, follows] : group_) {
    for (Value input : cast<linalg::LinalgOp>(op).getDpsInputs())
      values.insert(input);
    for (Value result : op->getResults())
      values.insert(result);
  }
  return values;
}

/// Whether there is a sum in it, and something large is read more than once.
bool Blocker::isWorthwhile() const {
  bool hasSum = llvm::any_of(
      group_, [](const auto &each) { return cast<linalg::LinalgOp>(each.first).getNumReductionLoops() > 0; });
  int64_t once = 0, often = 0;
  for (Value value : values())
    once += knownBytes(value);
  for (auto &[op, follows] : group_) {
    for (Value input : cast<linalg::LinalgOp>(op).getDpsInputs())
      often += knownBytes(input);
    for (Value result : op->getResults())
      often += knownBytes(result);
  }
  return hasSum && once >= leastBytes && often * 4 >= once * 5;
}

/// Bytes of `value` that one iteration of all rows reads or writes.
int64_t Blocker::bytesOfRow(Value value) const {
  int64_t bytes = knownBytes(value);
  for (auto &[op, follows] : group_)
    for (OpOperand &operand : op->getOpOperands()) {
      auto structured = cast<linalg::LinalgOp>(op);
      if (operand.get() != value && !(structured.isDpsInit(&operand) && structured.getTiedOpResult(&operand) == value))
        continue;
      AffineMap map = structured.getMatchingIndexingMap(&operand);
      for (auto [loop, root] : llvm::enumerate(follows))
        if (root >= 0 && rows_[root] && map.isFunctionOfDim(loop))
          bytes /= ranges_[root];
      return bytes;
    }
  return bytes;
}

RowBlocks Blocker::blocks() {
  RowBlocks blocks{.rows = 1, .bytesOfRow = 1, .mostBytes = int64_t(target_.level2Bytes) / 2};
  for (Value value : values())
    blocks.bytesOfRow += bytesOfRow(value);
  std::optional<unsigned> dense = innermostLoop(root_.getMatchingIndexingMap(root_.getDpsInitOperand(0)));
  for (unsigned loop = ranges_.size(); loop-- > 0;) {
    if (!rows_[loop])
      continue;
    for (int64_t size = 1; size <= ranges_[loop]; ++size)
      if (ranges_[loop] % size == 0 && (loop != dense || size % lineElements == 0 || size == ranges_[loop]))
        blocks.sizes.push_back(blocks.rows * size);
    blocks.rows *= ranges_[loop];
  }
  llvm::sort(blocks.sizes);
  blocks.sizes.erase(llvm::unique(blocks.sizes), blocks.sizes.end());
  return blocks;
}

/// False: no block is requested, or none that is possible.
bool Blocker::takeRequest(std::vector<RowBlocks> *requested) {
  int64_t size = 0;
  for (auto &[op, follows] : group_)
    size = std::max(size, requestedRows(op));
  if (size == 0)
    return false;
  RowBlocks possible = blocks();
  if (requested)
    requested->push_back(possible);
  if (size != possible.rows && !possible.fits(size))
    return false;
  tile_.assign(ranges_.size(), 0);
  for (unsigned loop = ranges_.size(); loop-- > 0;) {
    if (!rows_[loop])
      continue;
    int64_t part = std::min(size, ranges_[loop]);
    tile_[loop] = part == ranges_[loop] ? 0 : part;
    size /= part;
  }
  return true;
}

/// Blocks of as many rows as the first cache holds, or one that the second does, which divide the rows; lines of the
/// cache are not taken apart.
bool Blocker::chooseBlock() {
  int64_t bytes = 1, left = 1;
  for (Value value : values())
    bytes += bytesOfRow(value);
  for (auto [loop, isRow] : llvm::enumerate(rows_))
    left *= isRow ? ranges_[loop] : 1;
  int64_t most = std::min<int64_t>(int64_t(target_.level1Bytes) / bytes, left / (target_.threads * blocksOfThread));
  AffineMap written = root_.getMatchingIndexingMap(root_.getDpsInitOperand(0));
  std::optional<unsigned> dense = innermostLoop(written);
  tile_.assign(ranges_.size(), 0);
  for (unsigned loop = ranges_.size(); loop-- > 0;) {
    if (!rows_[loop])
      continue;
    int64_t size = largestDivisor(ranges_[loop], std::max<int64_t>(most, 1));
    if (loop == dense && size != ranges_[loop]) {
      for (size = std::max(most, 4 * lineElements) / lineElements * lineElements;
           size > 0 && ranges_[loop] % size != 0;)
        size -= lineElements;
      if (size <= 0 || size * bytes > int64_t(target_.level2Bytes) / 2)
        return false;
    }
    tile_[loop] = size == ranges_[loop] ? 0 : size;
    most /= size;
  }
  int64_t block = bytes, blocks = 1;
  for (auto [loop, isRow] : llvm::enumerate(rows_))
    if (isRow) {
      block *= tile_[loop] == 0 ? ranges_[loop] : tile_[loop];
      blocks *= tile_[loop] == 0 ? 1 : ranges_[loop] / tile_[loop];
    }
  return block <= int64_t(target_.level2Bytes) / 2 && block >= worthBlocking && blocks >= 2 * target_.threads;
}

scf::ForallOp Blocker::rewrite() {
  TileAndFuseOptions options;
  options.setTileSizes(tile_).setLoop(TileLoop::Forall).setFuseConsumers(false).setShared(SharedProducer::Yield);
  options.setControl(
      [&](const FusionCandidate &each) { return group_.contains(each.op) || isa<linalg::FillOp>(each.op); });
  FailureOr<TileAndFuseResult> tiled = tileAndFuse(rewriter_, cast<TilingInterface>(root_.getOperation()), options);
  return failed(tiled) || tiled->loops.empty() ? scf::ForallOp()
                                               : dyn_cast<scf::ForallOp>(tiled->loops.front().getOperation());
}

/// From the last op to the first: what a root has taken before it is no root any more.
bool blockRowsOf(RewriterBase &rewriter, Block &block, const HostTarget &target, std::vector<RowBlocks> *requested) {
  auto rootsBefore = [&](Operation *end) {
    SmallVector<linalg::LinalgOp> roots;
    for (auto op : block.getOps<linalg::LinalgOp>())
      if ((!end || op->isBeforeInBlock(end)) && isOfRows(op))
        roots.push_back(op);
    return roots;
  };
  bool isAny = false;
  for (SmallVector<linalg::LinalgOp> roots = rootsBefore(nullptr); !roots.empty();) {
    scf::ForallOp loop = Blocker(rewriter, roots.pop_back_val(), target).block(requested);
    if (!loop)
      continue;
    isAny = true;
    roots = rootsBefore(loop);
  }
  return isAny;
}

} // namespace

void blockRows(ModuleOp module, const HostTarget &target, std::vector<RowBlocks> *requested) {
  IRRewriter rewriter(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    for (Block &block : function.getBody()) {
      addUnitLoops(rewriter, block); // a sum that keeps its dimension, of one element, has a loop for it
      if (blockRowsOf(rewriter, block, target, requested))
        cleanUpTiles(block);
    }
}

} // namespace fuselage
