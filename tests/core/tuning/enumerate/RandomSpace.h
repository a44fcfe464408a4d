// Random spaces, small enough to try every point.
#pragma once
#include "core/tuning/space/Space.h"
#include <random>

namespace fuselage::test {

/// Grows expressions over knobs. Where `safe`, nothing is divided by what may be 0, which SMT-LIB gives any value.
class RandomSpace {
public:
  RandomSpace(uint64_t seed, bool safe) : random_(seed), safe_(safe) {}

  tune::Space make() {
    tune::Space space;
    unsigned knobs = 1 + upTo(4);
    for (unsigned i = 0; i < knobs; ++i) {
      int64_t first = safe_ ? 1 : int64_t(upTo(6)) - 3;
      tune::Domain domain = upTo(2) ? tune::Domain::multiples(first, first + 1 + upTo(10), 1 + upTo(2))
                                    : tune::Domain::of({first, first + int64_t(upTo(5)), first + 7, 16});
      space.knobs.push_back({.name = "k" + std::to_string(i), .domain = domain});
    }
    for (unsigned i = 0, many = 1 + upTo(4); i < many; ++i)
      addCondition(space);
    return space;
  }

private:
  unsigned upTo(unsigned most) { return static_cast<unsigned>(random_() % (most + 1)); }

  void addCondition(tune::Space &space) {
    e_ = {};
    unsigned knobs = space.knobs.size();
    int node = truth(knobs, 2);
    space.add(e_, node, tune::Origin::Schedule);
  }

  int number(unsigned knobs, unsigned depth) {
    using tune::ExprOp;
    if (depth == 0 || upTo(3) == 0)
      return upTo(3) == 0 ? e_.constant(int64_t(upTo(40)) - 8) : e_.knob(upTo(knobs - 1));
    switch (upTo(6)) {
    case 0:
      return e_.make(ExprOp::Sub, number(knobs, depth - 1), number(knobs, depth - 1));
    case 1:
      return e_.make(ExprOp::Div, number(knobs, depth - 1), divisor(knobs, depth - 1));
    case 2:
      return e_.make(ExprOp::Mod, number(knobs, depth - 1), divisor(knobs, depth - 1));
    case 3:
      return e_.make(ExprOp::Abs, number(knobs, depth - 1));
    case 4:
      return e_.make(ExprOp::Mul, number(knobs, depth - 1), number(knobs, depth - 1));
    default:
      return e_.make(ExprOp::Add, number(knobs, depth - 1), number(knobs, depth - 1));
    }
  }

  int divisor(unsigned knobs, unsigned depth) {
    if (!safe_)
      return number(knobs, depth);
    return upTo(1) ? e_.constant(1 + upTo(9)) : e_.knob(upTo(knobs - 1)); // knobs are positive then
  }

  int truth(unsigned knobs, unsigned depth) {
    using tune::ExprOp;
    if (depth == 0 || upTo(2) == 0) {
      constexpr ExprOp comparisons[] = {ExprOp::AtMost, ExprOp::AtMost, ExprOp::Less, ExprOp::Equal};
      if (upTo(2) == 0) // what schedules ask for most
        return e_.make(ExprOp::Equal, e_.make(ExprOp::Mod, number(knobs, 1), divisor(knobs, 0)), e_.constant(0));
      return e_.make(comparisons[upTo(3)], number(knobs, 2), number(knobs, 2));
    }
    constexpr ExprOp words[] = {ExprOp::And, ExprOp::Or, ExprOp::Xor, ExprOp::Implies};
    switch (upTo(5)) {
    case 0:
      return e_.make(ExprOp::Not, truth(knobs, depth - 1));
    case 1:
      return e_.make(ExprOp::Choose, truth(knobs, depth - 1), truth(knobs, depth - 1), truth(knobs, depth - 1));
    default:
      return e_.make(words[upTo(3)], truth(knobs, depth - 1), truth(knobs, depth - 1));
    }
  }

  std::mt19937_64 random_;
  bool safe_;
  tune::Expression e_;
};

/// Every point, by trying all combinations of values.
inline std::vector<tune::Point> allPoints(const tune::Space &space) {
  std::vector<tune::Point> points;
  tune::Point point(space.knobs.size(), 0);
  auto fill = [&](auto &self, size_t knob) -> void {
    if (knob == point.size()) {
      if (space.contains(point))
        points.push_back(point);
      return;
    }
    for (uint64_t i = 0; i < space.knobs[knob].domain.size(); ++i) {
      point[knob] = space.knobs[knob].domain.at(i);
      self(self, knob + 1);
    }
  };
  fill(fill, 0);
  return points;
}

} // namespace fuselage::test
