#include "core/transforms/gpu/distribution/MatrixEmitter.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;

namespace fuselage {

MatrixEmitter::MatrixEmitter(RewriterBase &rewriter, linalg::LinalgOp op, const MatrixTile &tile, Value thread)
    : rewriter_(rewriter), op_(op), tile_(tile), loc_(op.getLoc()) {
  findLane(thread);
  areWords_ = llvm::all_of(tile_.products, [&](const MatrixProduct &product) {
    return readingOf(product.right, /*isLeft=*/false) == Reading::Words;
  });
  findPoints();
}

Value MatrixEmitter::constant(int64_t value) { return arith::ConstantIndexOp::create(rewriter_, loc_, value); }
Value MatrixEmitter::plus(Value value, int64_t more) {
  return more == 0 ? value : Value(arith::AddIOp::create(rewriter_, loc_, value, constant(more)));
}
Value MatrixEmitter::times(Value value, int64_t factor) {
  return factor == 1 ? value : Value(arith::MulIOp::create(rewriter_, loc_, value, constant(factor)));
}

/// Subgroups without a part repeat the last one, so that all threads stay together for the barriers.
void MatrixEmitter::findLane(Value thread) {
  auto divide = [&](Value value, int64_t by) -> Value {
    return arith::DivUIOp::create(rewriter_, loc_, value, constant(by));
  };
  auto remainder = [&](Value value, int64_t by) -> Value {
    return arith::RemUIOp::create(rewriter_, loc_, value, constant(by));
  };
  lane_ = remainder(thread, tile_.shape.subgroup);
  group_ = divide(lane_, 4);
  member_ = remainder(lane_, 4);
  halfOfLane_ = divide(lane_, 16);
  matrixRow_ = remainder(lane_, 8);
  matrixHalf_ = remainder(divide(lane_, 8), 2);
  Value part = divide(thread, tile_.shape.subgroup);
  part = arith::MinUIOp::create(rewriter_, loc_, part, constant(tile_.parts() - 1));
  firstRow_ = times(divide(part, tile_.partsAcross()), tile_.partRows);
  firstColumn_ = times(remainder(part, tile_.partsAcross()), tile_.partColumns);
}

/// Of words, four blocks have four neighbours in turn: those of a row follow each other.
void MatrixEmitter::findPoints() {
  int64_t together = areWords_ ? 32 : tile_.shape.n;
  for (int64_t down = 0; down < tile_.partRows; down += tile_.shape.m)
    for (int64_t first = 0; first < tile_.partColumns; first += together)
      for (int64_t number = 0; number < 2; ++number)
        for (int64_t element = 0; element < 2; ++element)
          for (int64_t across = first; across < first + together; across += tile_.shape.n)
            addPoint(down, across, number, element);
}

void MatrixEmitter::addPoint(int64_t down, int64_t across, int64_t number, int64_t element) {
  SmallVector<unsigned> parallel;
  op_.getParallelDims(parallel);
  FragmentElement at = resultElement(number, element);
  Value row = arith::AddIOp::create(rewriter_, loc_, firstRow_, group_);
  Value column = arith::AddIOp::create(rewriter_, loc_, firstColumn_, times(member_, areWords_ ? 8 : 2));
  Indices ivs(op_.getNumLoops(), constant(0)), &point = points_.emplace_back();
  spread(tile_.rows, plus(row, down + at.row), ivs);
  int64_t offset = areWords_ ? across / 32 * 32 + across % 32 / 8 + 4 * element : across + at.column;
  spread(tile_.columns, plus(column, offset), ivs);
  for (unsigned loop : parallel)
    point.push_back(ivs[loop]);
  size_t block = down / tile_.shape.m * (tile_.partColumns / tile_.shape.n) + across / tile_.shape.n;
  registers_.push_back({.block = block, .number = number, .element = element});
}

std::optional<unsigned> MatrixEmitter::pairedLoop() const {
  linalg::LinalgOp op = op_;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  if (areWords_ || tile_.columns.empty() || op.getStaticLoopRanges()[tile_.columns.back()] % 2 != 0)
    return std::nullopt;
  return llvm::find(parallel, tile_.columns.back()) - parallel.begin();
}

/// The induction variables of loops that count as one.
void MatrixEmitter::spread(ArrayRef<unsigned> loops, Value number, Indices &ivs) {
  if (loops.size() == 1) {
    ivs[loops.front()] = number;
    return;
  }
  SmallVector<int64_t> ranges = op_.getStaticLoopRanges();
  SmallVector<Value> extents;
  for (unsigned loop : loops)
    extents.push_back(constant(ranges[loop]));
  for (auto [loop, iv] : llvm::zip_equal(loops, delinearize(rewriter_, loc_, number, extents)))
    ivs[loop] = iv;
}

MatrixEmitter::Indices MatrixEmitter::indicesOf(unsigned operand, bool isLeft, const Place &place) {
  Indices ivs(op_.getNumLoops(), constant(0));
  spread(isLeft ? tile_.rows : tile_.columns, place.outer, ivs);
  spread(tile_.k, place.k, ivs);
  auto indices = affine::expandAffineMap(rewriter_, loc_, op_.getMatchingIndexingMap(&op_->getOpOperand(operand)), ivs);
  return Indices(indices->begin(), indices->end());
}

/// True if the buffer is memory of the workgroup whose rows start at multiples of 16 bytes.
bool MatrixEmitter::hasRowsOfMemory(Value buffer) const {
  auto type = cast<MemRefType>(buffer.getType());
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) && startsAtMultiples(buffer, tile_.shape.perRow());
}

