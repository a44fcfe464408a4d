// What a condition computes from the values of knobs.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::tune {

/// Whole numbers without bounds and truth values, as SMT-LIB's theories Ints and Core have them. Truth is 1 and 0. Div
/// and Mod are Euclidean: the remainder is never negative.
enum class ExprOp : uint8_t {
  Constant,
  Knob,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Abs,
  Less,
  AtMost,
  Equal,
  Not,
  And,
  Or,
  Xor,
  Implies,
  Choose
};

/// A node computes from nodes in front of it.
struct ExprNode {
  ExprOp op = ExprOp::Constant;
  int a = -1, b = -1, c = -1; ///< operands; of Choose condition, then, else
  int64_t number = 0;         ///< of Constant; of Knob which one
};

/// Nodes in the order in which they are computed; the last one is the result. Equal nodes are one.
class Expression {
public:
  int constant(int64_t number) { return add({.op = ExprOp::Constant, .number = number}); }
  int knob(unsigned index) { return add({.op = ExprOp::Knob, .number = index}); }
  int make(ExprOp op, int a, int b = -1, int c = -1) { return add({.op = op, .a = a, .b = b, .c = c}); }
  /// Appends what `other` computes, its knobs replaced by the node that `replaced` names for them; the node of its
  /// result.
  int append(const Expression &other, int node, llvm::function_ref<int(unsigned knob)> replaced);
  /// Only what `node` needs, as an expression of its own.
  Expression part(int node) const;

  llvm::ArrayRef<ExprNode> nodes() const { return nodes_; }
  int result() const { return static_cast<int>(nodes_.size()) - 1; }
  /// In ascending order.
  std::vector<unsigned> knobs() const;

  /// The result where knob i is `values[i]`. nullopt: it depends on a division by zero, which SMT-LIB leaves open. A
  /// truth value that is known without it is known: `d != 0 and m mod d = 0` is false for d = 0.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> values) const;
  /// A condition that is not known to hold does not.
  bool holds(llvm::ArrayRef<int64_t> values) const { return evaluate(values).value_or(0) != 0; }

  /// "m * n <= 64 and k mod 8 = 0".
  std::string text(llvm::function_ref<std::string(unsigned knob)> nameOf) const;

private:
  int add(const ExprNode &node);
  std::vector<ExprNode> nodes_;
};

} // namespace fuselage::tune
