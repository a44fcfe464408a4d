// Sees what a run compares its dispatches with.
#pragma once
#include "core/run/values/Compare.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// A dispatch with its first inputs at one place of the program, and what the reference gives for them.
struct RecordedDispatch {
  mlir::func::FuncOp dispatch;
  size_t firstRow = 0; ///< of the run's report
  llvm::ArrayRef<HostTensor> inputs, expected;
  std::vector<ErrorBound> bounds; ///< of each result, see compareResults()
  OtherReference other;           ///< what compareResults() would compute for results that are off
  std::string meaningless;        ///< see ReferenceResults
};

/// Called while dispatches are checked, on any thread, never twice at once. The order is any.
class RunRecorder {
public:
  virtual ~RunRecorder() = default;
  virtual llvm::Error record(const RecordedDispatch &dispatch) = 0;
};

} // namespace fuselage
