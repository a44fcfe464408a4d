// Matrix instructions: their shapes, and the registers that hold their operands.
#pragma once
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace fuselage {

/// One matrix instruction of a subgroup: the product of an m x k and a k x n matrix, added to an m x n matrix. Source
/// for NVIDIA's layouts: PTX ISA, "Matrix fragments for mma.m16n8k16" and the sections after it, which differ only in
/// the number of elements per register.
struct MatrixShape {
  int64_t m = 16, n = 8, k = 16;
  int64_t subgroup = 32; ///< threads
  mlir::Type operand;    ///< f16, bf16, f32 (of which tf32 is used) or i8
  bool isTf32 = false;
  /// The driver decides which thread holds which element: Vulkan's cooperative matrices, which are loaded and stored as
  /// a whole.
  bool isOpaque = false;

  int64_t operandBits() const { return operand.getIntOrFloatBitWidth(); }
  /// Operand elements in a register of 32 bits, and in a row of one of ldmatrix's 8 x 8 matrices, which is 16 bytes.
  int64_t perRegister() const { return 32 / operandBits(); }
  int64_t perRow() const { return 128 / operandBits(); }
  std::array<int64_t, 3> sizes() const { return {m, n, k}; }
};

/// Parses "m16n8k16 f16"; the blank may be an underscore, as in pass options. Returns nullopt for shapes that kernels
/// do not use.
std::optional<MatrixShape> readMatrixShape(mlir::MLIRContext *context, llvm::StringRef text);

/// Parses the shape of a cooperative matrix, of any sizes: "m16n16k16 f16". Returns nullopt for other types than f16,
/// which upstream's lowering does not have.
std::optional<MatrixShape> readCooperativeShape(mlir::MLIRContext *context, llvm::StringRef text, int64_t subgroup);

/// Returns true if readCooperativeShape can parse `text`.
bool isCooperativeShape(llvm::StringRef text, int64_t subgroup);

/// The element of an operand that a lane holds: its row and column in the m x k (left) or k x n (right) matrix, as
/// linear functions of group = lane / 4 and member = lane % 4.
struct FragmentElement {
  int64_t byGroupRow, byGroupColumn, byMemberRow, byMemberColumn; ///< factors of group and member
  int64_t row, column;                                            ///< constant terms
};
FragmentElement leftElement(const MatrixShape &shape, int64_t reg, int64_t element);
FragmentElement rightElement(const MatrixShape &shape, int64_t reg, int64_t element);
/// The same for accumulators: two registers (or halves of registers) in each of two rows.
FragmentElement resultElement(int64_t reg, int64_t element);

/// The block of an operand that one of the four 8 x 16 byte matrices of ldmatrix reads: lane i has the address of row i
/// % 8 of matrix i / 8. Blocks are 8 rows (or columns) by 16 bytes along K.
struct MatrixBlock {
  int64_t outer; ///< along m, or along n
  int64_t k;     ///< along K
};
/// The registers of the left operand are its four blocks, rows first; those of the right one are two columns of blocks,
/// K first.
MatrixBlock leftBlock(int64_t matrix);
MatrixBlock rightBlock(int64_t matrix);

} // namespace fuselage
