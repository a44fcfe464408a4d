#include "core/tuning/space/SmtRegion.h"
#include "core/tuning/space/Affine.h"
#include "core/tuning/space/KnobOptions.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fuselage::tune {
namespace {

namespace smt = mlir::smt;
using mlir::Operation;
using mlir::Value;

constexpr size_t kMostNodes = 10'000;
constexpr unsigned kFirstDeclared = 1u << 30; ///< numbers of the region's own variables, after those of knobs

class RegionReader {
public:
  RegionReader(mlir::transform::smt::ConstrainParamsOp op, Expression &expression) : op_(op), e_(expression) {}

  llvm::Expected<SmtReading> read(llvm::ArrayRef<int> operands) {
    mlir::Block &body = op_.getBody().front();
    for (auto [argument, node] : llvm::zip_equal(body.getArguments(), operands)) {
      if (!mlir::isa<smt::IntType, smt::BoolType>(argument.getType()))
        return failAt(op_,
                      "a parameter is of an SMT sort other than !smt.int and !smt.bool, which cannot be computed with");
      nodes_[argument] = node;
    }
    for (Operation &op : body) {
      if (llvm::Error error = readOp(&op))
        return error;
      if (e_.nodes().size() > kMostNodes)
        return failAt(&op, "the constraints have more than 10000 ops");
    }
    if (llvm::Error error = solveDeclared())
      return error;
    return std::move(found_);
  }

private:
  int at(Value value) { return nodes_.lookup(value); }

  /// `op` over any number of operands, from the left.
  int chain(ExprOp op, mlir::ValueRange inputs, int empty) {
    if (inputs.empty())
      return empty;
    int node = at(inputs.front());
    for (Value input : inputs.drop_front())
      node = e_.make(op, node, at(input));
    return node;
  }

  int truth(bool value) { return e_.constant(value ? 1 : 0); }

  int equal(mlir::ValueRange inputs) {
    int node = truth(true);
    for (size_t i = 1; i < inputs.size(); ++i) {
      int pair = e_.make(ExprOp::Equal, at(inputs[i - 1]), at(inputs[i]));
      node = i == 1 ? pair : e_.make(ExprOp::And, node, pair);
    }
    return node;
  }

  int distinct(mlir::ValueRange inputs) {
    int node = -1;
    for (size_t i = 0; i < inputs.size(); ++i)
      for (size_t j = i + 1; j < inputs.size(); ++j) {
        int pair = e_.make(ExprOp::Not, e_.make(ExprOp::Equal, at(inputs[i]), at(inputs[j])));
        node = node < 0 ? pair : e_.make(ExprOp::And, node, pair);
      }
    return node < 0 ? truth(true) : node;
  }

  int compare(smt::IntCmpOp op) {
    int lhs = at(op.getLhs()), rhs = at(op.getRhs());
    switch (op.getPred()) {
    case smt::IntPredicate::lt:
      return e_.make(ExprOp::Less, lhs, rhs);
    case smt::IntPredicate::le:
      return e_.make(ExprOp::AtMost, lhs, rhs);
    case smt::IntPredicate::gt:
      return e_.make(ExprOp::Less, rhs, lhs);
    case smt::IntPredicate::ge:
      return e_.make(ExprOp::AtMost, rhs, lhs);
    }
    return -1;
  }

  /// The node of an op with one result; -1: it is none that can be computed with.
  int nodeOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, int>(op)
        .Case([&](smt::BoolConstantOp constant) { return truth(constant.getValue()); })
        .Case([&](smt::IntAddOp add) { return chain(ExprOp::Add, add.getInputs(), e_.constant(0)); })
        .Case([&](smt::IntMulOp mul) { return chain(ExprOp::Mul, mul.getInputs(), e_.constant(1)); })
        .Case([&](smt::IntSubOp sub) { return e_.make(ExprOp::Sub, at(sub.getLhs()), at(sub.getRhs())); })
        .Case([&](smt::IntDivOp div) { return e_.make(ExprOp::Div, at(div.getLhs()), at(div.getRhs())); })
        .Case([&](smt::IntModOp mod) { return e_.make(ExprOp::Mod, at(mod.getLhs()), at(mod.getRhs())); })
        .Case([&](smt::IntAbsOp abs) { return e_.make(ExprOp::Abs, at(abs.getInput())); })
        .Case([&](smt::IntCmpOp cmp) { return compare(cmp); })
        .Case([&](smt::EqOp eq) { return equal(eq.getInputs()); })
        .Case([&](smt::DistinctOp op) { return distinct(op.getInputs()); })
        .Case([&](smt::IteOp ite) {
          return e_.make(ExprOp::Choose, at(ite.getCond()), at(ite.getThenValue()), at(ite.getElseValue()));
        })
        .Case([&](smt::NotOp op) { return e_.make(ExprOp::Not, at(op.getInput())); })
        .Case([&](smt::AndOp op) { return chain(ExprOp::And, op.getInputs(), truth(true)); })
        .Case([&](smt::OrOp op) { return chain(ExprOp::Or, op.getInputs(), truth(false)); })
        .Case([&](smt::XOrOp op) { return chain(ExprOp::Xor, op.getInputs(), truth(false)); })
        .Case([&](smt::ImpliesOp op) { return e_.make(ExprOp::Implies, at(op.getLhs()), at(op.getRhs())); })
        .Default([](Operation *) { return -1; });
  }

