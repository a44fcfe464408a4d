// Does a module read memory that nobody wrote?
#pragma once
#include "core/runtime/host/HostChain.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// An op that may read what its operand's memory held by chance, and the op that made that memory.
struct UnwrittenRead {
  mlir::Operation *reader = nullptr, *memory = nullptr;
};

/// The first such op in a function, by following tensor.empty and its like through views, loops and
/// regions; nullopt: there is none. It may be a false alarm: that loops write every part of a tensor
/// before it is read is not looked for.
std::optional<UnwrittenRead> findUnwrittenRead(mlir::func::FuncOp function);

/// "the module reads uninitialised memory: 'linalg.matmul' (a.mlir:4:8) reads the 'tensor.empty' at a.mlir:2:8"
std::string describe(const UnwrittenRead &read);

/// Calls a chain twice, on fresh memory of two kinds. What the first call gave, with memory of zeros.
/// `depends`: whether a result differs, so that it says nothing about the module.
llvm::Expected<std::vector<HostTensor>> callOnFreshMemory(const HostChain &chain, llvm::ArrayRef<HostTensor> arguments,
                                                          const std::atomic<bool> *cancelled, bool &depends);

} // namespace fuselage
