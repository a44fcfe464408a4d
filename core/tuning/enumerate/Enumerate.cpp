#include "core/tuning/enumerate/Enumerate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <numeric>

namespace fuselage::tune {
namespace {

using Wide = __int128;
constexpr uint64_t kFewCandidates = 64; ///< are tried one by one rather than computed as divisors
constexpr int64_t kLargestRoot = 1'000'000;

Wide floorDivide(Wide a, Wide b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0); }
Wide ceilDivide(Wide a, Wide b) { return -floorDivide(-a, b); }

} // namespace

Candidates::Candidates(const Space &space, const Level &level, Point &point, uint64_t *budget)
    : space_(space), level_(level), point_(point), budget_(budget), domain_(space.knobs[level.knob].domain),
      end_(domain_.size()), tests_(level.tests.begin(), level.tests.end()) {
  for (const Generator &generator : level.generators)
    apply(generator);
  if (!dividends_.empty() && left() > kFewCandidates)
    listDivisors();
}

/// Of a number with few divisors, and a domain of many values, the divisors are the candidates.
void Candidates::listDivisors() {
  int64_t dividend = 0;
  for (int64_t each : dividends_)
    dividend = dividend == 0 || (each != 0 && each < dividend) ? each : dividend;
  if (dividend == 0 || dividend / kLargestRoot > kLargestRoot)
    return;
  int64_t least = domain_.at(at_), most = domain_.at(end_ - 1);
  for (int64_t by = 1; by <= dividend / by; ++by)
    if (dividend % by == 0)
      list_.insert(list_.end(), {by, dividend / by, -by, -(dividend / by)});
  llvm::erase_if(list_, [&](int64_t value) { return value < least || value > most || !domain_.contains(value); });
  llvm::sort(list_);
  list_.erase(llvm::unique(list_), list_.end());
  isList_ = true;
  at_ = 0;
  end_ = list_.size();
}

bool Candidates::spend() {
  if (budget_ && *budget_ == 0)
    return false;
  if (budget_)
    --*budget_;
  return true;
}

void Candidates::cutBelow(Wide value) {
  if (value > INT64_MAX)
    at_ = end_;
  else if (value > INT64_MIN)
    at_ = std::max(at_, domain_.lowerBound(static_cast<int64_t>(value)));
}

void Candidates::cutAbove(Wide value) {
  if (value < INT64_MIN)
    end_ = at_;
  else if (value < INT64_MAX)
    end_ = std::min(end_, domain_.lowerBound(static_cast<int64_t>(value) + 1));
}

void Candidates::apply(const Generator &generator) {
  std::optional<int64_t> base = generator.base.evaluate(point_);
  std::optional<int64_t> slope =
      generator.slope.nodes().empty() ? std::optional<int64_t>(0) : generator.slope.evaluate(point_);
  if (!base || !slope) { // it divides by zero, or its numbers are large: the condition itself knows
    tests_.push_back(generator.condition);
    return;
  }
  Wide negative = -static_cast<Wide>(*base);
  switch (generator.kind) {
  case Generator::Kind::AtMost:
    if (*slope > 0)
      cutAbove(floorDivide(negative, *slope));
    else if (*slope < 0)
      cutBelow(ceilDivide(negative, *slope));
    else if (*base > 0)
      end_ = at_;
    break;
  case Generator::Kind::Equal:
    if (*slope == 0) {
      if (*base != 0)
        end_ = at_;
    } else if (negative % *slope != 0) {
      end_ = at_;
    } else {
      cutBelow(negative / *slope);
      cutAbove(negative / *slope);
    }
    break;
  case Generator::Kind::Multiple: {
    if (*base == 0) { // nothing is known to be a multiple of 0
      end_ = at_;
      break;
    }
    Wide common = *base == INT64_MIN ? 0 : static_cast<Wide>(std::abs(*base)) / std::gcd(step_, *base) * step_;
    if (common == 0 || common > INT64_MAX)
      tests_.push_back(generator.condition);
    else
      step_ = static_cast<int64_t>(common);
    break;
  }
  case Generator::Kind::Divisor:
    if (*base == INT64_MIN)
      tests_.push_back(generator.condition);
    else
      dividends_.push_back(std::abs(*base));
    break;
  }
}

