#include "core/run/values/RandomInputs.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

namespace {

/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
struct SplitMix64 {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [0, count), which is not 0.
  uint64_t below(uint64_t count) { return next() % count; }
  /// Mean 0, deviation 1, a multiple of 2^-16: the same on every platform, as no logarithm would be.
  double normal() {
    int64_t sum = 0;
    for (int draw = 0; draw < 3; ++draw)
      for (uint64_t bits = next(), part = 0; part < 4; ++part, bits >>= 16)
        sum += bits & 0xffff;
    return double(sum - 6 * 65535) * 0x1p-16;
  }
};

/// Draws elements for one tensor.
class Drawer {
public:
  Drawer(Type element, const InputDomain &domain, SplitMix64 &random)
      : domain_(domain), random_(random), bits_(element.isIndex() ? 64 : element.getIntOrFloatBitWidth()),
        first_(domain.first), last_(domain.last), bounded_(domain.bounded || element.isIndex()) {
    if (auto type = llvm::dyn_cast<FloatType>(element))
      isPositive_ = !llvm::APFloat::semanticsHasSignedRepr(type.getFloatSemantics());
    if (element.isIndex() && !domain.bounded)
      first_ = 0, last_ = 7;
    // Within what the type holds: of signless integers as signed ones.
    int64_t greatest = bits_ >= 64 ? std::numeric_limits<int64_t>::max() : (int64_t(1) << (bits_ - 1)) - 1;
    bool isUnsigned = element.isUnsignedInteger();
    first_ = std::max(first_, isUnsigned ? 0 : -greatest - 1);
    last_ = std::max(first_, std::min(last_, greatest));
  }

  double number() {
    double value = domain_.mean + random_.normal() * domain_.deviation;
    if (isPositive_)
      value = std::abs(value) + 0.05;
    if (std::isfinite(domain_.least) && std::isfinite(domain_.most)) // by the normal number's low bits: uniform
      return domain_.least + (domain_.most - domain_.least) * double(random_.next() >> 32) * 0x1p-32;
    if (std::isfinite(domain_.least))
      return domain_.least + std::abs(value);
    if (domain_.awayFromZero && std::abs(value) < 0.25)
      value = std::copysign(0.25 + std::abs(value), value);
    return value;
  }

  int64_t integer() {
    int64_t value = anyInteger();
    if (!domain_.isDivisor || bits_ == 1)
      return domain_.isDivisor ? 1 : value;
    unsigned unused = 64 - std::min(bits_, 64u);
    int64_t narrow = int64_t(uint64_t(value) << unused) >> unused;
    return narrow == 0 || narrow == -1 ? 1 : value;
  }

private:
  int64_t anyInteger() {
    if (bounded_) {
      uint64_t span = uint64_t(last_) - uint64_t(first_);
      return span == UINT64_MAX ? int64_t(random_.next()) : int64_t(uint64_t(first_) + random_.below(span + 1));
    }
    if (bits_ == 1)
      return random_.next() >> 63;
    uint64_t draw = random_.next();
    int64_t greatest = last_, least = first_;
    uint64_t choice = draw & 15, more = draw >> 4;
    if (choice == 0) {
      const int64_t edges[] = {least, greatest, 0, 1, -1, least + 1, greatest - 1, 2};
      return edges[more & 7];
    }
    int64_t value = int64_t(random_.next());
    if (choice >= 8)
      return value;
    unsigned width = std::min(bits_, 64u); // of every magnitude
    return value >> (64 - width + more % width);
  }

  const InputDomain &domain_;
  SplitMix64 &random_;
  unsigned bits_;
  int64_t first_, last_;
  bool bounded_, isPositive_ = false;
};

} // namespace

void fillRandomly(HostTensor &tensor, uint64_t seed, uint64_t index, const InputDomain &domain,
                  const std::atomic<bool> *cancelled) {
  SplitMix64 random{seed * 0x2545f4914f6cdd1d + index};
  random.next();
  Type element = tensor.elementType();
  int64_t count = tensor.elementCount();
  HostTensor values = tensor;
  if (auto complex = llvm::dyn_cast<ComplexType>(element)) {
    count *= 2;
    element = complex.getElementType();
    values = tensor.reinterpret(element); // whose elements follow each other
  }
  Drawer drawer(element, domain, random);
  auto isCancelled = [&](int64_t i) {
    constexpr int64_t often = 1 << 16; // some milliseconds
    return i % often == 0 && cancelled && cancelled->load();
  };
  if (element.isF32()) {
    auto *numbers = reinterpret_cast<float *>(values.data());
    for (int64_t i = 0; i < count && !isCancelled(i); ++i)
      numbers[i] = static_cast<float>(drawer.number());
    return;
  }
  bool isNarrow = llvm::isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  if (domain.countsUp && !llvm::isa<FloatType>(element) && !tensor.shape().empty()) {
    uint64_t length = tensor.shape().back(), span = uint64_t(domain.last) - uint64_t(domain.first) + 1;
    for (int64_t i = 0; i < count; ++i)
      values.setInteger(i, domain.first + int64_t(uint64_t(i) % length % std::max<uint64_t>(span, 1)));
    return;
  }
  for (int64_t i = 0; i < count && !isCancelled(i); ++i)
    if (llvm::isa<FloatType>(element))
      values.setFloat(i, isNarrow ? static_cast<float>(drawer.number()) : drawer.number());
    else
      values.setInteger(i, drawer.integer());
}

llvm::Expected<HostTensor> randomTensor(Type type, uint64_t seed, uint64_t index, const InputDomain &domain) {
  auto tensor = HostTensor::create(type);
  if (tensor)
    fillRandomly(*tensor, seed, index, domain);
  return tensor;
}

llvm::Expected<std::vector<HostTensor>> randomArguments(func::FuncOp function, uint64_t seed) {
  std::vector<HostTensor> arguments;
  std::vector<InputDomain> domains = inputDomainsOf(function);
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = randomTensor(type, seed, index, domains[index]);
    if (!tensor)
      return fail("argument " + std::to_string(index) + " of @" + function.getName().str() +
                  " cannot be made up: " + takeFailure(tensor.takeError()).message);
    arguments.push_back(std::move(*tensor));
  }
  return arguments;
}

} // namespace fuselage
