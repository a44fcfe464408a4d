#include "core/schedules/script/Knobs.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

using mlir::transform::tune::KnobOp;
using Choice = mlir::transform::tune::AlternativesOp;

constexpr size_t kMostValues = 1000; ///< that are listed

std::optional<int64_t> bound(mlir::DictionaryAttr options, llvm::StringRef name) {
  auto value = options.getAs<mlir::IntegerAttr>(name);
  if (!value || value.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return value.getValue().getSExtValue();
}

/// The numbers that a dictionary of bounds leaves.
class Bounds {
public:
  explicit Bounds(mlir::DictionaryAttr options)
      : least(bound(options, "lower_bound")), most(bound(options, "upper_bound")), of(bound(options, "divisible_by")),
        into(bound(options, "divides")), powerOfTwo(isPowerOfTwo(options.get("power_of_two"))) {}
  bool takes(int64_t value) const {
    auto divides = [](int64_t by, int64_t number) { return by == -1 || (by != 0 && number % by == 0); };
    return (!least || value >= *least) && (!most || value <= *most) && (!of || divides(*of, value)) &&
           (!into || divides(value, *into)) && (!powerOfTwo || (value > 0 && (value & (value - 1)) == 0));
  }
  /// All of them, where they are few and lie between bounds.
  std::vector<std::string> values() const {
    int64_t first = least.value_or(1), last = most ? *most : into ? std::abs(std::max(*into, -INT64_MAX)) : INT64_MAX;
    constexpr uint64_t far = 1'000'000;
    std::vector<std::string> all;
    if (last < first || uint64_t(last) - uint64_t(first) > far)
      return all;
    for (uint64_t offset = 0; offset <= uint64_t(last) - uint64_t(first) && all.size() < kMostValues; ++offset)
      if (int64_t value = first + static_cast<int64_t>(offset); takes(value))
        all.push_back(std::to_string(value));
    return all;
  }
  std::optional<int64_t> least, most, of, into;

private:
  static bool isPowerOfTwo(mlir::Attribute asked) {
    auto wanted = mlir::dyn_cast_or_null<mlir::BoolAttr>(asked);
    return mlir::isa_and_nonnull<mlir::UnitAttr>(asked) || (wanted && wanted.getValue());
  }
  bool powerOfTwo;
};

std::vector<std::string> valuesOf(mlir::Operation *op) {
  std::vector<std::string> values;
  if (auto choice = mlir::dyn_cast<Choice>(op)) {
    for (unsigned i = 0; i < choice->getNumRegions() && i < kMostValues; ++i)
      values.push_back(std::to_string(i));
  } else if (auto list = mlir::dyn_cast<mlir::ArrayAttr>(mlir::cast<KnobOp>(op).getOptions())) {
    for (mlir::Attribute option : list.getValue().take_front(kMostValues))
      values.push_back(optionText(option));
  } else if (auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(mlir::cast<KnobOp>(op).getOptions())) {
    values = Bounds(dictionary).values();
  }
  return values;
}

std::string nameOf(mlir::Operation *op) {
  auto knob = mlir::dyn_cast<KnobOp>(op);
  return (knob ? knob.getName() : mlir::cast<Choice>(op).getName()).str();
}

/// "16, 32 or 64", or the options as they are written.
std::string describe(mlir::Operation *op) {
  constexpr size_t shown = 12;
  std::vector<std::string> values = valuesOf(op);
  if (values.empty() && mlir::isa<KnobOp>(op))
    return optionText(mlir::cast<KnobOp>(op).getOptions());
  std::string text = llvm::join(llvm::ArrayRef(values).take_front(shown), ", ");
  return values.size() > shown
             ? text + ", .. (" + std::to_string(values.size()) + (values.size() == kMostValues ? " or more)" : ")")
             : text;
}

std::optional<std::string> selectedOf(mlir::Operation *op) {
  if (auto knob = mlir::dyn_cast<KnobOp>(op))
    return knob.getSelected() ? std::optional(optionText(*knob.getSelected())) : std::nullopt;
  auto choice = mlir::cast<Choice>(op);
  if (mlir::IntegerAttr region = choice.getSelectedRegionAttrAttr())
    return optionText(region);
  return choice.getSelectedRegionParam() ? std::optional<std::string>("by a parameter") : std::nullopt;
}

/// The value that `text` stands for; null: it is no option.
mlir::Attribute valueFor(mlir::Operation *op, llvm::StringRef text) {
  int64_t number = 0;
  bool isNumber = !text.getAsInteger(10, number);
  if (auto choice = mlir::dyn_cast<Choice>(op)) {
    auto type = mlir::IntegerType::get(op->getContext(), 64);
    return isNumber && number >= 0 && number < choice->getNumRegions() ? mlir::IntegerAttr::get(type, number)
                                                                       : mlir::Attribute();
  }
  mlir::Attribute options = mlir::cast<KnobOp>(op).getOptions();
  if (auto list = mlir::dyn_cast<mlir::ArrayAttr>(options)) {
    for (mlir::Attribute option : list)
      if (optionText(option) == text)
        return option;
    return {};
  }
  auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(options);
  constexpr const char *bounds[] = {"lower_bound", "upper_bound", "divisible_by", "divides", "power_of_two"};
  if (dictionary && llvm::any_of(bounds, [&](const char *name) { return bool(dictionary.get(name)); }))
    return isNumber && Bounds(dictionary).takes(number)
               ? mlir::IntegerAttr::get(mlir::IntegerType::get(op->getContext(), 64), number)
               : mlir::Attribute();
  mlir::ScopedDiagnosticHandler quiet(op->getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  return mlir::parseAttribute(text, op->getContext()); // its options say nothing that could be checked here
}

template <class Callback> void forEachKnob(const Script &script, Callback callback) {
  mlir::ModuleOp(*script.module)->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (mlir::isa<KnobOp, Choice>(op))
      callback(op);
  });
}

