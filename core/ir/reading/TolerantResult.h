// What tolerant reading is asked, and what it makes of a split.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// What tolerant reading made of one split.
struct TolerantResult {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null: no op of it could be read
  std::vector<Diagnostic> diagnostics;      ///< in the order of the file
  unsigned gaps = 0;
  bool isVerified = true; ///< the verifier refused nothing, ever
  unsigned parses = 0;    ///< of the whole text: at most 120
  unsigned triedOps = 0;  ///< parses of single ops: ops that differ only in the names of their values share theirs
};

/// An op whose reading took a copy of the process down.
struct DeadlyOp {
  size_t offset = 0; ///< of a place in it, in the split
  std::string how;   ///< "MLIR's verifier crashes with signal 11 (Segmentation fault)"
};

struct TolerantOptions {
  bool isForeign = false;         ///< some split of the file is of other dialects or versions
  std::vector<DeadlyOp> deadly{}; ///< in the split
  bool isVerified = false;        ///< a copy of the process got isVerified: once is enough
  /// Gets the offset of each op, as a line, before it is verified: the last one is that of the op that killed.
  llvm::raw_ostream *progress = nullptr;
};

} // namespace fuselage
