// An action of a schedule: what it asks, and what it writes.
#pragma once
#include "core/schedules/write/ActionWriter.h"

namespace fuselage {

/// What an action leaves open; its value is a text.
struct ActionOption {
  llvm::StringRef name;               ///< "sizes"
  llvm::StringRef title;              ///< "Tile sizes"
  llvm::StringRef hint;               ///< a sentence
  std::string value{};                ///< to start from
  std::vector<std::string> choices{}; ///< of which it may be one; empty: anything
};

struct ScheduleAction {
  llvm::StringRef name;  ///< "tile"
  llvm::StringRef title; ///< "Tile"
  llvm::StringRef hint;  ///< a sentence
  /// Why it cannot be done to an op; empty: it can be tried.
  std::string (*why)(mlir::Operation *op);
  std::vector<ActionOption> (*options)(mlir::Operation *op);
  /// Failure: an option is not what it must be, or no handle leads to the op.
  llvm::Error (*write)(ActionWriter &writer);
};

} // namespace fuselage
