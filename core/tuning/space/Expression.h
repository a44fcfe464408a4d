// Integer expressions over the values of knobs.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::tune {

/// The operations of SMT-LIB's theories Ints (integers without bounds) and Core (truth values). True is 1, false is 0.
/// Div and Mod are Euclidean: the remainder is never negative.
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

/// The operands of a node are nodes before it.
struct ExprNode {
  ExprOp op = ExprOp::Constant;
  int a = -1, b = -1, c = -1; ///< operands; Choose has a condition, a value if it holds, and one if not
  int64_t number = 0;         ///< the value of a Constant, or the number of a Knob
};

/// A list of nodes in the order of their computation; the last one is the result. Equal nodes are shared.
class Expression {
public:
  int constant(int64_t number) { return add({.op = ExprOp::Constant, .number = number}); }
  int knob(unsigned index) { return add({.op = ExprOp::Knob, .number = index}); }
  int make(ExprOp op, int a, int b = -1, int c = -1) { return add({.op = op, .a = a, .b = b, .c = c}); }
  /// Appends `node` of `other` and the nodes it needs, with each knob replaced by a node of this expression, as
  /// `replaced` says. Returns the appended node.
  int append(const Expression &other, int node, llvm::function_ref<int(unsigned knob)> replaced);
  /// An expression with `node` as its result and only the nodes that it needs.
  Expression part(int node) const;

  llvm::ArrayRef<ExprNode> nodes() const { return nodes_; }
  int result() const { return static_cast<int>(nodes_.size()) - 1; }
  /// The numbers of the knobs that it reads, ascending.
  std::vector<unsigned> knobs() const;

  /// The result if knob i has the value `values[i]`. Returns nullopt if the result depends on a division by zero, which
  /// SMT-LIB leaves undefined. `d != 0 and m mod d = 0` does not: it is false for d = 0.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> values) const;
  /// Returns true if the result is known and not 0.
  bool holds(llvm::ArrayRef<int64_t> values) const { return evaluate(values).value_or(0) != 0; }

  /// "m * n <= 64 and k mod 8 = 0".
  std::string text(llvm::function_ref<std::string(unsigned knob)> nameOf) const;

private:
  int add(const ExprNode &node);
  std::vector<ExprNode> nodes_;
};

} // namespace fuselage::tune
