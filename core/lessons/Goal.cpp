#include "core/lessons/Goal.h"
#include "core/support/Error.h"
#include "core/support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace fuselage {

static constexpr const char *edgeStates = "fused|can be fused|tried without success|cannot be fused";
static constexpr const char *truth = "no|yes";
static constexpr const char *handleStates = "live|consumed|invalidated";

llvm::ArrayRef<FactName> factNames() {
  static const FactName names[] = {
      {"dispatches", "", "", "", "dispatches", "dispatch"},
      {"missed", "", "", "", "missed fusions", "missed fusion"},
      {"traffic", "", "bytes", "", "moved by the dispatches"},
      {"ops", "NAME", "", "", "ops of this name", "op of this name"},
      {"edge", "A -> B", "", edgeStates, "the edge"},
      {"copies", "", "", "", "copies", "copy"},
      {"peak", "", "bytes", "", "peak memory"},
      {"form", "NAME", "", truth, "the normal form holds"},
      {"form at", "LINE -> NAME", "", truth, "the normal form holds at line"},
      {"schedule runs", "", "", truth, "the schedule ran to its end"},
      {"handle", "NAME", "", handleStates, "the handle"},
      {"live handles", "", "", "", "live handles", "live handle"},
      {"tiles", "NAME", "", "", "tiles of", "tile of"},
      {"smaller tiles", "NAME", "", "", "tiles smaller than the others of", "tile smaller than the others of"},
      {"tile bytes", "NAME", "bytes", "", "touched by a tile of"},
      {"tile traffic", "NAME", "bytes", "", "moved by the tiles of"},
      {"tile loads", "NAME", "bytes", "", "loaded by the tiles of"},
      {"tile cache", "NAME", "bytes", "", "of cache for"},
      {"recomputed", "NAME", "", "", "elements of producers computed again in tiles of",
       "element of producers computed again in tiles of"},
      {"workgroup memory", "NAME", "bytes", "", "of workgroup memory in"},
      {"occupancy", "NAME", "%", "", "occupancy, registers aside, of"},
      {"bank conflicts", "NAME", "", "", "accesses with bank conflicts in", "access with bank conflicts in"},
      {"uncoalesced", "NAME", "", "", "uncoalesced accesses in", "uncoalesced access in"},
      {"kernel reads", "NAME", "bytes", "", "read from memory by the kernels of"},
      {"races", "NAME", "", "", "races in", "race in"},
      {"speedup", "", "", "", "times as fast as the first step, beyond the noise"},
      {"same results", "", "", truth, "computes the same"},
      {"selected", "NAME", "", truth, "the op is selected"},
      {"step", "NAME", "", truth, "the step is shown"},
      {"view", "NAME", "", truth, "the view is shown"},
      {"panel", "NAME", "", truth, "the panel is open"},
      {"answer", "", "", "", "the answer"},
      {"choice", "", "", "", "the choice"},
  };
  return names;
}

static const FactName *factOf(llvm::StringRef line) {
  const FactName *best = nullptr;
  for (const FactName &fact : factNames())
    if (line.starts_with(fact.name) && (line.size() == fact.name.size() || !llvm::isAlnum(line[fact.name.size()])) &&
        (!best || fact.name.size() > best->name.size()))
      best = &fact;
  return best;
}

static llvm::Error unknownFact(llvm::StringRef line) {
  std::string known;
  for (const FactName &fact : factNames())
    known += (known.empty() ? "" : ", ") + fact.name.str() + (fact.arguments.empty() ? "" : " " + fact.arguments.str());
  return fail("'" + line.str() + "' begins with no fact; there are " + known);
}

