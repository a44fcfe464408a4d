// The parts of judging fusion: which bodies there are, which edges, and what they cost.
#pragma once
#include "core/analysis/fusion/EdgeVerdict.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// Bodies of functions, also of dialects that we only read; a container's own region if all that is in
/// there is a fragment of a body.
llvm::SmallVector<mlir::Region *> findFusionBodies(mlir::ModuleOp module);

/// Finds dispatches that are formed already. Looks symbols up once; the module must not change.
class DispatchFinder {
public:
  /// The op whose body a dispatch runs: a region is its own, a call of an outlined function has that,
  /// a call of a binary is its own. Null for ops that run no dispatch.
  mlir::Operation *find(mlir::Operation *op);
  /// The function with the body that a call of a dispatch runs, also in an executable; null if `op` is no
  /// such call, or that is a binary. What is called is counted where it is called.
  mlir::Operation *findCalled(mlir::Operation *op);

private:
  mlir::SymbolTableCollection symbols_;
  KernelFinder kernels_;
};

/// Tensors and buffers, also those of dialects that we only read.
bool isData(mlir::Type type);

/// Calls `visit` with the use, the op in whose operand list or payload it stands, and its number there,
/// for every use of data that an op computes; sizes are none, and neither is what a body returns.
/// Bodies of dispatches are looked into.
void forEachDataUse(mlir::Region &body, llvm::function_ref<void(mlir::OpOperand &, mlir::Operation *, unsigned)> visit);

/// Reshapes, slices and casts: the result is the operand seen otherwise. Returns that operand.
mlir::OpOperand *findViewed(mlir::Operation *op);

/// Fills in `bytes` of the separate edges. A value that only one dispatch reads need not be written
/// once that is fused; a dispatch that reads it twice fetches it once. `placeOf` tells which dispatch
/// an op belongs to; -1: none.
void addSavedBytes(std::vector<EdgeVerdict> &edges, llvm::function_ref<int(mlir::Operation *)> placeOf);

/// Bytes that go through memory however the ops of a function are fused: what is read of each argument and
/// constant, once, and what is computed and returned. Never more than that: where in doubt, nothing.
int64_t leastBytes(mlir::Operation &function);

/// Bytes that a planned dispatch moves.
int64_t bytesOfGroup(const DispatchGroup &group);

} // namespace fuselage