bool Candidates::passes(int64_t value) {
  if (step_ != 1 && value % step_ != 0)
    return false;
  for (int64_t dividend : dividends_)
    if (value == 0 || dividend % value != 0)
      return false;
  point_[level_.knob] = value;
  return llvm::all_of(tests_, [&](unsigned condition) { return space_.conditions[condition].holds.holds(point_); });
}

bool Candidates::next() {
  if (isList_) {
    while (at_ < end_ && spend())
      if (passes(list_[at_++]))
        return true;
    return false;
  }
  while (at_ < end_ && spend()) {
    int64_t value = domain_.at(at_);
    // In a progression the next multiple is a jump away.
    if (domain_.step() != 0 && step_ != 1 && value % step_ != 0) {
      int64_t up = step_ - ((value % step_) + step_) % step_;
      at_ = value > INT64_MAX - up ? end_ : std::max(domain_.lowerBound(value + up), at_ + 1);
      continue;
    }
    ++at_;
    if (passes(value))
      return true;
  }
  return false;
}

Walk::Walk(const Space &space, llvm::ArrayRef<Level> levels, uint64_t *budget)
    : space_(space), levels_(levels), budget_(budget), point_(space.knobs.size(), 0) {
  loops_.reserve(levels.size());
  if (!levels.empty())
    loops_.emplace_back(space_, levels_.front(), point_, budget_);
}

bool Walk::deepen() {
  while (!loops_.empty() && loops_.size() < levels_.size())
    if (loops_.back().next())
      loops_.emplace_back(space_, levels_[loops_.size()], point_, budget_);
    else
      loops_.pop_back();
  return !loops_.empty();
}

bool Walk::next() {
  while (deepen()) {
    if (loops_.back().next())
      return true;
    loops_.pop_back();
  }
  return false;
}

uint64_t Walk::skip() {
  while (deepen()) {
    if (!loops_.back().isPlain())
      return next() ? 1 : 0;
    uint64_t many = loops_.back().left();
    loops_.pop_back();
    if (many > 0)
      return many;
  }
  return 0;
}

bool forEachPoint(const Space &space, const LoopNest &nest, llvm::function_ref<bool(const Point &)> visit) {
  if (nest.isEmpty)
    return true;
  Walk walk(space, nest.levels);
  if (nest.levels.empty())
    return visit(walk.point());
  while (walk.next())
    if (!visit(walk.point()))
      return false;
  return true;
}

namespace {

/// Goes down with a random order of values at each level.
class RandomDescent {
public:
  RandomDescent(const Space &space, const LoopNest &nest, std::mt19937_64 &random, uint64_t steps)
      : space_(space), nest_(nest), random_(random), left_(steps), point_(space.knobs.size(), 0) {}

  std::optional<Point> find() { return !nest_.isEmpty && descend(0) ? std::optional(point_) : std::nullopt; }

private:
  bool descend(size_t depth) {
    if (depth == nest_.levels.size())
      return true;
    constexpr size_t most = 4096; // of a level, that are tried
    std::vector<int64_t> values;
    Candidates candidates(space_, nest_.levels[depth], point_, &left_);
    unsigned knob = nest_.levels[depth].knob;
    if (uint64_t many = candidates.left(); many > most) { // too many to look at each
      for (size_t i = 0; i < most && left_ > 0; ++i, --left_)
        if (candidates.pick(random_() % many))
          values.push_back(point_[knob]);
    } else {
      while (candidates.next())
        values.push_back(point_[knob]);
    }
    std::shuffle(values.begin(), values.end(), random_);
    for (int64_t value : values) {
      point_[knob] = value;
      if (descend(depth + 1))
        return true;
      if (left_ == 0)
        return false;
    }
    return false;
  }

  const Space &space_;
  const LoopNest &nest_;
  std::mt19937_64 &random_;
  uint64_t left_;
  Point point_;
};

} // namespace

std::optional<Point> randomPoint(const Space &space, const LoopNest &nest, std::mt19937_64 &random, uint64_t steps) {
  return RandomDescent(space, nest, random, steps).find();
}

} // namespace fuselage::tune