/// "12 MiB" in bytes, "3", "5 %".
static std::optional<double> numberOf(llvm::StringRef text, llvm::StringRef unit) {
  static constexpr std::pair<llvm::StringLiteral, double> units[] = {
      {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}};
  double scale = 1;
  text = text.trim();
  if (unit == "bytes")
    for (const auto &[name, size] : units)
      if (text.consume_back(name)) {
        scale = size;
        break;
      }
  if (unit == "%")
    text.consume_back("%");
  double number = 0;
  if (text.trim().getAsDouble(number) || !std::isfinite(number))
    return std::nullopt;
  return number * scale;
}

/// The place of a word among "a|b|c".
static std::optional<double> placeOf(llvm::StringRef word, llvm::StringRef words) {
  llvm::SmallVector<llvm::StringRef> all;
  words.split(all, '|', -1, /*KeepEmpty=*/false);
  const auto found = llvm::find(all, word);
  return found == all.end() ? std::nullopt : std::optional<double>(found - all.begin());
}

namespace {
struct Operator {
  llvm::StringLiteral text;
  Goal::Compare compare;
};
} // namespace
/// The longer ones first.
static constexpr Operator operators[] = {{"<=", Goal::Compare::AtMost},   {">=", Goal::Compare::AtLeast},
                                         {"!=", Goal::Compare::NotEqual}, {" is not ", Goal::Compare::NotEqual},
                                         {" is ", Goal::Compare::Equal},  {"=", Goal::Compare::Equal},
                                         {"<", Goal::Compare::Less},      {">", Goal::Compare::More}};

/// "matmul -> add" and "linalg.matmul".
static std::vector<std::string> argumentsOf(llvm::StringRef text) {
  std::vector<std::string> arguments;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, "->", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    if (!part.trim().empty())
      arguments.push_back(part.trim().str());
  return arguments;
}

static size_t wantedArguments(const FactName &fact) {
  return fact.arguments.empty() ? 0 : fact.arguments.contains("->") ? 2 : 1;
}

static llvm::Error takeValue(Goal &goal, const FactName &fact, llvm::StringRef value) {
  auto [text, within] = value.split(" within ");
  if (!within.empty()) {
    std::optional<double> tolerance = numberOf(within, "%");
    if (!tolerance || *tolerance < 0)
      return fail("'" + within.trim().str() + "' is no share, such as 5 %");
    goal.tolerance = *tolerance / 100;
  }
  if (!fact.words.empty()) {
    std::optional<double> place = placeOf(text.trim(), fact.words);
    if (!place)
      return fail("'" + text.trim().str() + "' is none of " + llvm::join(llvm::split(fact.words, '|'), ", "));
    goal.word = text.trim().str();
    goal.number = *place;
    return llvm::Error::success();
  }
  if (fact.name == "choice") {
    goal.word = text.trim().str();
    if (goal.word.size() != 1 || goal.word[0] < 'a' || goal.word[0] > 'h')
      return fail("'" + goal.word + "' is no choice: they are called a to h");
    goal.number = goal.word[0] - 'a' + 1;
    return llvm::Error::success();
  }
  std::optional<double> number = numberOf(text, fact.unit);
  if (!number)
    return fail("'" + text.trim().str() + "' is no number" + (fact.unit.empty() ? "" : " of " + fact.unit.str()));
  goal.number = *number;
  return llvm::Error::success();
}

