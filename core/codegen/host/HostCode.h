// Machine code of this processor, linked to nothing but what it is allowed to call.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace llvm {
class Module;
}

namespace fuselage {

struct HostCodeOptions {
  unsigned optLevel = 3; ///< LLVM's -O level
  /// Functions of the module whose names start with this can be looked up.
  llvm::StringRef entryPrefix;
  /// What the code may call beside isLibraryFunction() (HostSafety.h), by name.
  const llvm::StringMap<void *> &functions;
  /// Sees the code that becomes machine code.
  llvm::function_ref<void(llvm::Module &)> optimized = nullptr;
};

/// Takes a pointer to each argument, and one to where the result goes if there is one.
using HostEntry = void (*)(void **);

/// The linker knows the functions that it is given and the mathematical library by a list of names;
/// no other symbol of the process can be reached, whatever the module declares.
class HostCode {
public:
  /// Of a module in LLVM's dialect. Failure: it cannot be translated.
  static llvm::Expected<std::unique_ptr<HostCode>> compile(mlir::ModuleOp module, const HostCodeOptions &options);
  ~HostCode();

  /// Compiles a function down to machine code. Failure: there is none of that name, or it needs a
  /// symbol that it may not.
  llvm::Expected<HostEntry> lookup(llvm::StringRef function);

private:
  HostCode();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace fuselage
