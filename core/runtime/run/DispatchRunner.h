// Compiles dispatches for a device, once each, and launches them with a clock.
#pragma once
#include "core/runtime/device/ColdBuffers.h"
#include "core/runtime/device/RuntimeValue.h"
#include "core/runtime/host/HostJit.h"
#include "core/runtime/run/Run.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// What one call of a dispatch gave; the reports lack only the comparison.
struct DispatchRun {
  std::vector<RuntimeValue> results;
  std::vector<KernelReport> reports;
  double overheadUs = 0; ///< see HostResults
};

/// True if two dispatches differ in name and locations only, so that one needs compiling.
bool areEqualDispatches(mlir::func::FuncOp a, mlir::func::FuncOp b);

/// The entry of a list whose `dispatch` is equal to this one; null if there is none.
template <typename Entry>
Entry *findEqualDispatch(const std::vector<std::unique_ptr<Entry>> &entries, mlir::func::FuncOp dispatch) {
  for (const auto &entry : entries)
    if (areEqualDispatches(entry->dispatch, dispatch))
      return entry.get();
  return nullptr;
}

/// Runs dispatch functions. Dispatches that are equal but for their name are compiled once.
class DispatchRunner {
public:
  /// `device` null: everything runs on the host. References outlive the object.
  DispatchRunner(Device *device, const RunOptions &options, std::vector<Diagnostic> &remarks);
  ~DispatchRunner();

  /// How often a dispatch is launched. Once: for its results, with nothing around it that costs time.
  enum class Mode { Timed, Once };
  void setMode(Mode mode) { mode_ = mode; }

  /// Launches with warm-up and repeats. A dispatch that the device cannot take runs on the host.
  llvm::Expected<DispatchRun> run(mlir::func::FuncOp dispatch,
                                  llvm::ArrayRef<RuntimeValue> arguments);

private:
  struct Prepared;
  llvm::Expected<Prepared *> prepare(mlir::func::FuncOp dispatch);
  llvm::Error prepareForDevice(mlir::func::FuncOp dispatch, Prepared &prepared);
  llvm::Expected<DispatchRun> runOnDevice(mlir::func::FuncOp dispatch, Prepared &prepared,
                                          llvm::ArrayRef<RuntimeValue> arguments);
  llvm::Expected<std::vector<Launch>> launchesOn(const Prepared &prepared, const ColdBuffers::Set &buffers);
  llvm::Expected<std::vector<std::vector<double>>> launch(const Prepared &prepared, ColdBuffers &buffers,
                                                          llvm::ArrayRef<RuntimeValue> arguments);
  llvm::Expected<DispatchRun> runOnHost(mlir::func::FuncOp dispatch, Prepared &prepared,
                                        llvm::ArrayRef<RuntimeValue> arguments);
  bool cancelled() const { return options_.cancelled && options_.cancelled->load(); }

  Device *device_;
  const RunOptions &options_;
  std::vector<Diagnostic> &remarks_;
  Mode mode_ = Mode::Timed;
  std::optional<CacheEviction> eviction_; ///< where there is a device
  std::vector<std::unique_ptr<Prepared>> prepared_;
  llvm::DenseMap<mlir::Operation *, Prepared *> preparedOf_;
};

} // namespace fuselage
