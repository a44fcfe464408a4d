// rng_bit_generator, with the bits that XLA makes, and rng, which every implementation may draw as it likes.
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/scalars/RandomBits.h"
#include "core/transforms/stablehlo/scalars/ScalarMath.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace fuselage {
namespace {

/// Bits of an integer or float that has random ones; 0 for others.
unsigned randomBits(Type element) {
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  return width == 64 || (width <= 32 && width > 1) ? width : 0;
}

/// An element of the state.
Scalar stateWord(HloCall &call, int64_t index) {
  Value at = indexConstant(call.builder, call.loc, index);
  return {call.builder, call.loc, tensor::ExtractOp::create(call.builder, call.loc, call.operands[0], at)};
}

Scalar indexAt(OpBuilder &builder, Location loc, int64_t dim) {
  Value index = linalg::IndexOp::create(builder, loc, dim);
  return {builder, loc, arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index)};
}

/// The place of an element in order of memory; `at` gives its index in a dimension.
Scalar linearPlace(const Scalar &zero, ArrayRef<int64_t> shape, llvm::function_ref<Scalar(int64_t)> at) {
  std::optional<Scalar> place;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size > 1)
      place = place ? *place * double(size) + at(dim) : at(dim);
  return place.value_or(zero);
}

/// The low bits of a wide number as an element.
Value elementOfBits(const Scalar &bits, Type type) {
  Type narrow = bits.builder().getIntegerType(type.getIntOrFloatBitWidth());
  Scalar number = bits.type() == narrow ? bits : bits.make<arith::TruncIOp>(narrow, Value(bits));
  return number.bitcast(type);
}

