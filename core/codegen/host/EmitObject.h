// From LLVM's dialect to machine code of this processor.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Module;
}

namespace fuselage {

struct EmitOptions {
  unsigned optLevel = 3; ///< LLVM's -O level
  /// Sees the code that becomes machine code.
  llvm::function_ref<void(llvm::Module &)> optimized = nullptr;
};

/// A relocatable object of a module in LLVM's dialect. For each function whose name is that of a wrapper
/// (hostWrapperOf) it has one more, which takes pointers in an array (hostEntryOf). Failure: it cannot be translated.
llvm::Expected<std::string> emitHostObject(mlir::ModuleOp module, const EmitOptions &options);

} // namespace fuselage
