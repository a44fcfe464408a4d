#include "core/transforms/nvidia/CarriedRegisters.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

int64_t registersCarriedBy(scf::ForOp loop) {
  int64_t bits = 0;
  for (Value carried : loop.getRegionIterArgs())
    if (auto vector = dyn_cast<VectorType>(carried.getType()))
      bits += vector.getNumElements() * (vector.getElementType().isIntOrFloat() ? vector.getElementTypeBitWidth() : 64);
    else
      bits += carried.getType().isIntOrFloat() ? std::max(carried.getType().getIntOrFloatBitWidth(), 32u) : 64;
  return bits / 32;
}

int64_t registersHeldIn(scf::ForOp loop) {
  int64_t most = 0;
  loop.getBody()->walk([&](scf::ForOp inner) { most = std::max(most, registersCarriedBy(inner)); });
  return registersCarriedBy(loop) + most;
}

} // namespace fuselage
