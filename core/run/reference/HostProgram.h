// Functions on tensors, compiled for the host and called on host tensors.
#pragma once
#include "core/codegen/host/HostCompiler.h"
#include "core/run/values/HostTensor.h"
#include "core/runtime/host/HostCall.h"
#include "core/runtime/host/HostCode.h"
#include "core/support/ResultErrors.h"
#include <map>

namespace fuselage {

struct HostProgramOptions {
  HostCompileOptions compile{};
  const std::atomic<bool> *cancelled = nullptr; ///< ends calls, see HostCallOptions
};

/// How a HostProgram is called: as HostCallOptions has it.
struct HostMeasureOptions {
  std::optional<uint8_t> fill{};
  bool coldCaches = false;
};

/// As HostCallResults, with the types of the function's results.
struct HostResults {
  std::vector<HostTensor> values{};
  std::vector<double> microseconds{};
  double overheadUs = 0;
  std::string poison{};
};

/// The plainest meaning of the IR, which is what a reference needs, unless its options ask for kernels. Calls run in a
/// forked copy of the process that can do nothing but compute: a module is somebody else's.
class HostProgram {
public:
  /// See compileForHost().
  static llvm::Expected<std::unique_ptr<HostProgram>> compile(mlir::ModuleOp module,
                                                              const HostProgramOptions &options = {});
  ~HostProgram();

  /// Calls a function on ranked tensors (static or dynamic) and scalars, in a copy of the process.
  /// Arguments stay unchanged; a result may share the memory of an argument that it equals.
  /// Failure: see measureOnHost().
  llvm::Expected<std::vector<HostTensor>> call(llvm::StringRef function, llvm::ArrayRef<HostTensor> arguments,
                                               const HostMeasureOptions &options = {});
  /// The same, as often as the plan wants, in one copy.
  llvm::Expected<HostResults> measure(llvm::StringRef function, llvm::ArrayRef<HostTensor> arguments, RepeatPlan plan,
                                      const HostMeasureOptions &options = {});

  /// Links what a call would link first.
  llvm::Error prepare(llvm::StringRef function) { return code_->prepare(function); }
  /// Whether its calls run on all threads: some of its work is theirs to share.
  bool usesThreads() const { return code_->form().threads > 1; }
  const HostKernels &kernels() const { return kernels_; }
  HostCode &code() { return *code_; }
  /// Of a program that was compiled in another context: keeps that, and takes and gives values of the caller's types.
  void adopt(std::shared_ptr<mlir::MLIRContext> context, llvm::StringRef function, mlir::FunctionType type) {
    context_ = std::move(context);
    types_[function.str()] = type;
  }

private:
  HostProgram();
  llvm::Error checkCall(llvm::StringRef function, llvm::ArrayRef<HostTensor> arguments) const;
  std::shared_ptr<mlir::MLIRContext> context_; ///< of its types, if it is not the callers'
  std::unique_ptr<HostCode> code_;
  HostKernels kernels_;
  std::map<std::string, mlir::FunctionType> types_; ///< on tensors, as written
  const std::atomic<bool> *cancelled_ = nullptr;
};

/// A tensor as compiled code takes it, and one of what it gave; `type` is of the function's result.
HostValue hostValueOf(const HostTensor &tensor);
HostTensor hostTensorOf(mlir::Type type, const HostValue &value);

} // namespace fuselage