MatrixEmitter::Reading MatrixEmitter::readingOf(unsigned operand, bool isLeft) {
  if (!hasRowsOfMemory(op_->getOperand(operand)))
    return Reading::Elements;
  AffineMap map = op_.getMatchingIndexingMap(&op_->getOpOperand(operand));
  SmallVector<int64_t> ranges = op_.getStaticLoopRanges();
  // Maps are projected permutations.
  std::optional<unsigned> inner;
  if (map.getNumResults() != 0)
    inner = map.getDimPosition(map.getNumResults() - 1);
  if (!inner || ranges[*inner] % tile_.shape.perRow() != 0)
    return Reading::Elements;
  if (!tile_.k.empty() && tile_.k.back() == *inner)
    return Reading::Rows;
  ArrayRef<unsigned> outer = isLeft ? tile_.rows : tile_.columns;
  if (outer.empty() || outer.back() != *inner)
    return Reading::Elements;
  if (tile_.shape.operandBits() == 16)
    return Reading::Transposed;
  return !isLeft && tile_.shape.operandBits() == 8 && tile_.partColumns % 32 == 0 ? Reading::Words : Reading::Elements;
}

Value MatrixEmitter::fragment(unsigned operand, bool isLeft, int64_t outer, int64_t k, int64_t matrices) {
  Reading reading = readingOf(operand, isLeft);
  if (reading == Reading::Elements || reading == Reading::Words)
    return loadElements(operand, isLeft, outer, k, matrices);
  bool isTransposed = reading == Reading::Transposed;
  // Which row of eight, which block along rows or columns, which block along K: by lane.
  Value ofOuter = isLeft ? matrixHalf_ : halfOfLane_, ofK = isLeft ? halfOfLane_ : matrixHalf_;
  Place place;
  auto sum = [&](Value a, Value b) -> Value { return arith::AddIOp::create(rewriter_, loc_, a, b); };
  place.outer = sum(isLeft ? firstRow_ : firstColumn_, times(ofOuter, 8));
  place.k = times(ofK, tile_.shape.perRow());
  (isTransposed ? place.k : place.outer) = sum(isTransposed ? place.k : place.outer, matrixRow_);
  place.outer = plus(place.outer, outer);
  place.k = plus(place.k, k);
  if (matrices == 2 && !isLeft) {
    // The addresses of lanes above 16 are not used, but have to lie in the tile.
    place.outer = plus(isTransposed ? firstColumn_ : sum(firstColumn_, matrixRow_), outer);
  }
  Value buffer = op_->getOperand(operand);
  auto type = VectorType::get({matrices, tile_.shape.perRegister()}, tile_.shape.operand);
  return nvgpu::LdMatrixOp::create(rewriter_, loc_, type, buffer, indicesOf(operand, isLeft, place),
                                   rewriter_.getBoolAttr(isTransposed), rewriter_.getI32IntegerAttr(matrices));
}

Value MatrixEmitter::loadElements(unsigned operand, bool isLeft, int64_t outer, int64_t k, int64_t registers) {
  auto type = VectorType::get({registers, tile_.shape.perRegister()}, tile_.shape.operand);
  SmallVector<Value> elements;
  auto sum = [&](Value a, Value b) -> Value { return arith::AddIOp::create(rewriter_, loc_, a, b); };
  for (int64_t reg = 0; reg < registers; ++reg)
    for (int64_t element = 0; element < tile_.shape.perRegister(); ++element) {
      FragmentElement at = isLeft ? leftElement(tile_.shape, reg, element) : rightElement(tile_.shape, reg, element);
      int64_t byMember = isLeft ? at.byMemberColumn : at.byMemberRow;
      Place place{.outer = plus(sum(isLeft ? firstRow_ : firstColumn_, group_), outer + (isLeft ? at.row : at.column)),
                  .k = plus(times(member_, byMember), k + (isLeft ? at.column : at.row))};
      elements.push_back(
          memref::LoadOp::create(rewriter_, loc_, op_->getOperand(operand), indicesOf(operand, isLeft, place)));
    }
  return vector::FromElementsOp::create(rewriter_, loc_, type, elements);
}

