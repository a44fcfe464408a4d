#include "core/transforms/gpu/distribution/VectorReads.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <map>

using namespace mlir;

namespace fuselage {

static bool isMultiple(Value value, int64_t of, unsigned depth);

/// The same of an expression over `operands`.
static bool isMultiple(AffineExpr expr, unsigned dims, ValueRange operands, int64_t of, unsigned depth) {
  if (expr.getLargestKnownDivisor() % of == 0)
    return true;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return isMultiple(operands[dim.getPosition()], of, depth + 1);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return isMultiple(operands[dims + symbol.getPosition()], of, depth + 1);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  bool left = isMultiple(binary.getLHS(), dims, operands, of, depth),
       right = isMultiple(binary.getRHS(), dims, operands, of, depth);
  return expr.getKind() == AffineExprKind::Add ? left && right
                                               : expr.getKind() == AffineExprKind::Mul && (left || right);
}

static bool isMultiple(Value value, int64_t of, unsigned depth) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return *number % of == 0;
  if (depth > 8)
    return false;
  auto areMultiples = [&](AffineMap map, ValueRange operands) {
    return llvm::all_of(map.getResults(),
                        [&](AffineExpr expr) { return isMultiple(expr, map.getNumDims(), operands, of, depth); });
  };
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return areMultiples(apply.getAffineMap(), apply.getMapOperands());
  if (auto least = value.getDefiningOp<affine::AffineMinOp>())
    return areMultiples(least.getMap(), least.getMapOperands());
  if (auto most = value.getDefiningOp<affine::AffineMaxOp>())
    return areMultiples(most.getMap(), most.getMapOperands());
  if (auto difference = value.getDefiningOp<arith::SubIOp>())
    return isMultiple(difference.getLhs(), of, depth + 1) && isMultiple(difference.getRhs(), of, depth + 1);
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return isMultiple(product.getLhs(), of, depth + 1) || isMultiple(product.getRhs(), of, depth + 1);
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return isMultiple(sum.getLhs(), of, depth + 1) && isMultiple(sum.getRhs(), of, depth + 1);
  // What affine.min and affine.max become.
  if (auto choice = value.getDefiningOp<arith::SelectOp>())
    return isMultiple(choice.getTrueValue(), of, depth + 1) && isMultiple(choice.getFalseValue(), of, depth + 1);
  if (Operation *bound = value.getDefiningOp();
      isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(bound))
    return isMultiple(bound->getOperand(0), of, depth + 1) && isMultiple(bound->getOperand(1), of, depth + 1);
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == value && isMultiple(loop.getLowerBound(), of, depth + 1) &&
         isMultiple(loop.getStep(), of, depth + 1);
}

bool isMultipleOf(Value value, int64_t number) { return isMultiple(value, number, 0); }

namespace {

/// What instructions move at once. Elements below 32 bits in fewer bytes, too, as they lie in words then.
constexpr int64_t vectorBytes = 16, pairBytes = 8;

/// An index as a value and a constant; the value is null for a constant.
using Index = std::pair<Value, int64_t>;

Index split(Value index) {
  int64_t constant = 0;
  while (true) {
    if (std::optional<int64_t> number = getConstantIntValue(index))
      return {Value(), constant + *number};
    auto sum = index.getDefiningOp<arith::AddIOp>();
    std::optional<int64_t> number = sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
    if (!number)
      return {index, constant};
    constant += *number;
    index = sum.getLhs();
  }
}

/// Strides of rows of whole vectors of `width` elements, next to each other inside; empty for others.
SmallVector<int64_t> alignedStrides(MemRefType type, int64_t width, int64_t &offset) {
  SmallVector<int64_t> strides;
  if (!type.hasStaticShape() || type.getRank() == 0 || failed(type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1)
    return {};
  for (auto [stride, extent] : llvm::drop_end(llvm::zip_equal(strides, type.getShape())))
    if (ShapedType::isDynamic(stride) || (stride % width != 0 && extent != 1))
      return {};
  return strides;
}

} // namespace

bool startsAtMultiples(Value buffer, int64_t width) {
  int64_t offset = 0;
  if (alignedStrides(cast<MemRefType>(buffer.getType()), width, offset).empty())
    return false;
  if (!ShapedType::isDynamic(offset))
    return offset % width == 0;
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  SmallVector<int64_t> strides;
  int64_t ignored = 0;
  if (!view || failed(view.getSourceType().getStridesAndOffset(strides, ignored)))
    return false;
  for (auto [first, stride] : llvm::zip_equal(view.getMixedOffsets(), strides)) {
    std::optional<int64_t> number = getConstantIntValue(first);
    bool isAligned = (!ShapedType::isDynamic(stride) && stride % width == 0) || (number && *number % width == 0) ||
                     (!number && isMultipleOf(cast<Value>(first), width));
    if (!isAligned)
      return false;
  }
  return startsAtMultiples(view.getSource(), width);
}

namespace {

bool isInWorkgroupMemory(Value buffer) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(cast<MemRefType>(buffer.getType()));
}

/// Elements of a vector of `bytes` of the buffer; 0 where it is not moved in such. Pairs are of global memory: tiles in
/// that of the workgroup are laid out for 16 bytes.
int64_t widthOf(Value buffer, int64_t bytes, bool narrow, bool inPairs) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  bool isPair = inPairs && !isInWorkgroupMemory(buffer);
  if (bits == 32)
    return bytes == vectorBytes ? 4 : bytes == pairBytes && isPair ? 2 : 0;
  return (narrow || isPair) && (bits == 8 || bits == 16) ? 8 * bytes / bits : 0;
}

