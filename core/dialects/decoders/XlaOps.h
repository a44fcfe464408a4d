// What is known of ops that stand for instructions of HLO (core/ir/hlo/HloImport.h).
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace fuselage {

/// The module attribute that tells where a module comes from; true: XLA has scheduled it.
inline constexpr llvm::StringLiteral kXlaModule = "hlo.is_scheduled";
/// The op around an instruction that is a kernel by itself.
inline constexpr llvm::StringLiteral kXlaKernel = "hlo.kernel";

/// Whether a module was made of HLO text: it can be looked at and compared; nothing here transforms or runs it.
bool isXlaModule(mlir::ModuleOp module);
/// Whether an op stands for an instruction of HLO.
bool isXlaOp(mlir::Operation *op);

/// What an instruction computes, as far as its opcode, shapes and attributes tell.
struct XlaWork {
  enum class Kind { Move, Elementwise, Reduction, Contraction, Convolution, Other } kind = Kind::Other;
  /// Of the iteration domain: those of the result, and of what is summed up. ShapedType::kDynamic: not known.
  llvm::SmallVector<int64_t> extents;
};
/// nullopt: the op is no instruction of HLO, or has regions with others (while, fusion).
std::optional<XlaWork> xlaWork(mlir::Operation *op);

/// "kLoop fusion" of a fusion, "kernel" of another kernel; XLA's own words.
std::string xlaKernelKind(mlir::Operation *op);

} // namespace fuselage
