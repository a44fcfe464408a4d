// The payload as it is at a moment, with what an alternative is trying.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace fuselage {

/// A copy of a payload, and which of its ops stands for which op that is being transformed.
struct PayloadCopy {
  std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> module;
  llvm::DenseMap<mlir::Operation *, OpId> ids; ///< of the working ops
};

/// The ops' numbers in pre-order, as PrintedModule counts.
llvm::DenseMap<mlir::Operation *, OpId> numberOps(mlir::ModuleOp module);

/// Copies `working`. `detached` are ops that are not in it: transform.alternatives works on copies, and puts them in
/// the place of the originals when an alternative succeeds. Those that are symbols of the module stand in the copy
/// where they would be put then; a module stands for all of it.
PayloadCopy copyPayload(mlir::ModuleOp working, llvm::ArrayRef<mlir::Operation *> detached);

} // namespace fuselage
