// What a command is doing, kept where its supervisor finds it when the command has died.
#pragma once
#include "core/support/Expendable.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuselage {
struct ScriptOp;
}

namespace fuselage::cli {

/// What a process was at.
struct Activity {
  std::string what{};             ///< "reading 'x.mlir'"; empty: unknown
  std::optional<unsigned> step{}; ///< of a recording, while it runs
  bool isHidden = false;          ///< nobody wants to see it: a program reads what is said
  bool isRepeatable = false;      ///< nothing came of it yet: the command can be run once more, from its start
};

/// Makes what this process and those that it forks say from now on readable by all of them. Does nothing where there
/// is no memory to share.
void shareActivity();

/// The last that was said; empty if nothing is shared.
Activity lastActivity();

/// Says what the process is at.
void setActivity(llvm::StringRef what);

/// The same for the trace alone; empty: nothing from here on.
void traceActivity(llvm::StringRef what);

/// Keeps what the process is at from being shown while it runs.
void hideActivity();

/// Says whether what is done in a RepeatableScope may be repeated; at first it may not.
void allowRepeating(bool isAllowed);

/// While one lives, the process is expendable, if it may be repeated.
class RepeatableScope {
public:
  RepeatableScope();
  ~RepeatableScope();
  RepeatableScope(const RepeatableScope &) = delete;
  RepeatableScope &operator=(const RepeatableScope &) = delete;

private:
  std::optional<ExpendableScope> expendable_;
};

/// Says which step of a recording runs.
void setActiveStep(std::optional<unsigned> step);

/// Says how far a run is: RunOptions::progress.
void showRun(unsigned done, unsigned total, llvm::StringRef what);

/// Says which line of a schedule runs: TraceOptions::beforeStep.
void nameStep(unsigned step, const ScriptOp &op);

/// Says of each pass that runs in the context which it is, and on what op.
void watchPasses(mlir::MLIRContext &context);

} // namespace fuselage::cli
