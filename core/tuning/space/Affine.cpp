#include "core/tuning/space/Affine.h"

namespace fuselage::tune {

bool reads(const Expression &expression, int node, unsigned knob) {
  std::vector<bool> needed(node + 1, false);
  needed[node] = true;
  for (int i = node; i >= 0; --i) {
    const ExprNode &at = expression.nodes()[i];
    if (!needed[i])
      continue;
    if (at.op == ExprOp::Knob && at.number == int64_t(knob))
      return true;
    for (int operand : {at.a, at.b, at.c})
      if (operand >= 0)
        needed[operand] = true;
  }
  return false;
}

static int sum(Expression &expression, ExprOp op, int a, int b) {
  const ExprNode &left = expression.nodes()[a], &right = expression.nodes()[b];
  if (right.op == ExprOp::Constant && right.number == 0)
    return a;
  if (op == ExprOp::Add && left.op == ExprOp::Constant && left.number == 0)
    return b;
  return expression.make(op, a, b);
}

static int product(Expression &expression, int a, int b) {
  for (auto [one, other] : {std::pair(a, b), std::pair(b, a)})
    if (const ExprNode &node = expression.nodes()[one];
        node.op == ExprOp::Constant && (node.number == 0 || node.number == 1))
      return node.number == 0 ? one : other;
  return expression.make(ExprOp::Mul, a, b);
}

std::optional<Line> lineIn(Expression &expression, int node, unsigned knob) {
  if (!reads(expression, node, knob))
    return Line{.base = node, .slope = expression.constant(0)};
  const ExprNode at = expression.nodes()[node]; // a copy: nodes are appended
  if (at.op == ExprOp::Knob)
    return Line{.base = expression.constant(0), .slope = expression.constant(1)};
  if (at.op != ExprOp::Add && at.op != ExprOp::Sub && at.op != ExprOp::Mul)
    return std::nullopt;
  bool readsLeft = reads(expression, at.a, knob), readsRight = reads(expression, at.b, knob);
  auto left = lineIn(expression, at.a, knob), right = lineIn(expression, at.b, knob);
  if (!left || !right || (at.op == ExprOp::Mul && readsLeft && readsRight))
    return std::nullopt;
  if (at.op != ExprOp::Mul)
    return Line{.base = sum(expression, at.op, left->base, right->base),
                .slope = sum(expression, at.op, left->slope, right->slope)};
  const Line &line = readsLeft ? *left : *right;
  int factor = readsLeft ? at.b : at.a;
  return Line{.base = product(expression, line.base, factor), .slope = product(expression, line.slope, factor)};
}

} // namespace fuselage::tune
