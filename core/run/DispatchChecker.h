// Compares what dispatches gave with what the host computes from the same inputs.
#pragma once
#include "core/run/DispatchRunner.h"
#include "core/run/RunProgram.h"
#include "core/run/reference/HostChain.h"
#include "core/run/reference/Reference.h"
#include "core/run/values/Compare.h"

namespace fuselage {

/// Recomputes dispatches on the host, op by op, from the values that they really got. Launches are timed in between, so
/// that what there is to check is collected first, and then computed on all processors.
class DispatchChecker {
public:
  DispatchChecker(Device *device, const RunOptions &options, const RunProgram &program, HostPieces &pieces)
      : device_(device), options_(options), program_(program), pieces_(pieces) {}

  /// All inputs of the program were given, so that what follows from them is intended.
  void setInputsGiven(bool given) { inputsGiven_ = given; }
  /// Cuts a dispatch into pieces; compile those before the first check.
  void plan(mlir::func::FuncOp dispatch);
  /// Takes the values of a run whose rows are those of the report from `firstRow` on. Rows that are not new to it
  /// (`isFirst`) have the worst check of all their runs.
  llvm::Error add(mlir::func::FuncOp dispatch, llvm::ArrayRef<RuntimeValue> arguments, const DispatchRun &run,
                  size_t firstRow, bool isFirst);
  /// True if what was collected takes so much memory that drain() should not wait.
  bool isFull() const;
  /// Checks all that was collected; sets the checks of its rows.
  llvm::Error drain(std::vector<KernelReport> &reports);
  double seconds() const { return seconds_; }

private:
  struct Known {
    std::unique_ptr<HostChain> chain;
    std::optional<Failure> failure;
  };
  struct Pending {
    const HostChain *chain;
    mlir::func::FuncOp dispatch;
    std::vector<HostTensor> inputs, results;
    size_t firstRow, rows;
    bool isFirst; ///< of its rows
  };
  std::vector<ErrorBound> boundsOf(const Pending &pending, bool keepsDenormals) const;
  /// The comparison of one, from what the host computed.
  llvm::Expected<Comparison> compare(const Pending &pending, HostResults found) const;
  llvm::Error record(const Pending &pending, const ReferenceResults &reference) const;
  llvm::Error check(std::vector<Comparison> &checks);

  Device *device_;
  const RunOptions &options_;
  const RunProgram &program_;
  HostPieces &pieces_;
  llvm::DenseMap<mlir::Operation *, Known> known_;
  std::vector<Pending> pending_;
  uint64_t pendingBytes_ = 0;
  double seconds_ = 0;
  bool inputsGiven_ = false;
};

/// For each value, whether it holds infinities that somebody gave. Once `cancelled`, nothing is looked at any more.
llvm::SmallVector<bool> holdInfinities(llvm::ArrayRef<HostTensor> values, const std::atomic<bool> *cancelled = nullptr);

} // namespace fuselage