/// The same where its rows are whole vectors.
int64_t alignedWidthOf(Value buffer, int64_t bytes, bool narrow, bool inPairs = false) {
  int64_t width = widthOf(buffer, bytes, narrow, inPairs);
  return width != 0 && startsAtMultiples(buffer, width) ? width : 0;
}

/// Bytes that are tried, the most first.
ArrayRef<int64_t> bytesAtOnce(bool narrow, bool inPairs = false) {
  static constexpr int64_t bytes[] = {vectorBytes, pairBytes, 4};
  return ArrayRef(bytes).take_front(narrow || inPairs ? 3 : 1);
}

/// Where a vector starts: the buffer, and its first element by dimension.
using Place = std::pair<const void *, std::vector<std::pair<const void *, int64_t>>>;

/// The place of the vector that an access to `buffer` is one element of, and which one.
std::pair<Place, int64_t> placeOf(Value buffer, ValueRange indices, int64_t width) {
  Place place{buffer.getAsOpaquePointer(), {}};
  for (Value index : indices) {
    auto [value, constant] = split(index);
    place.second.emplace_back(value.getAsOpaquePointer(), constant);
  }
  int64_t &last = place.second.back().second;
  int64_t lane = ((last % width) + width) % width;
  last -= lane;
  return {place, lane};
}

/// Loads of one vector's elements, with nothing between them that might write.
struct Group {
  int64_t width;
  SmallVector<std::pair<memref::LoadOp, int64_t>> loads;
  unsigned lanes = 0; ///< a bit each
  bool isWhole() const { return lanes == (1u << width) - 1; }
};

llvm::MaybeAlign alignmentOf(MemRefType type, int64_t width) {
  return llvm::MaybeAlign(width * type.getElementTypeBitWidth() / 8);
}

void emitVector(RewriterBase &rewriter, const Group &group) {
  memref::LoadOp first = group.loads.front().first;
  auto type = cast<MemRefType>(first.getMemRef().getType());
  rewriter.setInsertionPoint(first);
  Location loc = first.getLoc();
  SmallVector<Value> indices(first.getIndices());
  auto [value, constant] = split(indices.back());
  int64_t start = constant - group.loads.front().second;
  if (!value)
    indices.back() = arith::ConstantIndexOp::create(rewriter, loc, start);
  else
    indices.back() =
        start == 0 ? value
                   : arith::AddIOp::create(rewriter, loc, value, arith::ConstantIndexOp::create(rewriter, loc, start))
                         .getResult();
  Value vector =
      vector::LoadOp::create(rewriter, loc, VectorType::get(group.width, type.getElementType()), first.getMemRef(),
                             indices, /*nontemporal=*/false, alignmentOf(type, group.width));
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < group.width; ++lane)
    elements.push_back(vector::ExtractOp::create(rewriter, loc, vector, lane));
  for (auto [load, lane] : group.loads)
    rewriter.replaceOp(load, elements[lane]);
}

/// Emits the groups that have all elements of their vector.
void flush(RewriterBase &rewriter, std::map<Place, unsigned> &numbers, std::vector<Group> &groups) {
  for (const Group &group : groups)
    if (group.isWhole())
      emitVector(rewriter, group);
  numbers.clear();
  groups.clear();
}

void readBlock(RewriterBase &rewriter, Block &block, int64_t bytes, bool narrow, bool inPairs) {
  // Numbers keep the order of the text, which pointers do not.
  std::map<Place, unsigned> numbers;
  std::vector<Group> groups;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load && !isMemoryEffectFree(&op))
      flush(rewriter, numbers, groups);
    int64_t width = load ? alignedWidthOf(load.getMemRef(), bytes, narrow, inPairs) : 0;
    if (width == 0)
      continue;
    Value inner = split(load.getIndices().back()).first;
    if (inner && !isMultipleOf(inner, width))
      continue;
    auto [place, lane] = placeOf(load.getMemRef(), load.getIndices(), width);
    auto [entry, isNew] = numbers.try_emplace(place, groups.size());
    if (isNew)
      groups.push_back({.width = width, .loads = {}});
    groups[entry->second].loads.emplace_back(load, lane);
    groups[entry->second].lanes |= 1u << lane;
  }
  flush(rewriter, numbers, groups);
}