SmallVector<Value> MatrixEmitter::leftFragments(unsigned operand, int64_t k) {
  SmallVector<Value> fragments;
  for (int64_t row = 0; row < tile_.partRows; row += tile_.shape.m)
    fragments.push_back(fragment(operand, /*isLeft=*/true, row, k, 4));
  return fragments;
}

/// Two blocks of a result are what a left operand of 16 bits is made of: a row of both halves of its rows, then the
/// other block's.
SmallVector<Value> MatrixEmitter::fragmentsOf(ArrayRef<Value> left, int64_t k) {
  constexpr size_t elements = 8; // of a fragment
  auto type = VectorType::get({4, 2}, tile_.shape.operand);
  SmallVector<Value> fragments;
  for (int64_t row = 0; row < tile_.partRows; row += tile_.shape.m) {
    size_t first = (row * tile_.kExtent + k * tile_.shape.m) / tile_.shape.subgroup;
    fragments.push_back(vector::FromElementsOp::create(rewriter_, loc_, type, left.slice(first, elements)));
  }
  return fragments;
}

/// Registers of four bytes each along K, of four neighbouring columns: four rows of four bytes, transposed. The
/// threads of the other half of a group read the last two rows first, since rows 8 apart lie in the same banks.
std::array<Value, 4> MatrixEmitter::columnsOfWords(unsigned operand, int64_t column, int64_t k) {
  auto type = VectorType::get(4, tile_.shape.operand);
  Value half = arith::DivUIOp::create(rewriter_, loc_, member_, constant(2));
  Value isFirst = arith::CmpIOp::create(rewriter_, loc_, arith::CmpIPredicate::eq, half, constant(0));
  SmallVector<Value, 4> words;
  for (int64_t row = 0; row < 4; ++row) {
    Value swapped = arith::XOrIOp::create(rewriter_, loc_, times(half, 2), constant(row));
    Place place{.outer = plus(arith::AddIOp::create(rewriter_, loc_, firstColumn_, times(group_, 4)), column),
                .k = plus(arith::AddIOp::create(rewriter_, loc_, times(member_, 4), swapped), k)};
    words.push_back(vector::LoadOp::create(rewriter_, loc_, type, op_->getOperand(operand),
                                           indicesOf(operand, /*isLeft=*/false, place),
                                           /*nontemporal=*/false, llvm::MaybeAlign(4)));
  }
  auto mix = [&](Value first, Value second, ArrayRef<int64_t> bytes) -> Value {
    return vector::ShuffleOp::create(rewriter_, loc_, first, second, bytes);
  };
  std::array<Value, 4> columns;
  for (int64_t pair = 0; pair < 2; ++pair) { // of columns
    int64_t byte = 2 * pair, bytes[] = {byte, byte + 4, byte + 1, byte + 5};
    Value upper = mix(words[0], words[1], bytes), lower = mix(words[2], words[3], bytes);
    Value first = arith::SelectOp::create(rewriter_, loc_, isFirst, upper, lower);
    Value second = arith::SelectOp::create(rewriter_, loc_, isFirst, lower, upper);
    columns[byte] = mix(first, second, {0, 1, 4, 5});
    columns[byte + 1] = mix(first, second, {2, 3, 6, 7});
  }
  return columns;
}

SmallVector<Value> MatrixEmitter::fragmentsOfWords(unsigned operand, int64_t k) {
  auto type = VectorType::get({2, 4}, tile_.shape.operand);
  Value none = arith::ConstantOp::create(rewriter_, loc_, rewriter_.getZeroAttr(type));
  SmallVector<Value> fragments;
  for (int64_t column = 0; column < tile_.partColumns; column += 32) {
    std::array<Value, 4> upper = columnsOfWords(operand, column, k);
    std::array<Value, 4> lower = columnsOfWords(operand, column, k + tile_.shape.perRow());
    for (auto [first, second] : llvm::zip_equal(upper, lower)) {
      Value half = vector::InsertOp::create(rewriter_, loc_, first, none, ArrayRef<int64_t>{0});
      fragments.push_back(vector::InsertOp::create(rewriter_, loc_, second, half, ArrayRef<int64_t>{1}));
    }
  }
  return fragments;
}

