// Small programs of the host, each compiled once, on all processors.
#pragma once
#include "core/ir/module/WorkerContexts.h"
#include "core/run/reference/HostProgram.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include <chrono>
#include <deque>

namespace fuselage {

/// One @run of its own module.
struct HostPiece {
  std::string bytes;       ///< the module; empty once it is compiled
  mlir::FunctionType type; ///< of @run
  std::unique_ptr<HostProgram> program{};
  std::optional<Failure> failure{}; ///< why there is no program
};

/// The programs that chains are made of. Pieces whose text is the same but for locations are one piece.
class HostPieces {
public:
  HostPieces(mlir::MLIRContext &context, HostProgramOptions options)
      : contexts_(context), options_(std::move(options)) {}

  /// The piece of a module whose one public function is @run. Stays where it is.
  HostPiece *add(mlir::ModuleOp module);
  /// Compiles what was added since, on all processors. `done` is told after each, on any thread.
  void compile(llvm::function_ref<void(unsigned done, unsigned total)> progress = nullptr);

  unsigned unique() const { return pieces_.size(); }
  /// How often add() was called.
  unsigned total() const { return total_; }
  WorkerContexts &contexts() { return contexts_; }
  const std::atomic<bool> *cancelled() const { return options_.cancelled; }

private:
  WorkerContexts contexts_;
  HostProgramOptions options_;
  std::deque<HostPiece> pieces_;
  llvm::StringMap<HostPiece *> pieceOf_; ///< by text
  size_t compiled_ = 0;                  ///< so many pieces have a program or a failure
  unsigned total_ = 0;
};

/// The text of a function but for its name and locations: equal functions have the same.
std::string functionKey(mlir::FunctionOpInterface function);

} // namespace fuselage