/// Stores of one vector's elements.
struct StoreGroup {
  SmallVector<memref::StoreOp> stores; ///< by lane
  unsigned lanes = 0;
  bool isTwice = false; ///< an element is written more than once
  bool isWhole() const { return lanes == (1u << stores.size()) - 1 && !isTwice; }
};

void emitVector(RewriterBase &rewriter, const StoreGroup &group, Operation *last) {
  memref::StoreOp first = group.stores.front();
  auto type = cast<MemRefType>(first.getMemRef().getType());
  rewriter.setInsertionPoint(last);
  Location loc = first.getLoc();
  SmallVector<Value> elements, indices(first.getIndices());
  for (memref::StoreOp store : group.stores)
    elements.push_back(store.getValueToStore());
  int64_t width = group.stores.size();
  Value vector = vector::FromElementsOp::create(rewriter, loc, VectorType::get(width, type.getElementType()), elements);
  vector::StoreOp::create(rewriter, loc, vector, first.getMemRef(), indices, /*nontemporal=*/false,
                          alignmentOf(type, width));
  for (memref::StoreOp store : group.stores)
    rewriter.eraseOp(store);
}

/// Stores that stand together: if one vector's elements are among them, and no other ones to the same buffer, they move
/// to `end`, where all of them have been reached.
void flush(RewriterBase &rewriter, std::map<Place, unsigned> &numbers, std::vector<StoreGroup> &groups,
           Operation *end) {
  for (const StoreGroup &group : groups)
    if (group.isWhole())
      emitVector(rewriter, group, end);
  numbers.clear();
  groups.clear();
}

void flushWhole(RewriterBase &rewriter, std::map<Place, unsigned> &numbers, std::vector<StoreGroup> &groups,
                Operation *end) {
  if (groups.front().isWhole())
    flush(rewriter, numbers, groups, end);
}

void writeBlock(RewriterBase &rewriter, Block &block, int64_t bytes, bool narrow, bool inPairs) {
  std::map<Place, unsigned> numbers;
  std::vector<StoreGroup> groups;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto store = dyn_cast<memref::StoreOp>(op);
    if (!store) {
      if (!isMemoryEffectFree(&op) || op.hasTrait<OpTrait::IsTerminator>())
        flush(rewriter, numbers, groups, &op);
      continue;
    }
    Value inner = store.getIndices().empty() ? Value() : split(store.getIndices().back()).first;
    int64_t width = store.getIndices().empty() ? 0 : alignedWidthOf(store.getMemRef(), bytes, narrow, inPairs);
    if (width == 0 || (inner && !isMultipleOf(inner, width))) {
      flush(rewriter, numbers, groups, &op);
      continue;
    }
    auto [place, lane] = placeOf(store.getMemRef(), store.getIndices(), width);
    auto [entry, isNew] = numbers.try_emplace(place, groups.size());
    if (isNew)
      groups.push_back({.stores = SmallVector<memref::StoreOp>(width)});
    StoreGroup &group = groups[entry->second];
    group.isTwice |= (group.lanes >> lane & 1) != 0;
    group.stores[lane] = store;
    group.lanes |= 1u << lane;
    // What is whole goes where it became so, if nothing else waits: its values are done with then.
    if (groups.size() == 1)
      flushWhole(rewriter, numbers, groups, store->getNextNode());
  }
}

} // namespace

bool isReadInVectors(Value buffer, int64_t width) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0,
          whole = vectorBytes * 8 / std::max<int64_t>(bits, 8);
  if (bits == 32)
    return width % whole == 0 && startsAtMultiples(buffer, whole);
  // What threads hand on to each other lies in workgroup memory later.
  bool isNarrow =
      (bits == 8 || bits == 16) && !isInWorkgroupMemory(buffer) && !rootBuffer(buffer).getDefiningOp<memref::AllocOp>();
  return isNarrow && width <= whole && width * bits >= 32 && startsAtMultiples(buffer, width);
}

void writeInVectors(RewriterBase &rewriter, Operation *root, bool narrow, bool inPairs) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Block *> blocks;
  root->walk([&](Block *block) { blocks.push_back(block); });
  for (int64_t bytes : bytesAtOnce(narrow, inPairs))
    for (Block *block : blocks)
      writeBlock(rewriter, *block, bytes, narrow, inPairs);
}

void readInVectors(RewriterBase &rewriter, Operation *root, bool narrow, bool inPairs) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Block *> blocks;
  root->walk([&](Block *block) { blocks.push_back(block); });
  for (int64_t bytes : bytesAtOnce(narrow, inPairs))
    for (Block *block : blocks)
      readBlock(rewriter, *block, bytes, narrow, inPairs);
}

} // namespace fuselage