  llvm::Error readOp(Operation *op) {
    for (Value operand : op->getOperands())
      if (!nodes_.contains(operand))
        return failAt(op, "'" + op->getName().getStringRef().str() +
                              "' reads what is defined outside of the constraints; pass it as a parameter");
    if (auto constant = mlir::dyn_cast<smt::IntConstantOp>(op)) {
      if (constant.getValue().getSignificantBits() > 64)
        return failAt(op, "a number has more than 64 bits");
      nodes_[constant.getResult()] = e_.constant(constant.getValue().getSExtValue());
      return llvm::Error::success();
    }
    if (auto declared = mlir::dyn_cast<smt::DeclareFunOp>(op)) {
      if (!mlir::isa<smt::IntType>(declared.getType()))
        return failAt(op, "variables of constraints can be of the sort !smt.int only");
      unsigned number = kFirstDeclared + static_cast<unsigned>(declared_.size());
      nodes_[declared.getResult()] = e_.knob(number);
      declared_.push_back({number, op});
      return llvm::Error::success();
    }
    if (auto assertion = mlir::dyn_cast<smt::AssertOp>(op)) {
      addAssertion(at(assertion.getInput()), op);
      return llvm::Error::success();
    }
    if (auto yield = mlir::dyn_cast<smt::YieldOp>(op)) {
      for (Value value : yield.getValues())
        found_.results.push_back(at(value));
      return llvm::Error::success();
    }
    int node = nodeOf(op);
    if (node < 0)
      return failAt(
          op,
          "'" + op->getName().getStringRef().str() +
              "' is no op that constraints of a schedule are computed with: arithmetic and comparisons of !smt.int, "
              "smt.and, or, xor, not, implies, ite, eq, distinct, assert");
    nodes_[op->getResult(0)] = node;
    return llvm::Error::success();
  }

  /// Each part of a conjunction by itself, as each can be tested as soon as its own knobs are known.
  void addAssertion(int node, Operation *op) {
    const ExprNode at = e_.nodes()[node];
    if (at.op != ExprOp::And) {
      found_.assertions.push_back({node, op});
      return;
    }
    addAssertion(at.a, op);
    addAssertion(at.b, op);
  }

  /// `node` with `value` for the variable.
  int substitute(int node, unsigned variable, int value) {
    Expression from = e_; // nodes are appended to the one that is read
    return e_.append(from, node, [&](unsigned knob) { return knob == variable ? value : e_.knob(knob); });
  }

  /// An equation base + slope * x = 0 fixes x = -base div slope, where that leaves no rest.
  llvm::Error solveDeclared() {
    for (const auto &declared : declared_) {
      const auto &[number, op] = declared;
      const unsigned variable = number; // clang 14 captures no binding
      bool isSolved = false;
      for (size_t i = 0; i < found_.assertions.size() && !isSolved; ++i) {
        auto [node, asker] = found_.assertions[i];
        const ExprNode equation = e_.nodes()[node];
        if (equation.op != ExprOp::Equal || !reads(e_, node, variable))
          continue;
        auto line = lineIn(e_, e_.make(ExprOp::Sub, equation.a, equation.b), variable);
        if (!line || (e_.nodes()[line->slope].op == ExprOp::Constant && e_.nodes()[line->slope].number == 0))
          continue;
        int negative = e_.make(ExprOp::Sub, e_.constant(0), line->base);
        int value = e_.make(ExprOp::Div, negative, line->slope);
        found_.assertions[i].first =
            e_.make(ExprOp::Equal, e_.make(ExprOp::Mod, negative, line->slope), e_.constant(0));
        for (auto &other : found_.assertions)
          other.first = substitute(other.first, variable, value);
        for (int &result : found_.results)
          result = substitute(result, variable, value);
        isSolved = true;
      }
      bool isRead =
          llvm::any_of(found_.results, [&](int node) { return reads(e_, node, variable); }) ||
          llvm::any_of(found_.assertions, [&](const auto &assertion) { return reads(e_, assertion.first, variable); });
      if (isRead)
        return failAt(op, "no assertion fixes this variable: one has to be an equation that is linear in it, such as "
                          "dim = tile * it");
    }
    return llvm::Error::success();
  }

  mlir::transform::smt::ConstrainParamsOp op_;
  Expression &e_;
  llvm::DenseMap<Value, int> nodes_;
  std::vector<std::pair<unsigned, Operation *>> declared_;
  SmtReading found_;
};

} // namespace

llvm::Expected<SmtReading> readSmt(mlir::transform::smt::ConstrainParamsOp op, Expression &expression,
                                   llvm::ArrayRef<int> operands) {
  return RegionReader(op, expression).read(operands);
}

} // namespace fuselage::tune
