// How a pipeline fails on a module, found in a copy of the process that may crash or hang.
#pragma once
#include "core/stepping/pipeline/PipelineText.h"
#include "core/support/ForkedCopy.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

enum class FaultKind {
  None,          ///< every pass runs to its end, and what it leaves verifies
  PassFails,     ///< a pass says that it failed
  DoesNotVerify, ///< a pass ends well, and its IR does not verify
  Crash,         ///< a signal, or an exit
  Hang,          ///< takes more time than is allowed
  Memory,        ///< takes more memory than is allowed
};

struct Fault {
  FaultKind kind = FaultKind::None;
  unsigned step = 0; ///< which of the passes
  std::string pass{};
  int signal = 0; ///< of a crash; 0: the process ended itself
  /// The first error that was reported; of a crash, what LLVM or an assertion said, or nothing.
  std::string message{};
  /// Of a crash, the symbol of the innermost function that is not the C library's; "recursion" where the stack is deep.
  std::string place{};

  explicit operator bool() const { return kind != FaultKind::None; }
};

/// "canonicalize crashes with signal 11 (Segmentation fault)".
std::string describe(const Fault &fault);

/// Whether both are one fault: kind, pass, signal and place are equal, and so are the messages apart from numbers,
/// types and the names of values, which differ between sizes of one program.
bool isSameFault(const Fault &left, const Fault &right);

/// What is compared of a message.
std::string messageShape(llvm::StringRef message);

struct FaultLimits {
  unsigned seconds = 10;     ///< of processor time, for all passes
  unsigned milliseconds = 0; ///< the same, if it is less than a second or so; 0: seconds count
  uint64_t bytes = uint64_t(4) << 30;
  const std::atomic<bool> *cancelled = nullptr;
};

struct PipelineEnd {
  /// Whether `module` itself verifies; if not, no pass ran.
  bool verifies = true;
  Fault fault{};
  std::string output{}; ///< bytecode of the IR after the last pass, if it was asked for and nothing failed
};

/// Verifies `module` in a copy of this process, and runs passes on it there, one after the other, with the verifier
/// after each. `module` stays as it is. Its context must have no threads. Failure: there can be no copy, it was
/// cancelled, or a pass cannot be read.
llvm::Expected<PipelineEnd> tryPasses(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes, const FaultLimits &limits,
                                      bool wantsOutput = false);

/// The fault alone.
llvm::Expected<Fault> faultOf(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes, const FaultLimits &limits = {});

} // namespace fuselage
