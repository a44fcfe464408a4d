// What is known of ops that stand for instructions of HLO (core/ir/hlo/HloImport.h).
#pragma once
#include "core/dialects/decoders/ForeignWork.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace fuselage {

/// The module attribute that tells where a module comes from; true: XLA has cut it into kernels.
inline constexpr llvm::StringLiteral kXlaModule = "hlo.has_kernels";
/// The op around an instruction that is a kernel by itself.
inline constexpr llvm::StringLiteral kXlaKernel = "hlo.kernel";

/// Whether a module was made of HLO text: it can be looked at and compared; nothing here transforms or runs it.
bool isXlaModule(mlir::ModuleOp module);
/// Whether an op stands for an instruction of HLO.
bool isXlaOp(mlir::Operation *op);

/// nullopt: the op is no instruction of HLO, or has regions with others (while, fusion).
std::optional<ForeignWork> xlaWork(mlir::Operation *op);

/// XLA's own words for a kernel: "kLoop", "kCustom __triton_gemm"; "kernel" of an instruction by itself.
std::string xlaKernelKind(mlir::Operation *op);
/// What a node of the graph says of an instruction: "dot 32x64x64", "reduce add 2x16x64", "compare LT 64"; of a custom
/// call what it calls. Empty: the op's name says it all.
std::string xlaLabel(mlir::Operation *op);

} // namespace fuselage
