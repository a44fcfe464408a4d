// A value inside of a program as the result of a function.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// A value and, of a buffer, the op that reads it: its contents are those just before that op. Without a reader they
/// are those after the op that made the buffer.
struct ValueUse {
  mlir::Value value{};
  mlir::Operation *reader = nullptr;
};

struct ValueProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< a copy, with a function of the same name and arguments
  std::string which{};                      ///< "the first of 16 iterations"; empty: it is computed once
};

/// A copy of the module of `entry` in which that function returns the value alone. Dispatch regions are inlined; of a
/// value in a loop, the first iteration is computed, of one in a called function, the first call, and `which` says so.
/// What the value does not depend on is still there (eraseUnused()). Failure: a sentence why the value has no contents
/// that could be shown.
llvm::Expected<ValueProgram> programOf(mlir::func::FuncOp entry, ValueUse use);

/// Erases the ops of a function with one block that no result depends on.
void eraseUnused(mlir::func::FuncOp function);

} // namespace fuselage
