// What is known of ops that stand for FX nodes in a debug folder of torch.compile (core/inductor).
#pragma once
#include "core/dialects/decoders/ForeignWork.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Whether a module says what Inductor did: it can be looked at and compared; nothing here transforms or runs it.
bool isInductorModule(mlir::ModuleOp module);
/// "TorchInductor of torch 2.9.1"; empty for other modules.
llvm::StringRef inductorVersion(mlir::ModuleOp module);

/// Whether an op stands for an FX node, or for the kernel around some.
bool isInductorOp(mlir::Operation *op);

/// The pieces of work of an FX node, as far as its name and its shapes tell, in order: addmm is a product and an
/// addition, a softmax the largest, exp of what is left, the sum and the quotient. Empty: the op is no FX node.
llvm::SmallVector<ForeignWork> inductorWork(mlir::Operation *op);

inline constexpr llvm::StringLiteral kDecidedByInductor = "decided by TorchInductor";
/// Why an operand of an FX node comes from another kernel: "decided by TorchInductor; its log says: ..".
std::string inductorReason(mlir::Operation *reader, unsigned operand);

} // namespace fuselage
