// Compiles MLIR for this processor and calls it.
#pragma once
#include "core/codegen/host/HostLimits.h"
#include "core/codegen/host/kernels/HostKernels.h"
#include "core/run/values/HostTensor.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include <atomic>
#include <functional>
#include <map>
#include <optional>

namespace llvm {
class Module;
}

namespace fuselage {

class HostArena;
class HostThreads;
struct TrialResult;
class RepeatPlan;

/// What JIT-compiled code calls a ranked memref: {allocated, aligned, offset, sizes, strides}.
class MemRefDescriptor {
public:
  /// An empty one, for a result of this rank.
  explicit MemRefDescriptor(unsigned rank) : words_(3 + 2 * rank) {}
  /// Dense row-major memory at `data`.
  MemRefDescriptor(void *data, llvm::ArrayRef<int64_t> shape);
  unsigned rank() const { return (words_.size() - 3) / 2; }
  void *allocated() const { return reinterpret_cast<void *>(words_[0]); }
  void *aligned() const { return reinterpret_cast<void *>(words_[1]); }
  int64_t offset() const { return words_[2]; }
  llvm::ArrayRef<int64_t> sizes() const { return {words_.data() + 3, rank()}; }
  llvm::ArrayRef<int64_t> strides() const { return {words_.data() + 3 + rank(), rank()}; }
  void *data() { return words_.data(); }
  size_t byteCount() const { return words_.size() * 8; }

private:
  std::vector<int64_t> words_;
};

/// Where instrumented code came upon poison first (PoisonChecks.h).
struct HostPoison {
  int64_t site = 0, number = 0;
};

struct HostJitOptions {
  unsigned optLevel = 3; ///< LLVM's -O level
  /// Promise that no argument's memory overlaps another's that is written. Lets LLVM vectorize.
  bool distinctArguments = false;
  /// Once true, running code stops soon (checked in its outer loops) and the call is a Failure.
  const std::atomic<bool> *cancelled = nullptr;
  /// What all threads that a call has share.
  HostThreading threads = HostThreading::None;
  /// Sees the code that becomes machine code.
  std::function<void(llvm::Module &)> optimized{};
};

struct HostProgramOptions {
  HostJitOptions jit{};
  HostLimits limits{};
  /// Stops at what the IR forbids and a processor would let pass or die of: an index out of bounds, a
  /// division by zero, a negative size. Costs nothing outside of such ops.
  bool checks = true;
  /// Long sums of f32 are made in f64, and terms of sums of narrower floats are rounded as written
  /// (WideSums.h): a reference wants that, a device does not have it.
  bool wideSums = true;
};

/// How a HostProgram is called.
struct HostCallOptions {
  /// Fills fresh memory, and stands for poison, so that two calls tell whether a result depends on
  /// what nobody wrote.
  std::optional<uint8_t> fill{};
  /// Takes what the call touched out of the caches before each repeat.
  bool coldCaches = false;
};

struct HostResults {
  std::vector<HostTensor> values;   ///< of the last repeat
  std::vector<double> microseconds; ///< inside the compiled code, of each timed repeat
  double overheadUs = 0;            ///< what the call took beside the compiled code: the copy, mostly
  std::string poison{};             ///< the first op that gave poison, as a sentence; empty: none did, or it
                                    ///< was not looked for
};

/// A module of functions on memrefs and scalars, compiled. Any mix of linalg, scf, vector, memref,
/// affine, arith, math, complex, index, bufferization and cf ops; memory spaces are dropped. Memory that a call
/// allocates and does not return is freed after it; failed assertions, a lack of memory and a cancel end the call with
/// a Failure, not the process.
class HostJit {
public:
  /// Compiles a copy of `module`. Failure: what could not be lowered, with MLIR's diagnostics.
  static llvm::Expected<std::unique_ptr<HostJit>> compile(mlir::ModuleOp module, const HostJitOptions &options = {});
  ~HostJit();

  /// The type of a function of the module; null if it holds none of that name.
  mlir::FunctionType typeOf(llvm::StringRef function) const;

