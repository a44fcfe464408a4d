// Questions about programs of dispatches, whatever dialects they are written in.
#pragma once
#include "core/dialects/decoders/Decoders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// Functions of MLIR's own dialects and of those that we only read.
bool isFunction(mlir::Operation *op);

/// Whether what runs inside `op` (a function or a dispatch with a body) is one kernel: it stands in
/// an executable, or it reads or writes bindings tile by tile.
bool isKernel(mlir::Operation *op);

/// Finds the kernels that dispatches run. Looks at each executable once; the module must not change.
class KernelFinder {
public:
  /// The function that `callee` names ("executable::entry") of a dispatch `call`, in the executable's
  /// first variant that has it; null if that is a binary, or not in the module.
  mlir::Operation *find(mlir::Operation *call, llvm::StringRef callee);

private:
  mlir::SymbolTableCollection symbols_;
  llvm::DenseMap<mlir::Operation *, llvm::StringMap<mlir::Operation *>> kernels_; // by executable
};

/// "executable::entry" of a kernel in an executable, the symbol name of any other function.
std::string qualifiedName(mlir::Operation *function);

} // namespace fuselage
