#include "core/tuning/space/KnobOptions.h"
#include "core/ir/module/Diagnostics.h"
#include "core/schedules/script/Knobs.h"
#include <numeric>

namespace fuselage::tune {
namespace {

using mlir::transform::tune::KnobOp;

constexpr int64_t kMostListed = 1'000'000; ///< candidates that are looked at one by one

std::optional<int64_t> numberIn(mlir::Attribute attribute) {
  auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  if (!number || number.getType().isInteger(1) || number.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return number.getValue().getSExtValue();
}

class Reader {
public:
  Reader(KnobOp knob, const SpaceOptions &options, llvm::function_ref<bool(llvm::StringRef)> isKnob)
      : knob_(knob), options_(options), isKnob_(isKnob) {}

  llvm::Expected<KnobOptions> read() {
    llvm::Error error = llvm::Error::success();
    if (auto list = mlir::dyn_cast<mlir::ArrayAttr>(knob_.getOptions()))
      readList(list);
    else if (auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(knob_.getOptions()))
      error = llvm::joinErrors(std::move(error), readDictionary(dictionary));
    else
      error = llvm::joinErrors(
          std::move(error), failAt(knob_, who() + " has options that are neither a list nor a dictionary of bounds: " +
                                              optionText(knob_.getOptions())));
    if (error)
      return error;
    return std::move(found_);
  }

private:
  std::string who() { return "the knob '" + knob_.getName().str() + "'"; }

  void readList(mlir::ArrayAttr list) {
    found_.isList = true;
    bool numbers = llvm::all_of(list, [](mlir::Attribute option) { return numberIn(option).has_value(); });
    for (mlir::Attribute option : list)
      if (numbers)
        found_.list.push_back(*numberIn(option));
      else if (std::string text = optionText(option); !llvm::is_contained(found_.labels, text))
        found_.labels.push_back(text);
    if (found_.labels == std::vector<std::string>{"true", "false"}) // so that their numbers are what they mean
      std::swap(found_.labels.front(), found_.labels.back());
    for (size_t i = 0; i < found_.labels.size(); ++i)
      found_.list.push_back(static_cast<int64_t>(i));
  }

  /// A number, or what a name stands for.
  llvm::Error readDivisor(mlir::Attribute value, llvm::StringRef key, std::vector<int64_t> &numbers,
                          std::vector<std::string> &knobs) {
    if (auto list = mlir::dyn_cast<mlir::ArrayAttr>(value)) {
      for (mlir::Attribute each : list)
        if (llvm::Error error = readDivisor(each, key, numbers, knobs))
          return error;
      return llvm::Error::success();
    }
    if (auto name = mlir::dyn_cast<mlir::StringAttr>(value)) {
      if (isKnob_(name.getValue()))
        return knobs.push_back(name.getValue().str()), llvm::Error::success();
      std::optional<int64_t> size = options_.sizeNamed ? options_.sizeNamed(name.getValue()) : std::nullopt;
      if (!size)
        return failAt(
            knob_,
            who() + " has " + key.str() + " = \"" + name.getValue().str() +
                "\", which is neither a knob nor a size of the payload "
                "that is known; sizes are spelled arg0.1 (argument and dimension) or linalg.matmul.2 (op and loop)");
      return addNumber(*size, key, numbers);
    }
    if (std::optional<int64_t> number = numberIn(value))
      return addNumber(*number, key, numbers);
    return failAt(knob_, who() + " has " + key.str() + " = " + optionText(value) +
                             "; a number, a name or a list of these is wanted");
  }

  llvm::Error addNumber(int64_t number, llvm::StringRef key, std::vector<int64_t> &numbers) {
    if (number <= 0)
      return failAt(knob_,
                    who() + " has " + key.str() + " = " + std::to_string(number) + ", which has to be at least 1");
    return numbers.push_back(number), llvm::Error::success();
  }

  llvm::Error readDictionary(mlir::DictionaryAttr dictionary) {
    if (dictionary.empty())
      return failAt(knob_, who() + " has no options");
    for (mlir::NamedAttribute entry : dictionary) {
      llvm::StringRef key = entry.getName().getValue();
      if (key == "divides" || key == "divisible_by") {
        bool into = key == "divides";
        if (llvm::Error error = readDivisor(entry.getValue(), key, into ? found_.divides : found_.divisibleBy,
                                            into ? found_.dividesKnobs : found_.divisibleByKnobs))
          return error;
        continue;
      }
      if (key == "power_of_two") {
        auto wanted = mlir::dyn_cast<mlir::BoolAttr>(entry.getValue());
        if (!wanted && !mlir::isa<mlir::UnitAttr>(entry.getValue()))
          return failAt(knob_,
                        who() + " has power_of_two = " + optionText(entry.getValue()) + "; true or false is wanted");
        found_.powerOfTwo = !wanted || wanted.getValue();
        continue;
      }
      std::optional<int64_t> number = numberIn(entry.getValue());
      if (key != "lower_bound" && key != "upper_bound")
        return failAt(knob_, who() + " has the option '" + key.str() +
                                 "', which is none of lower_bound, upper_bound, divisible_by, divides, power_of_two");
      if (!number)
        return failAt(knob_, who() + " has " + key.str() + " = " + optionText(entry.getValue()) +
                                 "; a whole number of 64 bits is wanted");
      (key == "lower_bound" ? found_.least : found_.most.emplace()) = *number;
    }
    for (int64_t number : found_.divides)
      found_.most = std::min(found_.most.value_or(number), number);
    return llvm::Error::success();
  }

  KnobOp knob_;
  const SpaceOptions &options_;
  llvm::function_ref<bool(llvm::StringRef)> isKnob_;
  KnobOptions found_;
};

/// The divisors of `number` between the bounds. Only those up to the root are tried; the others are what they leave.
std::vector<int64_t> divisorsOf(int64_t number, int64_t least, int64_t most) {
  std::vector<int64_t> found;
  auto add = [&](int64_t value) {
    if (value >= least && value <= most)
      found.push_back(value);
    if (-value >= least && -value <= most)
      found.push_back(-value);
  };
  for (int64_t by = 1; by <= number / by; ++by)
    if (number % by == 0) {
      add(by);
      add(number / by);
    }
  return found;
}

} // namespace

Place placeOf(mlir::Operation *op) {
  SourcePosition position = positionOf(op->getLoc());
  return {.file = position.file, .line = position.line, .column = position.column};
}

llvm::Error failAt(mlir::Operation *op, const std::string &message) {
  Place place = placeOf(op);
  return fail("the schedule's space cannot be read", {{.severity = Diagnostic::Severity::Error,
                                                       .message = message,
                                                       .file = place.file,
                                                       .line = place.line,
                                                       .column = place.column}});
}

llvm::Expected<KnobOptions> readOptions(KnobOp knob, const SpaceOptions &options,
                                        llvm::function_ref<bool(llvm::StringRef name)> isKnob) {
  return Reader(knob, options, isKnob).read();
}

llvm::Expected<Domain> domainOf(mlir::Operation *op, const KnobOptions &options, int64_t most) {
  if (options.isList)
    return Domain::of(options.list);
  auto isMultiple = [&](int64_t value) {
    return llvm::all_of(options.divisibleBy, [&](int64_t by) { return value % by == 0; });
  };
  auto isDivisor = [&](int64_t value) {
    return value != 0 && llvm::all_of(options.divides, [&](int64_t of) { return of % value == 0; });
  };
  std::vector<int64_t> list;
  if (options.powerOfTwo) {
    for (int64_t value = 1; value > 0 && value <= most; value = static_cast<int64_t>(static_cast<uint64_t>(value) << 1))
      if (value >= options.least && isMultiple(value) && isDivisor(value))
        list.push_back(value);
    return Domain::of(std::move(list));
  }
  if (!options.divides.empty()) {
    int64_t common = 0;
    for (int64_t number : options.divides)
      common = std::gcd(common, number);
    if (common > kMostListed * kMostListed)
      return failAt(op, "a number of which this knob is a divisor is larger than 10^12; give options as a list");
    for (int64_t value : divisorsOf(common, options.least, most))
      if (isMultiple(value))
        list.push_back(value);
    return Domain::of(std::move(list));
  }
  __int128 step = 1;
  for (int64_t by : options.divisibleBy) {
    step = step / std::gcd(static_cast<int64_t>(step), by) * by;
    if (step > INT64_MAX)
      return failAt(op, "what this knob is divisible by has a least common multiple of more than 64 bits");
  }
  return Domain::multiples(options.least, most, static_cast<int64_t>(step));
}

} // namespace fuselage::tune
