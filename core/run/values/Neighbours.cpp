#include "core/run/values/Neighbours.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace mlir;

namespace fuselage {

/// Of a float as it lies in memory: sign and magnitude, so that neighbours differ by one.
template <class Bits> static void moveBits(uint8_t *data, bool up) {
  Bits bits;
  std::memcpy(&bits, data, sizeof(bits));
  bits += up ? 1 : -1;
  std::memcpy(data, &bits, sizeof(bits));
}

/// SplitMix64's finish (Steele, Lea and Flood, OOPSLA 2014).
static uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

void moveToNeighbours(Type elementType, uint8_t *data, int64_t count, uint64_t seed) {
  if (auto complex = llvm::dyn_cast<ComplexType>(elementType))
    return moveToNeighbours(complex.getElementType(), data, 2 * count, seed);
  unsigned bytes = hostElementBytes(elementType);
  if (!llvm::isa<FloatType>(elementType) || !llvm::is_contained({1u, 2u, 4u, 8u}, bytes))
    return;
  HostTensor values = HostTensor::wrap(RankedTensorType::get({count}, elementType), nullptr, data);
  for (int64_t i = 0; i < count; ++i) {
    double value = values.floatAt(i);
    if (!std::isfinite(value) || value == std::trunc(value))
      continue;
    uint8_t *element = data + i * bytes;
    bool up = mixed(seed + 0x9e3779b97f4a7c15u * uint64_t(i + 1)) & 1;
    switch (bytes) {
    case 1:
      moveBits<uint8_t>(element, up);
      break;
    case 2:
      moveBits<uint16_t>(element, up);
      break;
    case 4:
      moveBits<uint32_t>(element, up);
      break;
    default:
      moveBits<uint64_t>(element, up);
    }
  }
}

double sizeOfTerms(const HostTensor &expected, const HostTensor &moved, double roundoff) {
  if (expected.type() != moved.type() || roundoff <= 0)
    return 0;
  if (auto complex = llvm::dyn_cast<ComplexType>(expected.elementType())) {
    Type flat = RankedTensorType::get({2 * expected.elementCount()}, complex.getElementType());
    return sizeOfTerms(expected.reinterpret(flat), moved.reinterpret(flat), roundoff);
  }
  if (!llvm::isa<FloatType>(expected.elementType()))
    return 0;
  constexpr int64_t enough = 1 << 16;
  int64_t count = expected.elementCount(), step = std::max<int64_t>(1, count / enough) | 1;
  std::vector<double> moves;
  int64_t looked = 0;
  for (int64_t i = 0; i < count; i += step, ++looked)
    if (double by = std::abs(moved.floatAt(i) - expected.floatAt(i)); by > 0 && std::isfinite(by))
      moves.push_back(by);
  if (moves.empty() || int64_t(moves.size()) * 8 < looked)
    return 0;
  auto middle = moves.begin() + moves.size() / 2;
  std::nth_element(moves.begin(), middle, moves.end());
  constexpr double medianOfNormal = 0.6745; // of the absolute value, in standard deviations
  return *middle / medianOfNormal / roundoff;
}

} // namespace fuselage
