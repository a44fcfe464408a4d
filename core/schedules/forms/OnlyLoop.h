// The loop that makes a nest of the loop around it.
#pragma once
#include "mlir/IR/Block.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

/// The only op of that kind in the block; null if there are none or several.
template <class Loop> Loop onlyIn(mlir::Block &block) {
  auto loops = block.getOps<Loop>();
  return llvm::hasSingleElement(loops) ? *loops.begin() : Loop();
}

} // namespace fuselage
