// Compiles dispatches for a device, once each, and launches them with a clock.
#pragma once
#include "core/run/Run.h"
#include "core/run/reference/HostPieces.h"
#include "core/run/values/RuntimeValue.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// What one call of a dispatch gave; the reports lack only the comparison.
struct DispatchRun {
  std::vector<RuntimeValue> results;
  std::vector<KernelReport> reports;
  double overheadUs = 0; ///< see ExecutionResults
  double submitUs = -1;  ///< what the host spent around a submission beside the kernels' own times; -1: there was none
};

class DispatchCompiler;

/// Runs dispatch functions. Dispatches that are equal but for their name are compiled once.
class DispatchRunner {
public:
  /// References outlive the object.
  DispatchRunner(Device &device, const RunOptions &options, std::vector<Diagnostic> &remarks);
  ~DispatchRunner();

  /// How often a dispatch is launched. Again: once, since it was timed before, for results that are compared. Once: for
  /// its results, with nothing around it that costs time.
  enum class Mode { Timed, Again, Once };
  void setMode(Mode mode) { mode_ = mode; }

  /// Notes a dispatch for compile(); one that was not noted is compiled when it runs. Equal ones are compiled once.
  void add(mlir::func::FuncOp dispatch);
  /// Compiles what was noted, on all processors, without touching the session's context. `progress` is told on any
  /// thread.
  void compile(WorkerContexts &contexts, llvm::function_ref<void(unsigned done, unsigned total)> progress);
  /// How often a dispatch is launched from now on.
  void setCounts(const RepeatCounts &counts) { counts_ = counts; }
  /// Different ones, and all.
  unsigned unique() const { return prepared_.size(); }
  unsigned total() const { return preparedOf_.size(); }
  /// Of a dispatch that was added: equal ones have the same; else -1.
  int numberOf(mlir::func::FuncOp dispatch) const;
  /// Of all, those whose sizes are the options' tuning's.
  unsigned tuned() const;
  /// Microseconds that moving arguments to the device took.
  double uploadUs() const { return uploadUs_; }
  /// Microseconds that were spent on compiling outside of compile(): in the driver, when it loads kernels or launches
  /// them for the first time.
  double compileUs() const { return compileUs_; }

  /// Launches with warm-up and repeats. A dispatch that the device cannot take runs on the host.
  llvm::Expected<DispatchRun> run(mlir::func::FuncOp dispatch, llvm::ArrayRef<RuntimeValue> arguments);

private:
  struct Prepared;
  llvm::Expected<Prepared *> prepare(mlir::func::FuncOp dispatch);
  Prepared &entryOf(mlir::func::FuncOp dispatch);
  void compileOne(mlir::func::FuncOp dispatch, Prepared &prepared) const;
  llvm::Error load(Prepared &prepared);
  llvm::Expected<DispatchRun> launch(mlir::func::FuncOp dispatch, Prepared &prepared,
                                     llvm::ArrayRef<RuntimeValue> arguments);
  bool cancelled() const { return options_.cancelled && options_.cancelled->load(); }

  Device &device_;
  std::unique_ptr<Device> host_; ///< for what the device cannot take
  std::unique_ptr<DispatchCompiler> compiler_, hostCompiler_;
  const RunOptions &options_;
  std::vector<Diagnostic> &remarks_;
  Mode mode_ = Mode::Timed;
  double uploadUs_ = 0, compileUs_ = 0;
  RepeatCounts counts_; ///< with the time that there is for one dispatch of so many
  std::vector<std::unique_ptr<Prepared>> prepared_;
  llvm::StringMap<Prepared *> preparedByText_;              ///< see functionKey()
  std::vector<std::pair<Prepared *, std::string>> waiting_; ///< for compile(), packed
  llvm::DenseMap<mlir::Operation *, Prepared *> preparedOf_;
};

/// The narrowest float type that the root op reads, else the type of what it makes: what its arithmetic units see.
std::string arithmeticOf(mlir::Operation *root);

/// Where the structured ops of a dispatch come from, each place once, at most 64: KernelReport::parts.
std::vector<std::string> partsOf(mlir::func::FuncOp dispatch);

} // namespace fuselage
