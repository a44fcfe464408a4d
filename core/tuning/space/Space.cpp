#include "core/tuning/space/Space.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage::tune {

std::string Knob::textOf(int64_t value) const {
  return labels.empty() ? std::to_string(value) : value >= 0 && value < int64_t(labels.size()) ? labels[value] : "?";
}

std::optional<int64_t> Knob::valueOf(llvm::StringRef text) const {
  int64_t value = 0;
  if (labels.empty())
    return !text.getAsInteger(10, value) && domain.contains(value) ? std::optional(value) : std::nullopt;
  for (auto [index, label] : llvm::enumerate(labels))
    if (label == text)
      return static_cast<int64_t>(index);
  return std::nullopt;
}

llvm::StringRef nameOf(Origin origin) {
  switch (origin) {
  case Origin::Schedule:
    return "the schedule";
  case Origin::Op:
    return "the op";
  case Origin::Device:
    return "the device";
  case Origin::User:
    return "the command line";
  }
  return "";
}

std::optional<unsigned> Space::find(llvm::StringRef name) const {
  for (auto [index, knob] : llvm::enumerate(knobs))
    if (knob.name == name)
      return static_cast<unsigned>(index);
  return std::nullopt;
}

std::optional<unsigned> Space::find(KnobTarget target) const {
  for (auto [index, knob] : llvm::enumerate(knobs))
    if (knob.sets == target)
      return static_cast<unsigned>(index);
  return std::nullopt;
}

static Condition conditionOf(const Space &space, const Expression &expression, int node, Origin origin, Place place,
                             std::string text) {
  Condition condition{
      .holds = expression.part(node), .origin = origin, .text = std::move(text), .place = std::move(place)};
  condition.knobs = condition.holds.knobs();
  if (condition.text.empty())
    condition.text = condition.holds.text([&](unsigned knob) { return space.knobs[knob].name; });
  return condition;
}

void Space::add(const Expression &expression, int node, Origin origin, Place place, std::string text) {
  conditions.push_back(conditionOf(*this, expression, node, origin, std::move(place), std::move(text)));
}

void Space::addBound(const Expression &expression, int node, Origin origin, Place place, std::string text) {
  bounds.push_back(conditionOf(*this, expression, node, origin, std::move(place), std::move(text)));
}

std::vector<std::string> Space::over(llvm::ArrayRef<int64_t> point) const {
  std::vector<std::string> texts;
  for (const Condition &bound : bounds)
    if (!bound.holds.holds(point))
      texts.push_back(bound.text);
  return texts;
}

bool Space::contains(llvm::ArrayRef<int64_t> point) const {
  if (point.size() != knobs.size())
    return false;
  for (auto [knob, value] : llvm::zip_equal(knobs, point))
    if (!knob.domain.contains(value))
      return false;
  return llvm::all_of(conditions, [&](const Condition &condition) { return condition.holds.holds(point); });
}

std::vector<std::string> Space::broken(llvm::ArrayRef<int64_t> point) const {
  std::vector<std::string> texts;
  for (auto [knob, value] : llvm::zip(knobs, point))
    if (!knob.domain.contains(value))
      texts.push_back(knob.name + " does not take " + knob.textOf(value));
  for (const Condition &condition : conditions)
    if (!condition.holds.holds(point))
      texts.push_back(condition.text + " (" + nameOf(condition.origin).str() + ")");
  return texts;
}

std::string Space::textOf(llvm::ArrayRef<int64_t> point) const {
  std::string text;
  for (auto [knob, value] : llvm::zip(knobs, point))
    text += (text.empty() ? "" : " ") + knob.name + "=" + knob.textOf(value);
  return text;
}

Parameters Space::parametersOf(llvm::ArrayRef<int64_t> point) const {
  Parameters parameters;
  for (auto [knob, value] : llvm::zip_equal(knobs, point))
    parameters[knob.name] = knob.textOf(value);
  return parameters;
}

std::optional<Point> Space::pointOf(const Parameters &parameters) const {
  Point point;
  for (const Knob &knob : knobs) {
    auto found = parameters.find(knob.name);
    auto value = found == parameters.end() ? std::nullopt : knob.valueOf(found->second);
    if (!value)
      return std::nullopt;
    point.push_back(*value);
  }
  return point;
}

llvm::Error Space::fix(llvm::StringRef name, llvm::StringRef text, const std::string &owner) {
  auto knob = find(name);
  if (!knob)
    return fail(owner + " has no knob '" + name.str() + "'");
  auto value = knobs[*knob].valueOf(text);
  if (!value)
    return fail("the knob '" + name.str() + "' does not take '" + text.str() + "'");
  Expression e;
  int node = e.make(ExprOp::Equal, e.knob(*knob), e.constant(*value));
  add(e, node, Origin::User, {}, name.str() + " = " + text.str());
  knobs[*knob].selected = *value;
  return llvm::Error::success();
}

} // namespace fuselage::tune
