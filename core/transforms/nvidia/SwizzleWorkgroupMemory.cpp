// Tiles in workgroup memory whose rows several threads read at once are spread over the banks.
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "core/transforms/nvidia/Passes.h"
#include "core/transforms/nvidia/WarpAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {
#define GEN_PASS_DEF_SWIZZLEWORKGROUPMEMORYPASS
#include "core/transforms/nvidia/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Sixteen bytes are four elements; eight such pieces are what the banks serve at once. Bits 2 to 4 of an element's
/// number say which of the eight it is in, and those bits of its row's number are what is mixed in: four neighbouring
/// rows stay together, since a thread reads them one after the other.
constexpr int64_t mixedBits = 28, piece = 32;

/// A buffer and the accesses to it, its only uses.
struct Tile {
  memref::AllocOp memory;
  SmallVector<Operation *> accesses;
};

/// The indices of an access to `memory`, empty for other ops.
OperandRange indicesOf(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getIndices();
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getIndices();
  if (auto load = dyn_cast<vector::LoadOp>(access))
    return load.getIndices();
  return cast<vector::StoreOp>(access).getIndices();
}

/// Whether the access moves one element, or four at a multiple of four.
bool isPlain(Operation *access, Value memory) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getMemRef() == memory;
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getMemRef() == memory && store.getValueToStore() != memory;
  auto isPiece = [](VectorType type, std::optional<uint64_t> alignment) {
    return type.getRank() == 1 && type.getNumElements() == 4 && alignment.value_or(0) >= 16;
  };
  if (auto load = dyn_cast<vector::LoadOp>(access))
    return isPiece(load.getVectorType(), load.getAlignment());
  auto store = dyn_cast<vector::StoreOp>(access);
  return store && isPiece(store.getVectorType(), store.getAlignment());
}

bool canMix(memref::AllocOp memory) {
  MemRefType type = memory.getType();
  Type element = type.getElementType();
  int64_t row = type.getRank() > 1 && type.hasStaticShape() ? type.getShape().back() : 0;
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace()) && type.getLayout().isIdentity() &&
         element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 32 && row >= 8 &&
         (llvm::isPowerOf2_64(row) || row % piece == 0) && type.getNumElements() % piece == 0 &&
         llvm::all_of(memory->getUsers(), [&](Operation *user) { return isPlain(user, memory.getResult()); });
}

/// An access's place as row and column.
std::pair<int64_t, int64_t> rowAndColumn(int64_t element, int64_t row) { return {element / row, element % row}; }

int64_t mixed(int64_t element, int64_t row) { return element ^ (rowAndColumn(element, row).first & mixedBits); }

/// Trips that all warps' accesses take together: as they are, and with bits mixed in. Nothing where places are not
/// known.
std::optional<std::pair<uint64_t, uint64_t>> tripsOf(Tile tile, MutableArrayRef<ThreadEvaluator> threads) {
  constexpr size_t warpSize = 32;
  int64_t row = tile.memory.getType().getShape().back();
  std::pair<uint64_t, uint64_t> trips{0, 0};
  for (Operation *access : tile.accesses) {
    unsigned bytes = isa<memref::LoadOp, memref::StoreOp>(access) ? 4 : 16;
    for (size_t first = 0; first < threads.size(); first += warpSize) {
      SmallVector<std::optional<int64_t>, warpSize> plain, spread;
      for (ThreadEvaluator &thread : threads.slice(first, std::min(warpSize, threads.size() - first))) {
        std::optional<bool> comes = thread.reaches(access);
        std::optional<int64_t> place =
            comes && *comes ? thread.elementOf(tile.memory.getResult(), indicesOf(access)) : std::nullopt;
        if (!comes || (*comes && !place))
          return std::nullopt;
        plain.push_back(place ? std::optional(*place * 4) : std::nullopt);
        spread.push_back(place ? std::optional(mixed(*place, row) * 4) : std::nullopt);
      }
      trips.first += tripsThroughBanks(plain, bytes);
      trips.second += tripsThroughBanks(spread, bytes);
    }
  }
  return trips;
}

/// An index as a value and a constant that is added to it; null for a constant.
std::pair<Value, int64_t> split(Value index) {
  if (std::optional<int64_t> number = getConstantIntValue(index))
    return {Value(), *number};
  auto sum = index.getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> number = sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
  return number ? std::pair<Value, int64_t>(sum.getLhs(), *number) : std::pair<Value, int64_t>(index, 0);
}

