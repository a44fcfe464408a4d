#include "core/analysis/costs/KernelCosts.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/ir/ops/Payload.h"
#include "core/support/CostArithmetic.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace fuselage {
namespace {

/// What is read from or written to one binding.
struct BindingTraffic {
  bool isWritten = false;
  int64_t bytes = 0; ///< of the tiles
  int64_t whole = -1;
  bool moves = false; ///< other workgroups access other tiles
};

struct KernelTraffic {
  /// By binding (a value, or a symbol's name behind a null value) and direction.
  std::map<std::pair<const void *, std::string>, BindingTraffic> bindings[2];
  int64_t workgroups = -1; ///< tiles that cover the result of the first store

  void add(const DecodedOp &decoded, bool isWritten);
};

} // namespace

static bool isConstant(ArrayRef<OpFoldResult> values) {
  return llvm::all_of(values, [](OpFoldResult value) { return knownSize(value).has_value(); });
}

/// How many tiles of this size the whole tensor has; -1 if a size is dynamic.
static int64_t tilesOf(const TileAccess &tile) {
  auto whole = dyn_cast_or_null<RankedTensorType>(tile.tensorType);
  if (!whole || !tile.tileType)
    return -1;
  if (tile.sizes.empty())
    return 1;
  if (tile.tileType.getRank() != whole.getRank())
    return -1;
  int64_t tiles = 1;
  for (auto [size, part] : llvm::zip_equal(whole.getShape(), tile.tileType.getShape())) {
    if (size == part)
      continue;
    bool known = !ShapedType::isDynamic(size) && !ShapedType::isDynamic(part) && part > 0;
    tiles = times(tiles, known ? llvm::divideCeil(static_cast<uint64_t>(size), static_cast<uint64_t>(part)) : -1);
  }
  return tiles;
}

void KernelTraffic::add(const DecodedOp &decoded, bool isWritten) {
  const TileAccess &tile = decoded.tile;
  BindingTraffic &entry = bindings[isWritten][{tile.source.getAsOpaquePointer(), decoded.symbol}];
  entry.bytes = plus(entry.bytes, tile.tileType ? byteSize(tile.tileType).value_or(-1) : -1);
  entry.whole = tile.tensorType ? byteSize(tile.tensorType).value_or(-1) : -1;
  entry.moves |= !isConstant(tile.offsets);
  if (isWritten && workgroups < 0)
    workgroups = tilesOf(tile);
}

/// Whether an op of one of the roles stands somewhere inside.
static bool holds(Operation *op, ArrayRef<OpRole> roles) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::is_contained(roles, decode(inner).role) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool accessesTiles(Operation *op) { return holds(op, {OpRole::TileLoad, OpRole::TileStore}); }

/// flops of the body of one workgroup.
static int64_t flopsOnce(Region &region) {
  int64_t flops = 0;
  for (Operation &op : region.getOps()) {
    int64_t own = costOf(&op).flops;
    if (own < 0 && op.getNumRegions() > 0 && !hasPayloadRegion(&op) && holds(&op, OpRole::TileStore)) {
      own = 0;
      for (Region &nested : op.getRegions())
        own = plus(own, flopsOnce(nested));
    }
    flops = plus(flops, own);
  }
  return flops;
}

OpCost costOfKernel(Operation *kernel) {
  KernelTraffic traffic;
  kernel->walk([&](Operation *op) {
    DecodedOp decoded = decode(op);
    if (decoded.role == OpRole::TileLoad || decoded.role == OpRole::TileStore)
      traffic.add(decoded, decoded.role == OpRole::TileStore);
  });
  OpCost cost;
  if (kernel->getNumRegions() > 0)
    cost.flops = times(flopsOnce(kernel->getRegion(0)), traffic.workgroups);
  for (bool isWritten : {false, true})
    for (const auto &[binding, entry] : traffic.bindings[isWritten]) {
      int64_t bytes = !entry.moves ? entry.bytes : entry.whole;
      if (!entry.moves && entry.whole >= 0 && bytes > entry.whole)
        bytes = entry.whole;
      int64_t &sum = isWritten ? cost.bytesWritten : cost.bytesRead;
      sum = plus(sum, bytes);
    }
  return cost;
}

} // namespace fuselage
