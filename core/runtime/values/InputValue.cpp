#include "core/runtime/values/InputValue.h"
#include "core/runtime/values/NpyFile.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

/// The number of "arg12"; nullopt for other names.
static std::optional<unsigned> argumentNumber(StringRef name) {
  unsigned number = 0;
  if (!name.consume_front("arg") || name.empty() || !llvm::all_of(name, llvm::isDigit) || name.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

static std::optional<double> asNumber(StringRef text) {
  double value = 0;
  if (text.empty() || text.getAsDouble(value))
    return std::nullopt;
  return value;
}

std::string checkInputForm(StringRef name, StringRef how) {
  if (!argumentNumber(name))
    return "takes ARGUMENT=VALUE, such as arg0=zeros, not '" + name.str() + (how.empty() ? "" : "=" + how.str()) + "'";
  bool isWord = llvm::is_contained({"random", "zeros", "ones", "iota", "true", "false"}, how);
  llvm::APInt integer;
  if (isWord || (how.size() > 1 && how.front() == '@') || asNumber(how) || !how.getAsInteger(10, integer))
    return "";
  return "takes for " + name.str() + " a number, true, false, random, zeros, ones, iota, or @ and the path of a .npy file, not '" +
         how.str() + "'";
}

/// Sets all elements of `tensor`, or of one part of its complex numbers, to a number.
static void setAll(const HostTensor &tensor, llvm::function_ref<double(int64_t)> number) {
  HostTensor values = tensor;
  int64_t count = tensor.elementCount(), step = 1;
  if (auto complex = llvm::dyn_cast<ComplexType>(tensor.elementType())) {
    step = 2; // imaginary parts stay 0
    values = tensor.reinterpret(RankedTensorType::get({2 * count}, complex.getElementType()));
  }
  for (int64_t i = 0; i < count; ++i)
    values.setFloat(i * step, number(i));
}

/// The elements as an arithmetic sequence of integers.
static void setIntegers(HostTensor &tensor, int64_t first, int64_t step) {
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    tensor.setInteger(i, first + step * i);
}

/// The integer that a text stands for in a type, or what is wrong with it.
static llvm::Expected<int64_t> integerFor(StringRef text, Type element) {
  if (text == "true" || text == "false")
    return text == "true";
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  llvm::APInt value;
  bool negative = text.consume_front("-");
  if (text.empty() || text.getAsInteger(10, value))
    return fail("takes whole numbers, not " + std::string(negative ? "-" : "") + text.str());
  value = value.zext(std::max(value.getBitWidth(), 129u) + 1);
  if (negative)
    value.negate();
  bool holds = element.isUnsignedInteger() ? !negative && value.isIntN(bits)
               : negative                  ? value.isSignedIntN(bits)
               : element.isSignedInteger() ? value.isSignedIntN(bits)
                                           : value.isIntN(bits); // signless: its bits count
  if (!holds || value.getSignificantBits() > 65)
    return fail("cannot hold " + std::string(negative ? "-" : "") + text.str());
  return value.trunc(64).getSExtValue();
}

/// All elements the same, as given.
static llvm::Error setToText(HostTensor &tensor, StringRef text) {
  Type element = tensor.elementType();
  if (!llvm::isa<FloatType, ComplexType>(element)) {
    auto value = integerFor(text, element);
    if (!value)
      return value.takeError();
    setIntegers(tensor, *value, 0);
    return llvm::Error::success();
  }
  std::optional<double> value = asNumber(text);
  if (!value)
    return fail("takes numbers, not '" + text.str() + "'");
  setAll(tensor, [&](int64_t) { return *value; });
  return llvm::Error::success();
}

/// Makes one argument.
static llvm::Expected<InputValue> makeInput(Type type, StringRef how, uint64_t seed, unsigned index,
                                            const InputDomain &domain) {
  InputValue input;
  input.source = how.str();
  Type element = getElementTypeOrSelf(type);
  bool isFloat = llvm::isa<FloatType, ComplexType>(element);
  if (how == "random") {
    auto tensor = randomTensor(type, seed, index, domain);
    if (!tensor)
      return tensor.takeError();
    input.tensor = std::move(*tensor);
    input.note = isFloat                                      ? "normal distribution"
                 : domain.bounded                             ? "uniform from " + std::to_string(domain.first) + " to " + std::to_string(domain.last)
                 : element.isIndex()                          ? "uniform from 0 to 7"
                 : element.isInteger(1)                       ? "either"
                                                              : "the whole range, with its edges";
    if (!domain.note.empty())
      input.note += ", " + domain.note;
    return input;
  }
  if (how.starts_with("@")) {
    auto tensor = readNpy(how.drop_front(), type);
    if (!tensor)
      return tensor.takeError();
    input.tensor = std::move(*tensor);
    auto number = llvm::dyn_cast<FloatType>(element);
    if (number && !element.isF16() && number.getWidth() < 32)
      input.note = npyTypeName(element) + " rounded to " + textOf(element);
    return input;
  }
  auto tensor = HostTensor::create(type);
  if (!tensor)
    return tensor.takeError();
  input.tensor = std::move(*tensor);
  if (how == "zeros")
    return input;
  if (how == "iota") {
    if (isFloat)
      setAll(input.tensor, [](int64_t i) { return double(i); });
    else
      setIntegers(input.tensor, 0, 1);
    return input;
  }
  if (llvm::Error error = setToText(input.tensor, how == "ones" ? "1" : how))
    return error;
  return input;
}

llvm::Expected<std::vector<InputValue>> makeInputs(func::FuncOp function, uint64_t seed,
                                                   const std::map<std::string, std::string> &how) {
  unsigned count = function.getNumArguments();
  std::string name = "@" + function.getName().str();
  std::vector<std::string> asked(count, "random");
  for (const auto &[argument, text] : how) {
    if (std::string complaint = checkInputForm(argument, text); !complaint.empty())
      return fail("an input " + complaint);
    unsigned number = *argumentNumber(argument);
    if (number >= count)
      return fail("the input '" + argument + "' names no argument of " + name +
                  (count == 0   ? ", which has none"
                   : count == 1 ? "; its only argument is arg0"
                                : "; its arguments are arg0 to arg" + std::to_string(count - 1)));
    asked[number] = text;
  }
  std::vector<InputDomain> domains = inputDomainsOf(function);
  std::vector<InputValue> inputs;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto input = makeInput(type, asked[index], seed, index, domains[index]);
    if (!input) {
      std::string why = takeFailure(input.takeError()).message;
      return fail("arg" + std::to_string(index) + " of " + name + ", a " + textOf(type) + ", " +
                  (asked[index] == "random" ? "cannot be made up: " : StringRef(asked[index]).starts_with("@") ? "cannot be given: " : "") + why);
    }
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

} // namespace fuselage