std::optional<int64_t> numberOf(KnobOp knob) {
  auto value = mlir::dyn_cast_or_null<mlir::IntegerAttr>(knob.getSelectedAttr());
  return value && value.getValue().getSignificantBits() <= 64 ? std::optional(value.getValue().getSExtValue())
                                                              : std::nullopt;
}

/// Whether `op` runs: not inside of a region of alternatives that is not the selected one.
bool isPicked(mlir::Operation *op) {
  for (mlir::Region *region = op->getParentRegion(); region; region = region->getParentRegion()) {
    auto choice = mlir::dyn_cast<Choice>(region->getParentOp());
    if (!choice)
      continue;
    auto selector =
        choice.getSelectedRegionParam() ? choice.getSelectedRegionParam().getDefiningOp<KnobOp>() : KnobOp();
    auto selected = selector ? mlir::dyn_cast_or_null<mlir::IntegerAttr>(selector.getSelectedAttr())
                             : choice.getSelectedRegionAttrAttr();
    if (selected && selected.getValue() != region->getRegionNumber())
      return false;
  }
  return true;
}

/// A knob that divides, or is divisible by, the one that it names, and is selected so that it is not; empty: there is
/// none.
std::string brokenRelation(const Script &script) {
  std::map<std::string, int64_t> numbers;
  std::string problem;
  forEachKnob(script, [&](mlir::Operation *op) {
    if (auto knob = mlir::dyn_cast<KnobOp>(op))
      if (std::optional<int64_t> number = numberOf(knob))
        numbers[nameOf(op)] = *number;
  });
  forEachKnob(script, [&](mlir::Operation *op) {
    auto knob = mlir::dyn_cast<KnobOp>(op);
    auto options = knob ? mlir::dyn_cast<mlir::DictionaryAttr>(knob.getOptions()) : mlir::DictionaryAttr();
    bool isSelected = knob && numberOf(knob) && isPicked(op);
    int64_t number = isSelected ? *numberOf(knob) : 0;
    for (llvm::StringRef relation : {"divides", "divisible_by"}) {
      auto other = options ? options.getAs<mlir::StringAttr>(relation) : mlir::StringAttr();
      auto found = other ? numbers.find(other.getValue().str()) : numbers.end();
      if (!isSelected || found == numbers.end() || !problem.empty())
        continue;
      auto [whole, part] = relation == "divides" ? std::pair(found->second, number) : std::pair(number, found->second);
      if (part != -1 && (part == 0 || whole % part != 0))
        problem = "the knob '" + nameOf(op) + "' does not take '" + std::to_string(number) + "': it " +
                  (relation == "divides" ? "divides '" : "is divisible by '") + found->first + "', which is " +
                  std::to_string(found->second);
    }
  });
  return problem;
}

} // namespace

