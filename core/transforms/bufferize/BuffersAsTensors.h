// A function on buffers as one on tensors: what its arguments hold in the end are results.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// Whether an argument or result of the function is a memref.
bool isOnBuffers(mlir::func::FuncOp function);

struct FunctionOnTensors {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< a copy, with a function of the same name
  std::vector<unsigned> written;            ///< arguments whose contents come before the other results, in order
  bool isRaised = false; ///< its ops are on tensors; else the function on buffers is called as it is, between copies
};

/// Straight-line linalg ops, copies and allocations become ops on tensors; what else there is, such as loops with loads
/// and stores, or views, stays on buffers that are filled from the tensors and read back. Failure, with the place: an
/// argument is laid out in a way, or lies in a memory space, that such a copy does not have.
llvm::Expected<FunctionOnTensors> onTensors(mlir::func::FuncOp function);

} // namespace fuselage
