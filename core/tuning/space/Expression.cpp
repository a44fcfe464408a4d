#include "core/tuning/space/Expression.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <set>

namespace fuselage::tune {
namespace {

using llvm::DynamicAPInt;

/// Arithmetic that says where 64 bits are too few, ..
struct Narrow {
  using Int = int64_t;
  static bool add(Int a, Int b, Int &r) { return !__builtin_add_overflow(a, b, &r); }
  static bool sub(Int a, Int b, Int &r) { return !__builtin_sub_overflow(a, b, &r); }
  static bool mul(Int a, Int b, Int &r) { return !__builtin_mul_overflow(a, b, &r); }
  static bool divide(Int a, Int b, Int &quotient, Int &rest) {
    if (b == INT64_MIN || (b == -1 && a == INT64_MIN))
      return false;
    quotient = a / b;
    rest = a % b;
    if (rest < 0) {
      quotient += b > 0 ? -1 : 1;
      rest += b > 0 ? b : -b;
    }
    return true;
  }
};

/// .. and such that has enough of them.
struct WideInteger {
  using Int = DynamicAPInt;
  static bool add(const Int &a, const Int &b, Int &r) { return r = a + b, true; }
  static bool sub(const Int &a, const Int &b, Int &r) { return r = a - b, true; }
  static bool mul(const Int &a, const Int &b, Int &r) { return r = a * b, true; }
  static bool divide(const Int &a, const Int &b, Int &quotient, Int &rest) {
    quotient = b > 0 ? llvm::floorDiv(a, b) : -llvm::floorDiv(a, -b);
    rest = a - b * quotient;
    return true;
  }
};

template <class Int> struct Result {
  Int value{};
  bool known = true;
};

template <class Math> class Evaluator {
public:
  using Int = typename Math::Int;
  Evaluator(llvm::ArrayRef<ExprNode> nodes, llvm::ArrayRef<int64_t> knobs) : nodes_(nodes), knobs_(knobs) {
    results_.resize(nodes.size());
  }

  /// Null: a number was too large.
  const Result<Int> *run() {
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (!compute(nodes_[i], results_[i]))
        return nullptr;
    return results_.empty() ? nullptr : &results_.back();
  }

private:
  using Cell = Result<Int>;
  static bool is(const Cell &cell, bool truth) { return cell.known && (cell.value != 0) == truth; }
  static bool set(Cell &out, bool truth) { return out.value = Int(truth ? 1 : 0), true; }
  static bool unknown(Cell &out) { return out.known = false, true; }

  bool compute(const ExprNode &node, Cell &out) {
    if (node.op == ExprOp::Constant)
      return out.value = Int(node.number), true;
    if (node.op == ExprOp::Knob)
      return out.value = Int(knobs_[node.number]), true;
    const Cell &a = results_[node.a], &b = node.b < 0 ? a : results_[node.b];
    switch (node.op) {
    case ExprOp::And:
      return is(a, false) || is(b, false) ? set(out, false) : a.known && b.known ? set(out, true) : unknown(out);
    case ExprOp::Or:
      return is(a, true) || is(b, true) ? set(out, true) : a.known && b.known ? set(out, false) : unknown(out);
    case ExprOp::Implies:
      return is(a, false) || is(b, true) ? set(out, true) : a.known && b.known ? set(out, false) : unknown(out);
    case ExprOp::Choose:
      if (!a.known)
        return unknown(out);
      out = results_[a.value != 0 ? node.b : node.c];
      return true;
    default:
      return a.known && b.known ? computeKnown(node.op, a.value, b.value, out) : unknown(out);
    }
  }

  bool computeKnown(ExprOp op, const Int &a, const Int &b, Cell &out) {
    Int other{};
    switch (op) {
    case ExprOp::Add:
      return Math::add(a, b, out.value);
    case ExprOp::Sub:
      return Math::sub(a, b, out.value);
    case ExprOp::Mul:
      return Math::mul(a, b, out.value);
    case ExprOp::Div:
      return b == 0 ? unknown(out) : Math::divide(a, b, out.value, other);
    case ExprOp::Mod:
      return b == 0 ? unknown(out) : Math::divide(a, b, other, out.value);
    case ExprOp::Abs:
      return a < 0 ? Math::sub(Int(0), a, out.value) : (out.value = a, true);
    case ExprOp::Less:
      return set(out, a < b);
    case ExprOp::AtMost:
      return set(out, a <= b);
    case ExprOp::Equal:
      return set(out, a == b);
    case ExprOp::Xor:
      return set(out, (a != 0) != (b != 0));
    default: // Not
      return set(out, a == 0);
    }
  }

  llvm::ArrayRef<ExprNode> nodes_;
  llvm::ArrayRef<int64_t> knobs_;
  llvm::SmallVector<Cell, 32> results_;
};

/// How an op is written between its operands, and how tightly it binds.
std::pair<const char *, int> spellingOf(ExprOp op) {
  switch (op) {
  case ExprOp::Implies:
    return {" implies ", 1};
  case ExprOp::Xor:
    return {" xor ", 2};
  case ExprOp::Or:
    return {" or ", 3};
  case ExprOp::And:
    return {" and ", 4};
  case ExprOp::Less:
    return {" < ", 6};
  case ExprOp::AtMost:
    return {" <= ", 6};
  case ExprOp::Equal:
    return {" = ", 6};
  case ExprOp::Add:
    return {" + ", 7};
  case ExprOp::Sub:
    return {" - ", 7};
  case ExprOp::Mul:
    return {" * ", 8};
  case ExprOp::Div:
    return {" div ", 8};
  case ExprOp::Mod:
    return {" mod ", 8};
  default:
    return {"", 9};
  }
}

} // namespace

int Expression::add(const ExprNode &node) {
  for (auto [index, other] : llvm::enumerate(nodes_))
    if (node.op == other.op && node.a == other.a && node.b == other.b && node.c == other.c &&
        node.number == other.number)
      return static_cast<int>(index);
  nodes_.push_back(node);
  return result();
}

int Expression::append(const Expression &other, int node, llvm::function_ref<int(unsigned knob)> replaced) {
  std::vector<int> here(node + 1, -1);
  std::vector<bool> needed(node + 1, false);
  needed[node] = true;
  for (int i = node; i >= 0; --i)
    if (needed[i])
      for (int operand : {other.nodes_[i].a, other.nodes_[i].b, other.nodes_[i].c})
        if (operand >= 0)
          needed[operand] = true;
  auto at = [&](int operand) { return operand < 0 ? -1 : here[operand]; };
  for (int i = 0; i <= node; ++i) {
    const ExprNode &from = other.nodes_[i];
    if (needed[i])
      here[i] = from.op == ExprOp::Knob
                    ? replaced(static_cast<unsigned>(from.number))
                    : add({.op = from.op, .a = at(from.a), .b = at(from.b), .c = at(from.c), .number = from.number});
  }
  return here[node];
}

Expression Expression::part(int node) const {
  Expression part;
  part.append(*this, node, [&](unsigned index) { return part.knob(index); });
  return part;
}

std::vector<unsigned> Expression::knobs() const {
  std::set<unsigned> found;
  for (const ExprNode &node : nodes_)
    if (node.op == ExprOp::Knob)
      found.insert(static_cast<unsigned>(node.number));
  return {found.begin(), found.end()};
}

std::optional<int64_t> Expression::evaluate(llvm::ArrayRef<int64_t> values) const {
  Evaluator<Narrow> narrow(nodes_, values);
  if (const auto *found = narrow.run())
    return found->known ? std::optional(found->value) : std::nullopt;
  Evaluator<WideInteger> wide(nodes_, values);
  const auto *found = wide.run();
  if (!found || !found->known || found->value > DynamicAPInt(INT64_MAX) || found->value < DynamicAPInt(INT64_MIN))
    return std::nullopt;
  return int64_t(found->value);
}

std::string Expression::text(llvm::function_ref<std::string(unsigned knob)> nameOf) const {
  int budget = 100; // nodes: what is longer is no sentence, and what is shared may double with each
  auto write = [&](auto &self, int index, int around) -> std::string {
    const ExprNode &node = nodes_[index];
    if (--budget < 0)
      return "..";
    auto [spelling, tightness] = spellingOf(node.op);
    if (node.op == ExprOp::Constant)
      return std::to_string(node.number);
    if (node.op == ExprOp::Knob)
      return nameOf(static_cast<unsigned>(node.number));
    if (node.op == ExprOp::Not)
      return "not (" + self(self, node.a, 0) + ")";
    if (node.op == ExprOp::Abs)
      return "abs(" + self(self, node.a, 0) + ")";
    if (node.op == ExprOp::Choose)
      return "(if " + self(self, node.a, 0) + " then " + self(self, node.b, 0) + " else " + self(self, node.c, 0) + ")";
    // Chains of what may be grouped either way need no brackets; to be safe all others have them.
    bool chains = node.op == ExprOp::Add || node.op == ExprOp::Mul || node.op == ExprOp::And || node.op == ExprOp::Or;
    std::string text = self(self, node.a, chains ? tightness : tightness + 1) + spelling +
                       self(self, node.b, chains ? tightness : tightness + 1);
    return tightness < around || (tightness == around && !chains) ? "(" + text + ")" : text;
  };
  return nodes_.empty() ? "" : write(write, result(), 0);
}

} // namespace fuselage::tune
