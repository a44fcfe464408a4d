// Does a module read memory that nobody wrote?
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace fuselage {

/// An op that may read what its operand's memory held by chance, and the op that made that memory.
struct UnwrittenRead {
  mlir::Operation *reader = nullptr, *memory = nullptr;
};

/// The first such op in a function, by following tensor.empty and its like through views, loops and
/// regions; nullopt: there is none. It may be a false alarm: that loops write every part of a tensor
/// before it is read is not looked for.
std::optional<UnwrittenRead> findUnwrittenRead(mlir::func::FuncOp function);

/// "the module reads uninitialised memory: 'linalg.matmul' (a.mlir:4:8) reads what the
/// 'tensor.empty' at a.mlir:2:8 holds by chance"
std::string describe(const UnwrittenRead &read);

} // namespace fuselage
