// Whether a pass changed the IR, and how many ops of each kind there are, in one walk.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include <cstdint>
#include <map>
#include <string>

namespace fuselage {

/// A structural hash of everything that the text shows but locations and value names: op names,
/// attributes, types, operands, successors, regions. Equal within one process and context for IR
/// that is equal, wherever it lies in memory. Linear; costs a fraction of cloning.
struct IrFingerprint {
  uint64_t hash = 0;
  std::map<std::string, int64_t> ops; ///< op name -> count
};
IrFingerprint fingerprint(mlir::Operation *root);

/// after - before, without zeros.
std::map<std::string, int64_t> opDelta(const IrFingerprint &before, const IrFingerprint &after);

} // namespace fuselage
