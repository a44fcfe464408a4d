// The arguments that a run of a function has, as far as somebody needs them.
#pragma once
#include "core/protocol/Run.h"
#include "core/run/inspect/ValueOptions.h"
#include "core/run/reference/Reference.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/BitVector.h"

namespace fuselage {

/// Sizes and values of the arguments of a function, as runModule() chooses and makes them.
class RunArguments {
public:
  static llvm::Expected<RunArguments> prepare(mlir::func::FuncOp function, const ValueOptions &options);

  /// A copy of the module of another function with the same arguments, on tensors and with the sizes of this one.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> specialized(mlir::func::FuncOp function) const;
  /// The values; those that are not wanted are not made.
  llvm::Expected<std::vector<InputValue>> make(const llvm::BitVector &wanted) const;
  /// Where those that are wanted come from.
  std::vector<message::RunInput<>> describe(llvm::ArrayRef<InputValue> values, const llvm::BitVector &wanted) const;

private:
  RunArguments(const ValueOptions &options) : options_(options) {}
  mlir::func::FuncOp function() const { return program_.get().lookupSymbol<mlir::func::FuncOp>(name_); }

  const ValueOptions &options_;
  std::string name_;
  ArgumentSizes sizes_;
  mlir::OwningOpRef<mlir::ModuleOp> program_; ///< the whole one, whose ops say what their arguments have to be
};

/// What a function gives on the host, op by op, in a copy of the process that can do nothing but compute.
llvm::Expected<ReferenceResults> callOnHost(mlir::func::FuncOp function, llvm::ArrayRef<HostTensor> arguments,
                                            const ValueOptions &options);

} // namespace fuselage