std::string optionText(mlir::Attribute attribute) {
  if (auto text = mlir::dyn_cast<mlir::StringAttr>(attribute))
    return text.getValue().str();
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os, /*elideType=*/true);
  return text;
}

message::ScheduleKnobs<> knobsOf(const Script &script) {
  message::ScheduleKnobs<> all;
  forEachKnob(script, [&](mlir::Operation *op) {
    message::ScheduleKnob<> &knob = all.knobs.emplace_back();
    knob.name = nameOf(op);
    knob.kind = mlir::isa<KnobOp>(op) ? "knob" : "alternatives";
    if (int number = script.numberOf(op); number >= 0) {
      knob.file = script.ops[number].file;
      knob.line = static_cast<int>(script.ops[number].line);
      knob.column = static_cast<int>(script.ops[number].column);
    }
    knob.selected = selectedOf(op).value_or("");
    knob.values = valuesOf(op);
    if (auto open = mlir::dyn_cast<KnobOp>(op)) {
      knob.options = optionText(open.getOptions());
      if (auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(open.getOptions())) {
        Bounds bounds(dictionary);
        knob.lowerBound = bounds.least;
        knob.upperBound = bounds.most;
        knob.divisibleBy = bounds.of;
        knob.divides = bounds.into;
      }
    }
  });
  return all;
}

llvm::Error setKnobs(Script &script, const std::map<std::string, std::string> &values) {
  std::set<std::string> names, set;
  std::string problem;
  forEachKnob(script, [&](mlir::Operation *op) {
    names.insert(nameOf(op));
    auto wanted = values.find(nameOf(op));
    if (wanted == values.end() || !problem.empty())
      return;
    set.insert(wanted->first);
    mlir::Attribute value = valueFor(op, wanted->second);
    auto choice = mlir::dyn_cast<Choice>(op);
    if (choice && choice.getSelectedRegionParam())
      problem = "the alternatives '" + wanted->first + "' are selected by a parameter";
    else if (!value)
      problem = "the knob '" + wanted->first + "' does not take '" + wanted->second + "', but " + describe(op);
    else if (choice)
      choice.setSelectedRegionAttrAttr(mlir::cast<mlir::IntegerAttr>(value));
    else
      mlir::cast<KnobOp>(op).setSelectedAttr(value);
  });
  if (problem.empty())
    problem = brokenRelation(script);
  if (!problem.empty())
    return fail(problem);
  for (const auto &[name, value] : values)
    if (!set.contains(name))
      return fail("the schedule '" + script.path + "' has no knob '" + name + "'" +
                  (names.empty() ? "; it has none" : "; it has " + llvm::join(names, ", ")));
  return llvm::Error::success();
}

std::string howToSelect(mlir::Operation *op) {
  if (!mlir::isa<KnobOp, Choice>(op) || selectedOf(op))
    return "";
  return "nothing is selected for '" + nameOf(op) + "'; it takes " + describe(op) + ": --set " + nameOf(op) +
         "=VALUE, or in the script " + (mlir::isa<KnobOp>(op) ? "= VALUE after its name" : "selected_region = VALUE");
}

} // namespace fuselage