llvm::Expected<Goal> parseGoal(llvm::StringRef line) {
  line = line.trim();
  const FactName *fact = factOf(line);
  if (!fact)
    return unknownFact(line);
  Goal goal{.text = line.str(), .fact = fact->name.str()};
  llvm::StringRef rest = line.drop_front(fact->name.size());
  // "->" of an edge is no operator.
  size_t at = llvm::StringRef::npos;
  const Operator *found = nullptr;
  for (size_t i = 0; i < rest.size() && !found; ++i)
    if (!rest.substr(i).starts_with("->") && !(i > 0 && rest.substr(i - 1).starts_with("->")))
      for (const Operator &candidate : operators)
        if (rest.substr(i).starts_with(candidate.text)) {
          at = i;
          found = &candidate;
          break;
        }
  goal.arguments = argumentsOf(rest.substr(0, at));
  if (goal.arguments.size() != wantedArguments(*fact))
    return fail("'" + line.str() + "': write " + fact->name.str() +
                (fact->arguments.empty() ? "" : " " + fact->arguments.str()));
  if (!found) {
    if (fact->words != truth)
      return fail("'" + line.str() + "' compares with nothing: add <=, >=, = or is, and a value");
    goal.word = "yes";
    goal.number = 1;
    return goal;
  }
  goal.compare = found->compare;
  if (llvm::Error error = takeValue(goal, *fact, rest.substr(at + found->text.size())))
    return fail("'" + line.str() + "': " + takeFailure(std::move(error)).message);
  return goal;
}

static bool holds(const Goal &goal, double value) {
  switch (goal.compare) {
  case Goal::Compare::Equal:
    return std::abs(value - goal.number) <= goal.tolerance * std::abs(goal.number);
  case Goal::Compare::NotEqual:
    return value != goal.number;
  case Goal::Compare::AtMost:
    return value <= goal.number;
  case Goal::Compare::AtLeast:
    return value >= goal.number;
  case Goal::Compare::Less:
    return value < goal.number;
  case Goal::Compare::More:
    return value > goal.number;
  }
  return false;
}

static std::string valueText(const FactName &fact, double value) {
  if (!fact.words.empty()) {
    llvm::SmallVector<llvm::StringRef> words;
    fact.words.split(words, '|');
    const auto place = static_cast<size_t>(value);
    return place < words.size() ? words[place].str() : "unknown";
  }
  if (fact.unit == "bytes")
    return binaryBytesText(value, 2);
  std::string text = llvm::formatv("{0:f2}", value).str();
  if (llvm::StringRef(text).ends_with(".00"))
    text.resize(text.size() - 3);
  return fact.unit == "%" ? text + " %" : text;
}

static llvm::StringRef words(Goal::Compare compare) {
  switch (compare) {
  case Goal::Compare::Equal:
    return "";
  case Goal::Compare::NotEqual:
    return "not ";
  case Goal::Compare::AtMost:
    return "at most ";
  case Goal::Compare::AtLeast:
    return "at least ";
  case Goal::Compare::Less:
    return "less than ";
  case Goal::Compare::More:
    return "more than ";
  }
  return "";
}

GoalState judge(const Goal &goal, std::optional<double> value, llvm::StringRef why, bool tellsWanted) {
  const FactName &fact = *factOf(goal.fact);
  if (!value)
    return {.holds = false, .text = why.str()};
  GoalState state{.holds = holds(goal, *value)};
  // What an answer is to be is not for everybody to read.
  if (fact.name == "answer" || fact.name == "choice") {
    state.text = state.holds ? "right" : "not right yet";
    return state;
  }
  if (state.holds && fact.name == "selected") {
    state.text = goal.arguments.front() + " is selected";
    return state;
  }
  // Neither is an op or a step that is to be found.
  if (!state.holds && fact.name == "selected") {
    state.text = "another op is selected";
    return state;
  }
  if (!state.holds && fact.name == "step") {
    state.text = "another step is shown";
    return state;
  }
  const llvm::StringRef noun = *value == 1 && !fact.one.empty() ? fact.one : fact.noun;
  const std::string subject =
      goal.arguments.empty() ? noun.str() : noun.str() + " " + llvm::join(goal.arguments, " \u2192 ");
  const std::string now = valueText(fact, *value);
  state.text = fact.words.empty() ? now + " " + subject : subject + ": " + now;
  if (!state.holds && tellsWanted)
    state.text += fact.words.empty() ? ", " + words(goal.compare).str() + valueText(fact, goal.number) + " wanted"
                                     : ", wanted: " + words(goal.compare).str() + goal.word;
  return state;
}

} // namespace fuselage
