#include "core/transforms/stablehlo/scalars/RandomBits.h"

using namespace mlir;

namespace fuselage {

static Scalar rotateLeft(const Scalar &word, unsigned places) { return (word << places) | (word >> (32 - places)); }

std::array<Scalar, 2> threefry(std::array<Scalar, 2> counter, std::array<Scalar, 2> key) {
  constexpr unsigned rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  std::array<Scalar, 3> keys{key[0], key[1], key[0] ^ key[1] ^ key[0].bits(0x1BD11BDA)};
  Scalar left = counter[0] + keys[0], right = counter[1] + keys[1];
  for (unsigned group = 0; group < 5; ++group) {
    for (unsigned places : rotations[group % 2]) {
      left = left + right;
      right = left ^ rotateLeft(right, places);
    }
    left = left + keys[(group + 1) % 3];
    right = right + keys[(group + 2) % 3] + right.bits(group + 1);
  }
  return {left, right};
}

std::array<Scalar, 2> wordsOf(const Scalar &number) {
  Type word = number.builder().getI32Type();
  return {number.make<arith::TruncIOp>(word, Value(number)), number.make<arith::TruncIOp>(word, Value(number >> 32))};
}

Scalar joinWords(const Scalar &low, const Scalar &high) {
  Type wide = low.builder().getI64Type();
  return low.make<arith::ExtUIOp>(wide, Value(low)) | (high.make<arith::ExtUIOp>(wide, Value(high)) << 32);
}

std::array<Scalar, 4> philox(std::array<Scalar, 4> counter, std::array<Scalar, 2> key) {
  auto product = [](const Scalar &word, uint64_t factor) {
    Scalar wide = word.make<arith::ExtUIOp>(word.builder().getI64Type(), Value(word));
    return wordsOf(wide * wide.bits(factor));
  };
  for (unsigned round = 0; round < 10; ++round) {
    auto [firstLow, firstHigh] = product(counter[0], 0xD2511F53);
    auto [secondLow, secondHigh] = product(counter[2], 0xCD9E8D57);
    counter = {secondHigh ^ counter[1] ^ key[0], secondLow, firstHigh ^ counter[3] ^ key[1], firstLow};
    key = {key[0] + key[0].bits(0x9E3779B9), key[1] + key[1].bits(0xBB67AE85)};
  }
  return counter;
}

} // namespace fuselage
