#include "core/transforms/gpu/VectorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <array>
#include <map>

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t width = 4;

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

/// True if `value`, an index, is a multiple of `width` in any case.
bool isMultiple(Value value, unsigned depth = 0) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return *number % width == 0;
  if (depth > 8)
    return false;
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return isMultiple(product.getLhs(), depth + 1) || isMultiple(product.getRhs(), depth + 1);
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return isMultiple(sum.getLhs(), depth + 1) && isMultiple(sum.getRhs(), depth + 1);
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == value && isMultiple(loop.getLowerBound(), depth + 1) &&
         isMultiple(loop.getStep(), depth + 1);
}

/// Workgroup memory of elements of 32 bits, in rows of whole vectors.
bool hasAlignedRows(MemRefType type) {
  if (!gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace()) || !type.hasStaticShape() ||
      type.getRank() == 0 || !type.getElementType().isIntOrFloat() || type.getElementTypeBitWidth() != 32)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) || offset % width != 0)
    return false;
  return strides.back() == 1 && llvm::all_of(ArrayRef(strides).drop_back(), [](int64_t stride) {
           return !ShapedType::isDynamic(stride) && stride % width == 0;
         });
}

/// Where a vector starts: the buffer, and its first element by dimension.
using Place = std::pair<const void *, std::vector<std::pair<const void *, int64_t>>>;

/// The place of the vector that `load` reads one element of, and which one.
std::pair<Place, int64_t> placeOf(memref::LoadOp load) {
  Place place{load.getMemRef().getAsOpaquePointer(), {}};
  for (Value index : load.getIndices()) {
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
  SmallVector<std::pair<memref::LoadOp, int64_t>> loads;
  unsigned lanes = 0; ///< a bit each
};

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
    indices.back() = start == 0 ? value
                                : arith::AddIOp::create(rewriter, loc, value,
                                                        arith::ConstantIndexOp::create(rewriter, loc, start))
                                      .getResult();
  Value vector = vector::LoadOp::create(rewriter, loc, VectorType::get(width, type.getElementType()),
                                        first.getMemRef(), indices, /*nontemporal=*/false, llvm::MaybeAlign(16));
  std::array<Value, width> elements;
  for (auto [lane, element] : llvm::enumerate(elements))
    element = vector::ExtractOp::create(rewriter, loc, vector, int64_t(lane));
  for (auto [load, lane] : group.loads)
    rewriter.replaceOp(load, elements[lane]);
}

/// Emits the groups that have all elements of their vector.
void flush(RewriterBase &rewriter, std::map<Place, unsigned> &numbers, std::vector<Group> &groups) {
  for (const Group &group : groups)
    if (group.lanes == (1u << width) - 1)
      emitVector(rewriter, group);
  numbers.clear();
  groups.clear();
}

void readBlock(RewriterBase &rewriter, Block &block) {
  // Numbers keep the order of the text, which pointers do not.
  std::map<Place, unsigned> numbers;
  std::vector<Group> groups;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load && !isMemoryEffectFree(&op))
      flush(rewriter, numbers, groups);
    if (!load || !hasAlignedRows(load.getMemRefType()))
      continue;
    Value inner = split(load.getIndices().back()).first;
    if (inner && !isMultiple(inner))
      continue;
    auto [place, lane] = placeOf(load);
    auto [entry, isNew] = numbers.try_emplace(place, groups.size());
    if (isNew)
      groups.emplace_back();
    groups[entry->second].loads.emplace_back(load, lane);
    groups[entry->second].lanes |= 1u << lane;
  }
  flush(rewriter, numbers, groups);
}

} // namespace

void readInVectors(RewriterBase &rewriter, Operation *root) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Block *> blocks;
  root->walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    readBlock(rewriter, *block);
}

} // namespace fuselage
