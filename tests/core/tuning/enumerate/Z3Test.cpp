// What conditions mean, by z3.
#include "core/tuning/enumerate/Enumerate.h"
#include "tests/core/tuning/enumerate/RandomSpace.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <z3.h>

using namespace fuselage::test;
using namespace fuselage::tune;

namespace {

class Z3Test : public testing::Test {
protected:
  Z3Test() {
    Z3_config config = Z3_mk_config();
    context = Z3_mk_context(config);
    Z3_del_config(config);
  }
  ~Z3Test() override { Z3_del_context(context); }

  Z3_ast number(int64_t value) { return Z3_mk_int64(context, value, Z3_mk_int_sort(context)); }
  Z3_ast variable(unsigned knob) {
    return Z3_mk_const(context, Z3_mk_int_symbol(context, static_cast<int>(knob)), Z3_mk_int_sort(context));
  }

  /// Numbers are Ints, truth values Bools.
  Z3_ast translate(const Expression &e, int index) {
    const ExprNode &node = e.nodes()[index];
    auto at = [&](int operand) { return translate(e, operand); };
    Z3_ast both[2] = {node.a < 0 ? nullptr : at(node.a), node.b < 0 ? nullptr : at(node.b)};
    switch (node.op) {
    case ExprOp::Constant:
      return number(node.number);
    case ExprOp::Knob:
      return variable(static_cast<unsigned>(node.number));
    case ExprOp::Add:
      return Z3_mk_add(context, 2, both);
    case ExprOp::Sub:
      return Z3_mk_sub(context, 2, both);
    case ExprOp::Mul:
      return Z3_mk_mul(context, 2, both);
    case ExprOp::Div:
      return Z3_mk_div(context, both[0], both[1]);
    case ExprOp::Mod:
      return Z3_mk_mod(context, both[0], both[1]);
    case ExprOp::Abs:
      return Z3_mk_ite(context, Z3_mk_lt(context, both[0], number(0)), Z3_mk_unary_minus(context, both[0]), both[0]);
    case ExprOp::Less:
      return Z3_mk_lt(context, both[0], both[1]);
    case ExprOp::AtMost:
      return Z3_mk_le(context, both[0], both[1]);
    case ExprOp::Equal:
      return Z3_mk_eq(context, both[0], both[1]);
    case ExprOp::Not:
      return Z3_mk_not(context, both[0]);
    case ExprOp::And:
      return Z3_mk_and(context, 2, both);
    case ExprOp::Or:
      return Z3_mk_or(context, 2, both);
    case ExprOp::Xor:
      return Z3_mk_xor(context, both[0], both[1]);
    case ExprOp::Implies:
      return Z3_mk_implies(context, both[0], both[1]);
    case ExprOp::Choose:
      return Z3_mk_ite(context, both[0], both[1], at(node.c));
    }
    return nullptr;
  }

  /// What z3 makes of a condition where the knobs have these values.
  Z3_lbool valueOf(Z3_ast condition, const Point &point) {
    std::vector<Z3_ast> from, to;
    for (unsigned knob = 0; knob < point.size(); ++knob) {
      from.push_back(variable(knob));
      to.push_back(number(point[knob]));
    }
    Z3_ast value = Z3_simplify(context, Z3_substitute(context, condition, from.size(), from.data(), to.data()));
    return Z3_get_bool_value(context, value);
  }

  /// Whether there is a point.
  Z3_lbool solve(const Space &space) {
    Z3_solver solver = Z3_mk_solver(context);
    Z3_solver_inc_ref(context, solver);
    for (unsigned knob = 0; knob < space.knobs.size(); ++knob) {
      std::vector<Z3_ast> values;
      for (uint64_t i = 0; i < space.knobs[knob].domain.size(); ++i)
        values.push_back(Z3_mk_eq(context, variable(knob), number(space.knobs[knob].domain.at(i))));
      Z3_solver_assert(context, solver, Z3_mk_or(context, values.size(), values.data()));
    }
    for (const Condition &condition : space.conditions)
      Z3_solver_assert(context, solver, translate(condition.holds, condition.holds.result()));
    Z3_params limits = Z3_mk_params(context);
    Z3_params_inc_ref(context, limits);
    Z3_params_set_uint(context, limits, Z3_mk_string_symbol(context, "rlimit"), 200'000); // steps, not time
    Z3_solver_set_params(context, solver, limits);
    Z3_lbool answer = Z3_solver_check(context, solver);
    Z3_params_dec_ref(context, limits);
    Z3_solver_dec_ref(context, solver);
    return answer;
  }

  Z3_context context = nullptr;
};

TEST_F(Z3Test, ConditionsMeanTheSame) {
  unsigned held = 0, broken = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Space space = RandomSpace(seed, true).make();
    if (llvm::any_of(space.knobs, [](const Knob &knob) { return knob.domain.empty(); }))
      continue;
    std::mt19937_64 random(seed);
    for (const Condition &condition : space.conditions) {
      Z3_ast theirs = translate(condition.holds, condition.holds.result());
      for (unsigned i = 0; i < 8; ++i) {
        Point point;
        for (const Knob &knob : space.knobs)
          point.push_back(knob.domain.at(random() % knob.domain.size()));
        bool holds = condition.holds.holds(point);
        ASSERT_EQ(valueOf(theirs, point), holds ? Z3_L_TRUE : Z3_L_FALSE)
            << "seed " << seed << ": " << condition.text << " at " << space.textOf(point);
        (holds ? held : broken) += 1;
      }
    }
  }
  EXPECT_GT(held, 2000u);
  EXPECT_GT(broken, 2000u);
}

TEST_F(Z3Test, HasAPointWhereEnumeratingFindsOne) {
  unsigned answered = 0;
  for (uint64_t seed = 0; seed < 1000; seed += 25) { // all 1,000 agree, and take 45 s
    Space space = RandomSpace(seed, true).make();
    bool found = !forEachPoint(space, planLoops(space), [](const Point &) { return false; });
    Z3_lbool theirs = solve(space);
    if (theirs == Z3_L_UNDEF)
      continue;
    ++answered;
    ASSERT_EQ(theirs == Z3_L_TRUE, found) << "seed " << seed;
  }
  EXPECT_GT(answered, 30u);
}

} // namespace