  /// Compiles down to machine code what a call would compile first.
  llvm::Error prepare(llvm::StringRef function);
  /// Calls a function, in this process: nothing holds it but the module's own sanity. What was not
  /// written here is called through HostProgram. `arguments[i]` points to argument i: a scalar, or
  /// MemRefDescriptor::data(). `results[i]` takes result i likewise. What returned memrefs point to is an argument's
  /// memory, a constant's, or a block of `arena()`, whose blocks stay until somebody releases them.
  llvm::Error call(llvm::StringRef function, llvm::ArrayRef<void *> arguments, llvm::ArrayRef<void *> results = {});

  const std::shared_ptr<HostArena> &arena() const;
  /// Lets compiled code allocate from an arena that others use, too.
  void useArena(std::shared_ptr<HostArena> arena);
  /// What threads share, and what not.
  const HostKernels &kernels() const;
  /// What the kernels of later calls run on; null: the caller's thread alone.
  void useThreads(HostThreads *threads);
  /// Microseconds that the last call spent inside the compiled code.
  double lastMicroseconds() const;
  const std::optional<HostPoison> &lastPoison() const;

private:
  HostJit();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Functions on tensors, lowered with stock passes (bufferize, loops, LLVM), no fusion of any kind: the
/// plainest meaning of the IR, which is what a reference needs. Calls run in a forked copy of the process
/// that can do nothing but compute: a module is somebody else's.
class HostProgram {
public:
  /// Compiles a copy of `module`; flow.dispatch.region ops are inlined back. Refuses what reaches out of
  /// the module: functions without a body, pointers, inline assembly.
  static llvm::Expected<std::unique_ptr<HostProgram>> compile(mlir::ModuleOp module,
                                                              const HostProgramOptions &options = {});
  ~HostProgram();

  /// Calls a function on ranked tensors (static or dynamic) and scalars, in a copy of the process.
  /// Arguments stay unchanged; a result may share the memory of an argument that it equals.
  /// Failure: "@f stopped on the host: ..." with the op and its place where they are known, or why the
  /// copy died: a signal, too much time or memory, a cancel.
  llvm::Expected<std::vector<HostTensor>> call(llvm::StringRef function, llvm::ArrayRef<HostTensor> arguments,
                                               const HostCallOptions &options = {});
  /// The same, as often as the plan wants, in one copy.
  llvm::Expected<HostResults> measure(llvm::StringRef function, llvm::ArrayRef<HostTensor> arguments, RepeatPlan plan,
                                      const HostCallOptions &options = {});

  /// Compiles down to machine code what a call would compile first.
  llvm::Error prepare(llvm::StringRef function) { return jit_->prepare(function); }
  /// Whether its calls run on all threads: some of its work is theirs to share.
  bool usesThreads() const {
    return llvm::any_of(jit_->kernels().calls, [](const ParallelCall &call) { return call.isShared(); });
  }
  const HostKernels &kernels() const { return jit_->kernels(); }
  HostJit &jit() { return *jit_; }
  /// Of a program that was compiled in another context: keeps that, and takes and gives values of the caller's types.
  void adopt(std::shared_ptr<mlir::MLIRContext> context, llvm::StringRef function, mlir::FunctionType type) {
    context_ = std::move(context);
    types_[function.str()] = type;
  }

private:
  HostProgram();
  llvm::Error checkCall(llvm::StringRef function, llvm::ArrayRef<HostTensor> arguments) const;
  std::shared_ptr<mlir::MLIRContext> context_; ///< of its types, if it is not the callers'
  std::unique_ptr<HostJit> jit_;
  std::map<std::string, mlir::FunctionType> types_; ///< on tensors, as written
  HostLimits limits_;
  const std::atomic<bool> *cancelled_ = nullptr;
};

/// What the ops of a module say that it needs, with a margin; what `asked` names goes before that.
HostLimits hostLimitsFor(mlir::Operation *module, const HostLimits &asked);

/// "it touched memory outside of its tensors": how a copy of the process that runs a program died.
std::string describeDeath(const TrialResult &trial);

} // namespace fuselage