/// A tensor whose elements are computed from their indices.
Value computed(HloCall &call, RankedTensorType type, llvm::function_ref<Value(OpBuilder &, Location)> element) {
  SmallVector<AffineMap> maps{call.builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  Value empty = emptyTensor(call.builder, call.loc, type);
  return linalg::GenericOp::create(call.builder, call.loc, type, ValueRange(), empty, maps, loops,
                                   [&](OpBuilder &inner, Location loc, ValueRange) {
                                     linalg::YieldOp::create(inner, loc, element(inner, loc));
                                   })
      .getResult(0);
}

/// The state with other counters.
Value newState(HloCall &call, ArrayRef<Value> words) {
  return tensor::FromElementsOp::create(call.builder, call.loc, call.operandType(0), words);
}

int64_t ceilDiv(int64_t number, int64_t by) { return (number + by - 1) / by; }

/// XLA halves the shape along its first even dimension, or else the largest one: one block of Threefry gives two words,
/// which are neighbors there.
int64_t halvedDim(ArrayRef<int64_t> shape) {
  const auto *even = llvm::find_if(shape, [](int64_t size) { return size % 2 == 0; });
  return (even != shape.end() ? even : std::max_element(shape.begin(), shape.end())) - shape.begin();
}

/// State: the key and a counter.
SmallVector<Value> threefryBits(HloCall &call, RankedTensorType type) {
  Scalar key = stateWord(call, 0), start = stateWord(call, 1);
  bool isWide = randomBits(type.getElementType()) == 64;
  SmallVector<int64_t> blocks(type.getShape());
  int64_t halved = isWide || blocks.empty() ? -1 : halvedDim(blocks);
  if (halved >= 0)
    blocks[halved] = ceilDiv(blocks[halved], 2);
  Value numbers = computed(call, type, [&](OpBuilder &inner, Location loc) {
    auto at = [&](int64_t dim) { return dim == halved ? indexAt(inner, loc, dim) >> 1 : indexAt(inner, loc, dim); };
    Scalar counter = Scalar(inner, loc, start) + linearPlace(Scalar(inner, loc, start).like(0), blocks, at);
    auto [low, high] = threefry(wordsOf(counter), wordsOf(Scalar(inner, loc, key)));
    if (isWide)
      return elementOfBits(joinWords(low, high), type.getElementType());
    if (halved < 0)
      return elementOfBits(low, type.getElementType());
    Scalar lane = indexAt(inner, loc, halved);
    Scalar isSecond = isEqual(lane & lane.bits(1), 1);
    return elementOfBits(isSecond.select(high, low), type.getElementType());
  });
  int64_t used = ShapedType::getNumElements(blocks);
  return {newState(call, {key, start + start.like(used)}), numbers};
}

/// State: the key and a counter of 64 or 128 bits, its low half first.
SmallVector<Value> philoxBits(HloCall &call, RankedTensorType type) {
  Scalar key = stateWord(call, 0), low = stateWord(call, 1);
  bool hasHigh = call.operandType(0).getDimSize(0) == 3;
  Scalar high = hasHigh ? stateWord(call, 2) : key; // as XLA does
  auto plus = [&](OpBuilder &builder, Location loc, const Scalar &places) {
    Scalar before(builder, loc, low), top(builder, loc, high), sum = before + places;
    Scalar carries = sum.compare(CmpIPredicate::ult, before);
    return std::pair(sum, carries.select(top + 1, top));
  };
  bool isWide = randomBits(type.getElementType()) == 64;
  int64_t lanes = isWide ? 2 : 4; // elements that one block gives
  Value numbers = computed(call, type, [&](OpBuilder &inner, Location loc) {
    auto at = [&](int64_t dim) { return indexAt(inner, loc, dim); };
    Scalar place = linearPlace(Scalar(inner, loc, low).like(0), type.getShape(), at);
    auto [counter, top] = plus(inner, loc, place >> (isWide ? 1 : 2));
    auto [c0, c1] = wordsOf(counter);
    auto [c2, c3] = wordsOf(top);
    std::array<Scalar, 4> words = philox({c0, c1, c2, c3}, wordsOf(Scalar(inner, loc, key)));
    SmallVector<Scalar> parts = isWide
                                    ? SmallVector<Scalar>{joinWords(words[0], words[1]), joinWords(words[2], words[3])}
                                    : SmallVector<Scalar>(words.begin(), words.end());
    Scalar lane = place & place.bits(lanes - 1), chosen = parts.back();
    for (int64_t number = lanes - 2; number >= 0; --number)
      chosen = isEqual(lane, double(number)).select(parts[number], chosen);
    return elementOfBits(chosen, type.getElementType());
  });
  auto [next, top] = plus(call.builder, call.loc, low.like(ceilDiv(type.getNumElements(), lanes)));
  SmallVector<Value> state{key, next};
  if (hasHigh)
    state.push_back(top);
  return {newState(call, state), numbers};
}

/// What the default algorithm is each compiler may choose: XLA takes Philox on processors.
HloResults lowerRandomBits(HloCall &call) {
  RankedTensorType type = call.op->getNumResults() == 2 ? call.resultType(1) : RankedTensorType();
  if (!type || !call.isOnTensors() || call.operands.size() != 1 || !type.hasStaticShape())
    return call.refuse("it is not on tensors of known sizes");
  RankedTensorType state = call.operandType(0);
  int64_t words = state.getRank() == 1 ? state.getDimSize(0) : 0;
  std::string algorithm = call.op.word({"rng_algorithm", "algorithm"});
  bool isThreefry = algorithm == "THREE_FRY";
  if (!isThreefry && algorithm != "PHILOX" && algorithm != "DEFAULT")
    return call.refuse("nothing here knows the algorithm '" + algorithm + "'");
  if (!state.getElementType().isInteger(64) || !(words == 2 || (words == 3 && !isThreefry)))
    return call.refuse("its state is not two numbers of 64 bits, or three for Philox");
  if (randomBits(type.getElementType()) == 0)
    return call.refuse("its elements are not integers or floats of up to 32, or of 64 bits");
  return isThreefry ? threefryBits(call, type) : philoxBits(call, type);
}

//===-- rng ---------------------------------------------------------------===//

/// From 0 up to 1, from 32 random bits, or 64 for f64.
Scalar unitNumber(const Scalar &bits, FloatType type) {
  bool isWide = type.isF64();
  unsigned kept = isWide ? 53 : 24, width = isWide ? 64 : 32;
  Type work = isWide ? Type(type) : bits.builder().getF32Type();
  Scalar number = bits.make<arith::UIToFPOp>(work, Value(bits >> (width - kept)));
  return number * std::ldexp(1.0, -int(kept));
}

/// The number in a narrower type, if that is another.
Scalar narrowed(const Scalar &number, FloatType type) {
  return number.type() == type ? number : number.make<arith::TruncFOp>(type, Value(number));
}

Scalar widened(const Scalar &number) {
  unsigned width = number.type().getIntOrFloatBitWidth();
  return width >= 32 ? number : number.make<arith::ExtFOp>(number.builder().getF32Type(), Value(number));
}

/// A number below `high`, or `low` and above, by the rest of a division.
Value uniformInteger(const Scalar &bits, const Scalar &low, const Scalar &high) {
  Type type = low.type();
  Scalar number = bits.type() == type ? bits
                  : bits.type().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth()
                      ? bits.make<arith::TruncIOp>(type, Value(bits))
                      : bits.make<arith::ExtUIOp>(type, Value(bits));
  Scalar range = high - low;
  Scalar safe = isEqual(range, 0.0).select(range.like(1), range);
  return low + number.make<arith::RemUIOp>(Value(number), Value(safe));
}

/// Uniform from `a` to `b`, or normal with mean `a` and deviation `b` (by Box and Muller), from a generator that starts
/// with the number of the op in its function: each run draws the same numbers, each op others.
HloResults lowerRandom(HloCall &call) {
  RankedTensorType type = call.op->getNumResults() == 1 ? call.resultType() : RankedTensorType();
  bool isNormal = call.op.name() == "rng_normal" || call.op.word({"rng_distribution", "distribution"}) == "NORMAL";
  auto real = type ? dyn_cast<FloatType>(type.getElementType()) : FloatType();
  if (!type || !call.isOnTensors() || call.operands.size() < 2 || !type.hasStaticShape() ||
      (!real && (isNormal || !isa<IntegerType>(type.getElementType()))))
    return call.refuse("it is not on tensors of known sizes, of integers or floats");
  uint64_t number = 0;
  for (Operation *op = call.op.operation(); op; op = op->getPrevNode())
    ++number;
  Value bounds[2] = {scalarOf(call.builder, call.loc, call.operands[0]),
                     scalarOf(call.builder, call.loc, call.operands[1])};
  return SmallVector<Value>{computed(call, type, [&](OpBuilder &inner, Location loc) -> Value {
    Scalar low(inner, loc, bounds[0]), high(inner, loc, bounds[1]);
    Scalar zero(inner, loc, indexConstant(inner, loc, 0));
    zero = zero.make<arith::IndexCastOp>(inner.getI64Type(), Value(zero));
    Scalar place = linearPlace(zero, type.getShape(), [&](int64_t dim) { return indexAt(inner, loc, dim); });
    auto draw = [&](uint64_t stream) {
      auto [first, second] = threefry(wordsOf(place), wordsOf(place.bits(number << 32 | stream)));
      bool isWide = type.getElementType().getIntOrFloatBitWidth() == 64;
      return isWide ? joinWords(first, second) : first;
    };
    if (!real)
      return uniformInteger(draw(0), low, high);
    Scalar unit = unitNumber(draw(0), real);
    Scalar a = widened(low), b = widened(high);
    if (!isNormal)
      return narrowed(a + unit * (b - a), real);
    Scalar radius = sqrt(log(1 - unit) * -2);
    Scalar angle = unitNumber(draw(1), real) * (2 * M_PI);
    return narrowed(a + b * (radius * cos(angle)), real);
  })};
}

} // namespace

void addRandomLowerings(HloLowerings &lowerings) {
  lowerings["rng"] = lowerRandom;
  lowerings["rng_bit_generator"] = lowerRandomBits;
  lowerings["rng_normal"] = lowerRandom;
  lowerings["rng_uniform"] = lowerRandom;
}

} // namespace fuselage
