// Passes on several threads: each has a context of its own, modules go over as bytes.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fuselage {

/// A module as bytes that any context with the same dialects reads, with its locations. Empty: it cannot be written.
std::string packModule(mlir::ModuleOp module);
/// Null where the bytes are none of packModule()'s.
mlir::OwningOpRef<mlir::ModuleOp> unpackModule(llvm::StringRef bytes, mlir::MLIRContext &context);

/// A session's context belongs to one thread, and its types are made without locks. Work that can be done on a copy
/// of a module is done here, in contexts that know the same dialects; they are used again until the object goes.
class WorkerContexts {
public:
  explicit WorkerContexts(mlir::MLIRContext &like);

  /// Calls `job` for 0 <= index < count on as many threads as there are processors, in order of their start. Waits.
  /// What a job keeps of the context's types keeps the context.
  void forEach(size_t count,
               llvm::function_ref<void(size_t index, const std::shared_ptr<mlir::MLIRContext> &context)> job);

private:
  std::shared_ptr<mlir::MLIRContext> take();
  void giveBack(std::shared_ptr<mlir::MLIRContext> context);

  const mlir::DialectRegistry &registry_;
  std::vector<std::string> tolerant_; ///< dialects that are only read
  std::mutex mutex_;
  std::vector<std::shared_ptr<mlir::MLIRContext>> idle_;
};

} // namespace fuselage
