#include "core/tuning/enumerate/Clash.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

namespace fuselage::tune {
namespace {

enum class Answer { Yes, No, Unknown };

/// Whether a point satisfies the conditions. Each group by itself: where one has no point, others need not be gone
/// through.
Answer hasPoint(const Space &space, llvm::ArrayRef<unsigned> conditions, uint64_t &steps) {
  LoopNest nest = planLoops(space, conditions);
  if (nest.isEmpty)
    return Answer::No;
  llvm::ArrayRef<Level> levels = nest.levels;
  for (size_t first = 0, last = 0; first < levels.size(); first = last) {
    while (last < levels.size() && levels[last].group == levels[first].group)
      ++last;
    bool found = Walk(space, levels.slice(first, last - first), &steps).next();
    if (!found && steps == 0)
      return Answer::Unknown;
    if (!found)
      return Answer::No;
  }
  return Answer::Yes;
}

} // namespace

std::string Clash::text(const Space &space) const {
  if (emptyKnob)
    return "no point: the options of '" + space.knobs[*emptyKnob].name + "' leave no value";
  std::vector<std::string> texts;
  for (unsigned condition : conditions)
    texts.push_back("'" + space.conditions[condition].text + "' (" + nameOf(space.conditions[condition].origin).str() +
                    (space.conditions[condition].place.line
                         ? ", line " + std::to_string(space.conditions[condition].place.line)
                         : "") +
                    ")");
  std::string list = llvm::join(texts, ", ");
  if (conditions.size() == 1)
    return "no point: " + list + " holds nowhere in the knobs' options";
  return "no point: " + list + " do not go together" +
         (mayBeSmaller ? "; perhaps fewer of them" : "; without any of these there are points");
}

std::optional<Clash> findClash(const Space &space, uint64_t steps) {
  for (auto [index, knob] : llvm::enumerate(space.knobs))
    if (knob.domain.empty())
      return Clash{.emptyKnob = static_cast<unsigned>(index)};
  std::vector<unsigned> kept(space.conditions.size());
  std::iota(kept.begin(), kept.end(), 0);
  uint64_t left = steps;
  if (hasPoint(space, kept, left) != Answer::No)
    return std::nullopt;
  Clash clash;
  for (size_t i = 0; i < kept.size();) {
    std::vector<unsigned> without = kept;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    left = steps;
    Answer answer = hasPoint(space, without, left);
    clash.mayBeSmaller |= answer == Answer::Unknown;
    if (answer == Answer::No)
      kept = std::move(without);
    else
      ++i;
  }
  clash.conditions = std::move(kept);
  return clash;
}

} // namespace fuselage::tune
