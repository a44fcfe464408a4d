// Whether IR that stays where it is has changed.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>

namespace fuselage {

/// A hash of all that a text of `root` shows but locations, by addresses: of the same IR at two times. A tenth of the
/// time that fingerprint() takes, which compares IR in different places. An op that was replaced by its equal counts as
/// a change.
uint64_t contentHash(mlir::Operation *root);

/// The same from one pass to the next. A pass changes nothing outside of the op that it runs on, so that what one pass
/// leaves of an op is what the next one finds, also where that runs on an op around it or in it. Whoever changes more
/// than locations between passes calls forget().
class PassHashes {
public:
  /// The hash of `op`, on which a pass is going to run: of no other op in it or around it is anything known then.
  uint64_t beginPass(mlir::Operation *op);
  /// The hash of `op`, which a pass has left, as contentHash() gives it.
  uint64_t endPass(mlir::Operation *op);
  /// Finds out what is not known of `op` yet, before a pass runs on it.
  void beginAt(mlir::Operation *op);
  void forget() { known_.clear(); }
  /// The same where only `op` may be another.
  void forget(mlir::Operation *op);

  /// Of an op that is isolated from above.
  struct Known {
    uint64_t hash = 0;
    bool hasIsolated = false; ///< such ops in it
  };

private:
  void forget(mlir::Operation *op, bool hasIsolated);

  llvm::DenseMap<mlir::Operation *, Known> known_;
};

} // namespace fuselage