/// One for each block of columns; two blocks come with one read.
SmallVector<Value> MatrixEmitter::rightFragments(unsigned operand, int64_t k) {
  if (areWords_)
    return fragmentsOfWords(operand, k);
  SmallVector<Value> fragments;
  for (int64_t column = 0; column < tile_.partColumns;) {
    if (column + 16 > tile_.partColumns) {
      fragments.push_back(fragment(operand, /*isLeft=*/false, column, k, 2));
      column += 8;
      continue;
    }
    Value both = fragment(operand, /*isLeft=*/false, column, k, 4);
    for (int64_t first : {0, 2})
      fragments.push_back(vector::ExtractStridedSliceOp::create(rewriter_, loc_, both, ArrayRef<int64_t>{first, 0},
                                                                ArrayRef<int64_t>{2, tile_.shape.perRegister()},
                                                                ArrayRef<int64_t>{1, 1}));
    column += 16;
  }
  return fragments;
}

SmallVector<Value> MatrixEmitter::pack(ValueRange elements) {
  auto type = VectorType::get({2, 2}, tile_.accumulator);
  size_t results = tile_.products.size(), blocks = tile_.blocks();
  SmallVector<SmallVector<Value>> fours(results * blocks, SmallVector<Value>(4));
  for (auto [point, at] : llvm::enumerate(registers_))
    for (size_t result = 0; result < results; ++result) {
      Value element = elements[point * results + result];
      fours[result * blocks + at.block][2 * at.number + at.element] =
          element.getType() == tile_.accumulator
              ? element
              : Value(arith::ExtFOp::create(rewriter_, loc_, tile_.accumulator, element));
    }
  return llvm::map_to_vector(fours, [&](ArrayRef<Value> four) {
    return llvm::all_equal(four) ? Value(vector::BroadcastOp::create(rewriter_, loc_, type, four.front()))
                                 : Value(vector::FromElementsOp::create(rewriter_, loc_, type, four));
  });
}

SmallVector<Value> MatrixEmitter::unpack(ValueRange accumulators, size_t first, size_t count) {
  size_t results = tile_.products.size(), blocks = tile_.blocks();
  SmallVector<Value> elements;
  for (const Register &at : ArrayRef(registers_).slice(first, count))
    for (size_t result = 0; result < results; ++result) {
      Type wanted = getElementTypeOrSelf(op_->getOperand(tile_.products[result].result).getType());
      Value value = vector::ExtractOp::create(rewriter_, loc_, accumulators[result * blocks + at.block],
                                              ArrayRef<int64_t>{at.number, at.element});
      elements.push_back(wanted == tile_.accumulator ? value
                                                     : Value(arith::TruncFOp::create(rewriter_, loc_, wanted, value)));
    }
  return elements;
}

/// The fragments with zeros in the first half of their K: `perBlock` registers lie along rows or columns before the
/// K.
SmallVector<Value> MatrixEmitter::secondHalves(ArrayRef<Value> fragments, int64_t perBlock) {
  SmallVector<Value> halves;
  Value zero = arith::ConstantOp::create(rewriter_, loc_, rewriter_.getZeroAttr(tile_.shape.operand));
  for (Value fragment : fragments) {
    auto type = cast<VectorType>(fragment.getType());
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < type.getDimSize(0); ++reg)
      for (int64_t element = 0; element < type.getDimSize(1); ++element)
        elements.push_back(reg < perBlock ? zero
                                          : Value(vector::ExtractOp::create(rewriter_, loc_, fragment,
                                                                            ArrayRef<int64_t>{reg, element})));
    halves.push_back(vector::FromElementsOp::create(rewriter_, loc_, type, elements));
  }
  return halves;
}

SmallVector<Value> MatrixEmitter::multiply(ValueRange accumulators, ArrayRef<Value> known) {
  SmallVector<Value> sums(accumulators);
  std::array<int64_t, 3> sizes = tile_.shape.sizes();
  for (int64_t step = 0; step < tile_.kExtent; step += tile_.shape.k) {
    // The last step may start half a step earlier, where the one before has been.
    int64_t k = std::min(step, tile_.kExtent - tile_.shape.k);
    std::map<unsigned, SmallVector<Value>> left, right;
    for (const MatrixProduct &product : tile_.products) {
      if (!left.count(product.left))
        left[product.left] = known.empty() ? leftFragments(product.left, k) : fragmentsOf(known, k);
      if (!right.count(product.right))
        right[product.right] = rightFragments(product.right, k);
    }
    if (k != step) {
      for (auto &fragments : left)
        fragments.second = secondHalves(fragments.second, 2);
      for (auto &fragments : right)
        fragments.second = secondHalves(fragments.second, 1);
    }
    size_t next = 0;
    for (const MatrixProduct &product : tile_.products)
      for (Value a : left[product.left])
        for (Value b : right[product.right]) {
          sums[next] =
              nvgpu::MmaSyncOp::create(rewriter_, loc_, a, b, sums[next], ArrayRef<int64_t>(sizes), tile_.shape.isTf32);
          ++next;
        }
  }
  return sums;
}

} // namespace fuselage
