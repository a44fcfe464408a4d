// Ops of StableHLO, CHLO and MHLO, which are only read: what they say, in each spelling that they have.
#pragma once
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace fuselage {

/// A view of such an op, cheap, by value. An op of StableHLO has its attributes as a dictionary in MLIR's generic
/// form, and by keywords in its own form: `dimension = 1 : i64` and `dim = 1`. Accessors take the names that a thing
/// has in either; the first that is there counts.
class HloOp {
public:
  explicit HloOp(mlir::Operation *op) : op_(op) {}

  /// Whether it is an op of one of these dialects that no dialect here defines.
  static bool isHlo(mlir::Operation *op);

  mlir::Operation *operator->() const { return op_; }
  mlir::Operation *operation() const { return op_; }
  mlir::Location loc() const { return op_->getLoc(); }
  /// "add" of "stablehlo.add".
  llvm::StringRef name() const;

  using Names = std::initializer_list<llvm::StringRef>;
  /// Null if it has none.
  mlir::Attribute attribute(Names names) const;
  std::optional<int64_t> integer(Names names) const;
  std::optional<double> number(Names names) const;
  bool flag(Names names, bool otherwise = false) const;
  /// A list of integers: an array, a list, or elements of an integer type. Nullopt: it has none.
  std::optional<llvm::SmallVector<int64_t>> integers(Names names) const;
  /// "LT" of `#stablehlo<comparison_direction LT>`, of `LT`, and of "LT".
  std::string word(Names names) const;

  /// The function that a custom call names: `@foo`, or `call_target_name = "foo"`.
  std::string callTarget() const;

  /// Words of the op's own form that have no keyword, in order: `LT` and `FLOAT` of `compare LT, %0, %1, FLOAT`.
  llvm::SmallVector<std::string> looseWords() const;
  /// The op's own form after its name, with placeholders for its operands; empty in generic form.
  llvm::StringRef text() const;

private:
  mlir::Operation *op_;
};

/// Reads `key = [1, 2]` and `key = 3` out of what an attribute or an op says in text.
class HloText {
public:
  explicit HloText(llvm::StringRef text) : text_(text) {}
  /// Of an attribute that is kept as text, `#stablehlo.gather<offset_dims = [1]>`, or of the dictionary that it was
  /// until 2021, `{offset_dims = dense<1> : tensor<1xi64>}`; empty for others.
  static HloText of(mlir::Attribute attribute);

  bool empty() const { return text_.empty(); }
  llvm::StringRef str() const { return text_; }
  bool has(llvm::StringRef key) const { return !after(key).empty(); }
  /// `key = []`
  bool isEmptyList(llvm::StringRef key) const;
  /// Empty where the key is not there, as these attributes leave out empty lists.
  llvm::SmallVector<int64_t> integers(llvm::StringRef key) const;
  std::optional<int64_t> integer(llvm::StringRef key) const;
  /// Both lists of `key = [0] x [1]`.
  std::optional<std::pair<llvm::SmallVector<int64_t>, llvm::SmallVector<int64_t>>> pair(llvm::StringRef key) const;

private:
  /// What follows `key =`.
  llvm::StringRef after(llvm::StringRef key) const;

  std::string text_;
};

/// Reads "[1, 2]" at the start of `text` and moves past it; nullopt if there is no list of integers.
std::optional<llvm::SmallVector<int64_t>> readIntegers(llvm::StringRef &text);

} // namespace fuselage
