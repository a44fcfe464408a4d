// Walks the host function of a program: dispatches to the device, the rest to the host's JIT.
#pragma once
#include "core/run/DispatchRunner.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace fuselage {

/// A row that stands for all runs of one place in the program.
struct RowPlace {
  mlir::Operation *op; ///< the call of a dispatch, or the first of ops on the host
  bool isFirst;        ///< whether it has not run before
};

/// Runs a function whose dispatches are outlined (func.call of a function with the attribute
/// `fuselage.dispatch`). scf.if, scf.for, scf.while, scf.execute_region, branches and calls are
/// followed where they lead to dispatches. Constants, reshapes and casts of whole tensors cost
/// nothing; every other run of ops becomes a function that is compiled for the host. A dispatch
/// inside any other op (say, scf.forall) runs on the host with that op.
class ProgramRunner {
public:
  /// Called after each dispatch with what it took and gave. It is timed where its place runs first.
  using Observer = std::function<llvm::Error(RowPlace place, mlir::func::FuncOp dispatch,
                                             llvm::ArrayRef<RuntimeValue> arguments, DispatchRun &run)>;
  /// Called after ops that ran on the host, with their row of this time.
  using HostObserver = std::function<void(RowPlace place, KernelReport row)>;
  ProgramRunner(Device &device, const RunOptions &options, std::vector<Diagnostic> &remarks)
      : device_(device), options_(options), remarks_(remarks), dispatches_(device, options, remarks) {}
  void observe(Observer observer, HostObserver hostObserver) {
    observer_ = std::move(observer);
    hostObserver_ = std::move(hostObserver);
  }

  /// Whether timeOnePass() is to follow: what depends on parameters and constants alone is kept for it.
  void expectPass(bool expects) { keeps_ = expects; }
  llvm::Expected<std::vector<RuntimeValue>> run(mlir::func::FuncOp function, std::vector<RuntimeValue> arguments);
  /// Runs it again with what is compiled already: each dispatch once, nobody observes, weights and what was computed
  /// of them are where they are. Gives the microseconds from arguments to results, both in host memory.
  llvm::Expected<double> timeOnePass(mlir::func::FuncOp function, std::vector<RuntimeValue> arguments);
  DispatchRunner &dispatches() { return dispatches_; }
  /// What compiling on the way took.
  double compileUs() const { return compileUs_ + dispatches_.compileUs(); }

private:
  using Values = std::vector<RuntimeValue>;
  using Environment = llvm::DenseMap<mlir::Value, RuntimeValue>;
  /// Ops of one block that wait to be compiled together.
  using Group = llvm::SmallVector<mlir::Operation *>;
  struct CompiledGroup {
    std::unique_ptr<HostProgram> program;
    llvm::SmallVector<mlir::Value> inputs, outputs;
    std::string names{}, loc{}; ///< of its ops, for its row
    int form = -1;              ///< KernelReport::form
  };

  /// Runs a region from its entry block to a terminator that leaves it; gives what that passes on.
  llvm::Expected<Values> runRegion(mlir::Region &region, Values arguments, Environment &values);
  /// Runs a block up to its terminator.
  llvm::Error runBlock(mlir::Block &block, Environment &values);
  llvm::Error runOp(mlir::Operation *op, Environment &values);
  llvm::Error runCall(mlir::func::CallOp call, Environment &values);
  llvm::Error runDispatch(mlir::func::CallOp call, mlir::func::FuncOp dispatch, Environment &values);
  llvm::Error runStructured(mlir::Operation *op, Environment &values);
  llvm::Error runFor(mlir::Operation *op, Environment &values);
  llvm::Error runWhile(mlir::Operation *op, Environment &values);
  llvm::Error runGroup(Group &group, Environment &values);
  llvm::Expected<CompiledGroup *> compileGroup(llvm::ArrayRef<mlir::Operation *> group);
  /// True if `op` is done at once, without code: a constant, tensor.empty, a reshape, a cast.
  llvm::Expected<bool> runTrivial(mlir::Operation *op, Environment &values);

  bool leadsToDispatch(mlir::Operation *op);
  /// Whether a dispatch, or what leads to some, need not run, as its results are kept. Host code runs with each pass:
  /// what is grouped for it must stay the same.
  bool isKept(mlir::Operation *op, Environment &values);
  bool isTakenByOthers(mlir::Value value) const;
  llvm::Expected<int64_t> integerOf(mlir::Value value, const Environment &values);
  llvm::Expected<Values> valuesOf(mlir::ValueRange operands, const Environment &values);
  bool cancelled() const { return options_.cancelled && options_.cancelled->load(); }

  Device &device_;
  const RunOptions &options_;
  std::vector<Diagnostic> &remarks_;
  Observer observer_;
  HostObserver hostObserver_;
  bool observes_ = true, keeps_ = true;
  llvm::DenseSet<mlir::Operation *> observed_; ///< places that have run
  llvm::DenseSet<mlir::Value> fixed_;          ///< results of ops on parameters and constants alone
  Environment kept_;                           ///< those of them that others take
  DispatchRunner dispatches_;
  double compileUs_ = 0;  ///< of host code
  double overheadUs_ = 0; ///< of copies of the process that host code runs in
  llvm::DenseMap<mlir::Operation *, bool> leadsToDispatch_;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<CompiledGroup>> groups_; // by first op
  llvm::StringMap<int> groupForms_;                                          // by functionKey()
};

} // namespace fuselage
