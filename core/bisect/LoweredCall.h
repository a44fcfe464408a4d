// Calls a function in LLVM's dialect from one on buffers.
#pragma once
#include "core/support/Error.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fuselage {

/// A call of what a function on buffers and scalars was lowered to: each buffer as the fields of its descriptor, as
/// convert-func-to-llvm passes it, or as a bare pointer.
class LoweredCall {
public:
  LoweredCall(mlir::OpBuilder &builder, mlir::Location loc, mlir::LLVM::LLVMFuncOp callee)
      : builder_(builder), loc_(loc), callee_(callee), converter_(callee.getContext()) {}

  /// Whether the function's parameters are what these arguments become.
  bool takes(mlir::ValueRange arguments);
  /// Makes the call, with arguments that it takes. `results`: what the function gave before it was lowered, memrefs of
  /// known shape and scalars. Failure: it gives something else.
  llvm::Expected<llvm::SmallVector<mlir::Value>> make(mlir::ValueRange arguments, mlir::TypeRange results);

private:
  /// What one argument becomes.
  llvm::SmallVector<mlir::Type> fieldsOf(mlir::Type type, bool bare) const;
  bool takes(mlir::ValueRange arguments, bool bare);
  void pass(mlir::Value argument, bool bare, llvm::SmallVector<mlir::Value> &operands);
  mlir::Value receive(mlir::Value value, mlir::Type type);
  mlir::Value cast(mlir::Value value, mlir::Type type);
  mlir::Value extract(mlir::Value value, llvm::ArrayRef<int64_t> position);

  mlir::OpBuilder &builder_;
  mlir::Location loc_;
  mlir::LLVM::LLVMFuncOp callee_;
  mlir::LLVMTypeConverter converter_;
};

} // namespace fuselage
