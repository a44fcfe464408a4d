// Instructions that multiply small matrices: what a device has of them, and how a subgroup holds their operands.
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

/// One instruction of a subgroup: an m x k matrix by one of k x n, added to one of m x n. A source for the layouts that
/// NVIDIA's have: PTX ISA, "Matrix fragments for mma.m16n8k16" and its neighbours, which differ only in how many
/// elements a register has.
struct MatrixShape {
  int64_t m = 16, n = 8, k = 16;
  int64_t subgroup = 32; ///< threads
  mlir::Type operand;    ///< f16, bf16, f32 (of which tf32 is used) or i8
  bool isTf32 = false;
  /// Which thread holds which element is the driver's affair: Vulkan's cooperative matrices, which move between memory
  /// and registers as a whole.
  bool isOpaque = false;

  int64_t operandBits() const { return operand.getIntOrFloatBitWidth(); }
  /// Operand elements in a register of 32 bits, and in a row of one of ldmatrix's 8 x 8 matrices, which is 16 bytes.
  int64_t perRegister() const { return 32 / operandBits(); }
  int64_t perRow() const { return 128 / operandBits(); }
  std::array<int64_t, 3> sizes() const { return {m, n, k}; }
};

/// "m16n8k16 f16", or with an underscore for the blank as options of passes have it. Nothing for what no kernels are
/// made with.
std::optional<MatrixShape> readMatrixShape(mlir::MLIRContext *context, llvm::StringRef text);

/// The same of a cooperative matrix, of any sizes: "m16n16k16 f16". Nothing for other types, as upstream's path has f16
/// only.
std::optional<MatrixShape> readCooperativeShape(mlir::MLIRContext *context, llvm::StringRef text, int64_t subgroup);

/// Whether readCooperativeShape knows it.
bool isCooperativeShape(llvm::StringRef text, int64_t subgroup);

/// Element of an operand that a lane holds: row and column in the m x k (left) or k x n (right) matrix, from what the
/// lane's number is made of: group = lane / 4, member = lane % 4. `at` counts registers and elements in them.
struct FragmentElement {
  int64_t byGroupRow, byGroupColumn, byMemberRow, byMemberColumn; ///< factors of group and member
  int64_t row, column;                                            ///< added
};
FragmentElement leftElement(const MatrixShape &shape, int64_t reg, int64_t element);
FragmentElement rightElement(const MatrixShape &shape, int64_t reg, int64_t element);
/// Of the accumulators: two registers (or halves of such) in each of two rows.
FragmentElement resultElement(int64_t reg, int64_t element);

/// Where lanes point ldmatrix to, which reads four matrices of 8 rows of 16 bytes each; lane i gives the row i % 8 of
/// matrix i / 8. In blocks of 8 rows (or columns) and of 16 bytes along the depth: which block a matrix is.
struct MatrixBlock {
  int64_t outer; ///< along m, or along n
  int64_t depth; ///< along k
};
/// The left operand's registers are its four blocks, rows first; the right one's are two columns of blocks, depth
/// first.
MatrixBlock leftBlock(int64_t matrix);
MatrixBlock rightBlock(int64_t matrix);

} // namespace fuselage
