// What the universal parser keeps of an op that no dialect of ours defines.
#pragma once
#include "mlir/IR/OpDefinition.h"
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// A piece of text that could not be parsed, kept as an op with its original text.
inline constexpr llvm::StringLiteral kGapOp = "fuselage.gap";
/// A value that nothing in the text defines.
inline constexpr llvm::StringLiteral kUndefinedOp = "fuselage.undefined";

/// Operands that were written together: `offsets = [%5, 0, %6]` is {"offsets", 1, 2} where %5 is
/// operand 1. The name is the keyword in front, or empty.
struct OperandGroup {
  std::string name;
  unsigned first = 0, count = 0;
};

/// A view of such an op (registered or not); cheap, by value. On other ops every accessor is empty.
/// Attributes are stored on the op by the keyword before them: `binding(1)` is "binding" = 1,
/// `offsets = [%5, 0, %6]` is "offsets" = array<i64: kDynamic, 0, kDynamic>, an attribute dictionary
/// goes in as it is, "sym_name", "sym_visibility" and "function_type" as upstream names them.
class TolerantOp {
public:
  explicit TolerantOp(mlir::Operation *op) : op_(op) {}
  /// Whether the universal parser made it.
  explicit operator bool() const;
  mlir::Operation *operator->() const { return op_; }
  /// The name that the user wrote: "linalg.matmul" for an op of the twin dialect "Linalg", "subtensor"
  /// for a bare op of old text, else the op's own.
  std::string name() const;

  std::vector<OperandGroup> groups() const;
  mlir::OperandRange group(llvm::StringRef name) const;
  /// `keyword = [%a, 1, %b]` as values and constants, in the order written; nullopt if it has none.
  std::optional<llvm::SmallVector<mlir::OpFoldResult>> mixedList(llvm::StringRef keyword) const;

  /// Stores what was taken for attribute `from` as attribute `to`; the op prints as it did.
  void replaceAttribute(llvm::StringRef from, llvm::StringRef to, mlir::Attribute value) const;

  bool isGap() const;
  llvm::StringRef gapText() const;

private:
  mlir::Operation *op_;
};

/// TolerantOp(op).name() for any op: what a user calls it.
std::string displayName(mlir::Operation *op);

} // namespace fuselage
