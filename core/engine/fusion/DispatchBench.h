// Dispatches of programs, each launched alone on inputs of its own, again and again.
#pragma once
#include "core/run/DispatchRunner.h"
#include "core/run/RunProgram.h"

namespace fuselage {

/// Keeps the device open, and what was compiled and put there. Not thread-safe.
class DispatchBench {
public:
  /// Failure: no such device.
  static llvm::Expected<std::unique_ptr<DispatchBench>> open(RunOptions options, mlir::MLIRContext &context);

  /// Launches it with warm-up and repeats: rows of its kernels. The first time, its results are compared with what the
  /// host computes of the same inputs. `key` is equal for dispatches that are (functionKey), of which the first is
  /// kept, in a copy. Failure: it cannot be run alone (whyNotAlone), fails, or a result is not what it should be.
  llvm::Expected<RunReport> read(llvm::StringRef key, const RunProgram &program, mlir::func::FuncOp dispatch);

private:
  struct Entry {
    RunProgram program; ///< of the dispatch alone
    mlir::func::FuncOp dispatch;
    std::vector<RuntimeValue> arguments;
    bool isChecked = false;
  };
  DispatchBench(RunOptions options, std::unique_ptr<Device> device, mlir::MLIRContext &context);
  llvm::Expected<Entry *> entryOf(llvm::StringRef key, const RunProgram &program, mlir::func::FuncOp dispatch);
  llvm::Error check(Entry &entry, const DispatchRun &run, std::vector<KernelReport> &rows);

  RunOptions options_;
  std::unique_ptr<Device> device_; ///< null: the host
  std::vector<Diagnostic> remarks_;
  HostPieces pieces_;
  llvm::StringMap<Entry> entries_;
  DispatchRunner runner_; ///< goes first: it refers to what is above
};

} // namespace fuselage