/// The number of an element: of its row's first one and its column, exclusive-or the bits that are mixed in. What is
/// known of the row and touches none of these bits is added after that: accesses that differ by it then share the
/// rest.
Value mixedIndex(RewriterBase &rewriter, Operation *access, ArrayRef<int64_t> shape) {
  Location loc = access->getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  auto scaled = [&](Value value, int64_t by) { return rewriter.createOrFold<arith::MulIOp>(loc, value, constant(by)); };
  OperandRange indices = indicesOf(access);
  int64_t columns = shape.back(), rest = 0;
  auto [row, known] = split(indices.drop_back().back());
  bool isOuterZero = llvm::all_of(indices.drop_back(2), [](Value index) { return isConstantIntValue(index, 0); });
  constexpr int64_t together = 4; // rows that share what is mixed in
  bool isApart = known >= 0 && (known % piece == 0 || (row && known % piece < together && isMultipleOf(row, together)));
  if (row && isOuterZero && isApart) {
    int64_t inPiece = known % piece % std::max<int64_t>(piece / columns, 1);
    rest = (known - inPiece) * columns;
    Value element = rewriter.createOrFold<arith::AddIOp>(loc, scaled(row, columns), indices.back());
    element = rewriter.createOrFold<arith::AddIOp>(loc, element, constant(inPiece * columns));
    element =
        arith::XOrIOp::create(rewriter, loc, element, arith::AndIOp::create(rewriter, loc, row, constant(mixedBits)));
    return rewriter.createOrFold<arith::AddIOp>(loc, element, constant(rest));
  }
  row = constant(0);
  for (auto [index, extent] : llvm::zip_equal(indices.drop_back(), shape.drop_back()))
    row = rewriter.createOrFold<arith::AddIOp>(loc, scaled(row, extent), index);
  Value element = rewriter.createOrFold<arith::AddIOp>(loc, scaled(row, columns), indices.back());
  return arith::XOrIOp::create(rewriter, loc, element, arith::AndIOp::create(rewriter, loc, row, constant(mixedBits)));
}

void mix(RewriterBase &rewriter, Tile tile) {
  MemRefType type = tile.memory.getType();
  rewriter.setInsertionPoint(tile.memory);
  Value flat = memref::AllocOp::create(
      rewriter, tile.memory.getLoc(),
      MemRefType::get({type.getNumElements()}, type.getElementType(), AffineMap(), type.getMemorySpace()));
  for (Operation *access : tile.accesses) {
    rewriter.setInsertionPoint(access);
    Value place = mixedIndex(rewriter, access, type.getShape());
    if (auto load = dyn_cast<memref::LoadOp>(access))
      rewriter.replaceOpWithNewOp<memref::LoadOp>(load, flat, place);
    else if (auto store = dyn_cast<memref::StoreOp>(access))
      rewriter.replaceOpWithNewOp<memref::StoreOp>(store, store.getValueToStore(), flat, place);
    else if (auto load = dyn_cast<vector::LoadOp>(access))
      rewriter.replaceOpWithNewOp<vector::LoadOp>(load, load.getVectorType(), flat, place, load.getNontemporal(),
                                                  llvm::MaybeAlign(16));
    else if (auto store = dyn_cast<vector::StoreOp>(access))
      rewriter.replaceOpWithNewOp<vector::StoreOp>(store, store.getValueToStore(), flat, place, store.getNontemporal(),
                                                   llvm::MaybeAlign(16));
  }
  rewriter.eraseOp(tile.memory);
}

struct SwizzleWorkgroupMemory : fuselage::impl::SwizzleWorkgroupMemoryPassBase<SwizzleWorkgroupMemory> {
  using SwizzleWorkgroupMemoryPassBase::SwizzleWorkgroupMemoryPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](gpu::LaunchOp launch) { swizzle(launch); });
  }

private:
  void swizzle(gpu::LaunchOp launch) {
    std::vector<Tile> tiles;
    launch.walk([&](memref::AllocOp memory) {
      if (canMix(memory))
        tiles.push_back({memory, SmallVector<Operation *>(memory->getUsers())});
    });
    int64_t threads = 1;
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    for (Value size : {block.x, block.y, block.z})
      threads *= getConstantIntValue(size).value_or(0);
    constexpr int64_t mostThreads = 1024;
    if (tiles.empty() || threads <= 0 || threads > mostThreads)
      return;
    std::vector<ThreadEvaluator> evaluators;
    for (int64_t thread = 0; thread < threads; ++thread)
      evaluators.emplace_back(launch, thread);
    IRRewriter rewriter(&getContext());
    std::vector<Tile> worse;
    for (const Tile &tile : tiles)
      if (auto trips = tripsOf(tile, evaluators); trips && trips->second < trips->first)
        worse.push_back(tile);
    for (const Tile &tile : worse)
      mix(rewriter, tile);
  }
};

} // namespace
