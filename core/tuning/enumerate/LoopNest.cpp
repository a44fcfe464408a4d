#include "core/tuning/enumerate/LoopNest.h"
#include "core/tuning/space/Affine.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace fuselage::tune {
namespace {

bool isConstant(const Expression &e, int node, int64_t number) {
  return e.nodes()[node].op == ExprOp::Constant && e.nodes()[node].number == number;
}

/// x mod y = 0 with the knob on one side only: its multiples or its divisors.
std::optional<Generator> divisibility(Expression &e, int rest, unsigned knob) {
  const ExprNode mod = e.nodes()[rest];
  if (mod.op != ExprOp::Mod)
    return std::nullopt;
  auto isKnob = [&](int node) { return e.nodes()[node].op == ExprOp::Knob && e.nodes()[node].number == int64_t(knob); };
  if (isKnob(mod.a) && !reads(e, mod.b, knob))
    return Generator{.kind = Generator::Kind::Multiple, .base = e.part(mod.b)};
  if (isKnob(mod.b) && !reads(e, mod.a, knob))
    return Generator{.kind = Generator::Kind::Divisor, .base = e.part(mod.a)};
  return std::nullopt;
}

/// The condition as a set of values of `knob`; nullopt: it has to be tested.
std::optional<Generator> generatorFor(const Condition &condition, unsigned knob) {
  Expression e = condition.holds;
  const ExprNode top = e.nodes()[e.result()];
  bool isEqual = top.op == ExprOp::Equal;
  if (!isEqual && top.op != ExprOp::AtMost && top.op != ExprOp::Less)
    return std::nullopt;
  if (isEqual)
    for (auto [zero, rest] : {std::pair(top.a, top.b), std::pair(top.b, top.a)})
      if (isConstant(e, zero, 0))
        if (auto found = divisibility(e, rest, knob))
          return found;
  int difference = e.make(ExprOp::Sub, top.a, top.b);
  if (top.op == ExprOp::Less)
    difference = e.make(ExprOp::Add, difference, e.constant(1));
  auto line = lineIn(e, difference, knob);
  if (!line)
    return std::nullopt;
  return Generator{.kind = isEqual ? Generator::Kind::Equal : Generator::Kind::AtMost,
                   .base = e.part(line->base),
                   .slope = e.part(line->slope)};
}

class Planner {
public:
  Planner(const Space &space, llvm::ArrayRef<unsigned> active)
      : space_(space), active_(active.begin(), active.end()), isBound_(space.knobs.size()) {}

  LoopNest plan() {
    for (const Knob &knob : space_.knobs)
      nest_.isEmpty |= knob.domain.empty();
    for (unsigned condition : active_)
      nest_.isEmpty |= space_.conditions[condition].knobs.empty() && !space_.conditions[condition].holds.holds({});
    if (nest_.isEmpty)
      return nest_;
    for (const std::vector<unsigned> &group : groups()) {
      for (std::vector<unsigned> left = group; !left.empty();) {
        unsigned knob = next(left);
        llvm::erase(left, knob);
        bind(knob);
      }
      ++nest_.groups;
    }
    return nest_;
  }

private:
  std::vector<std::vector<unsigned>> groups() {
    std::vector<unsigned> leader(space_.knobs.size());
    std::iota(leader.begin(), leader.end(), 0);
    auto find = [&](unsigned knob) {
      while (leader[knob] != knob)
        knob = leader[knob] = leader[leader[knob]];
      return knob;
    };
    for (unsigned condition : active_)
      for (unsigned knob : space_.conditions[condition].knobs)
        leader[find(knob)] = find(space_.conditions[condition].knobs.front());
    std::map<unsigned, std::vector<unsigned>> byLeader;
    for (unsigned knob = 0; knob < leader.size(); ++knob)
      byLeader[find(knob)].push_back(knob);
    std::vector<std::vector<unsigned>> all;
    for (auto &[first, knobs] : byLeader)
      all.push_back(std::move(knobs));
    return all;
  }

  unsigned unbound(unsigned condition) const {
    return llvm::count_if(space_.conditions[condition].knobs, [&](unsigned knob) { return !isBound_[knob]; });
  }

  /// How many conditions binding the knob makes known, how many it brings nearer, how many values it takes.
  std::tuple<unsigned, unsigned, uint64_t> worth(unsigned knob) const {
    unsigned known = 0, nearer = 0;
    for (unsigned condition : active_)
      if (llvm::is_contained(space_.conditions[condition].knobs, knob)) {
        ++nearer;
        known += unbound(condition) == 1;
      }
    return {known, nearer, UINT64_MAX - space_.knobs[knob].domain.size()};
  }

  unsigned next(const std::vector<unsigned> &left) const {
    return *llvm::max_element(left, [&](unsigned a, unsigned b) { return worth(a) < worth(b); });
  }

  void bind(unsigned knob) {
    Level level{.knob = knob, .group = nest_.groups};
    for (unsigned condition : active_) {
      if (!llvm::is_contained(space_.conditions[condition].knobs, knob) || unbound(condition) != 1)
        continue;
      if (auto generator = generatorFor(space_.conditions[condition], knob)) {
        generator->condition = condition;
        level.generators.push_back(std::move(*generator));
      } else {
        level.tests.push_back(condition);
      }
    }
    isBound_[knob] = true;
    nest_.levels.push_back(std::move(level));
  }

  const Space &space_;
  std::vector<unsigned> active_;
  std::vector<bool> isBound_;
  LoopNest nest_;
};

} // namespace

LoopNest planLoops(const Space &space, llvm::ArrayRef<unsigned> active) { return Planner(space, active).plan(); }

LoopNest planLoops(const Space &space) {
  std::vector<unsigned> all(space.conditions.size());
  std::iota(all.begin(), all.end(), 0);
  return planLoops(space, all);
}

} // namespace fuselage::tune
