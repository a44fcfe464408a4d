#include "core/run/values/InputValue.h"
#include "core/device/HostProcessor.h"
#include "core/ir/module/WorkerContexts.h"
#include "core/ir/ops/ElementBounds.h"
#include "core/ir/ops/WrittenTypes.h"
#include "core/run/values/NpyFile.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cmath>
#include <thread>
#include <unistd.h>

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
  bool isWord = llvm::is_contained({"random", "integers", "zeros", "ones", "iota", "true", "false"}, how);
  llvm::APInt integer;
  if (isWord || (how.size() > 1 && how.front() == '@') || asNumber(how) || !how.getAsInteger(10, integer))
    return "";
  return "takes for " + name.str() +
         " a number, true, false, random, integers, zeros, ones, iota, or @ and the path of a .npy file, not '" +
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

bool InputValue::isGiven() const {
  bool isMade = llvm::is_contained({"random", "integers", "zeros", "ones", "iota"}, source);
  return StringRef(source).starts_with("@") || (tensor.isScalar() && !isMade);
}

/// Whole numbers from -4 to 4.
static llvm::Error setSmall(HostTensor &tensor, uint64_t seed, uint64_t index) {
  InputDomain small;
  small.bounded = true;
  small.first = -4;
  small.last = 4;
  auto numbers =
      randomTensor(RankedTensorType::get({tensor.elementCount()}, IntegerType::get(tensor.type().getContext(), 8)),
                   seed, index, small);
  if (!numbers)
    return numbers.takeError();
  setAll(tensor, [&](int64_t i) { return double(numbers->integerAt(i)); });
  return llvm::Error::success();
}

/// Makes one argument.
static llvm::Expected<InputValue> makeInput(Type type, StringRef how, uint64_t seed, uint64_t index,
                                            const InputDomain &domain) {
  InputValue input;
  input.source = how.str();
  Type element = getElementTypeOrSelf(type);
  bool isFloat = llvm::isa<FloatType, ComplexType>(element);
  if (how == "integers" && !isFloat)
    input.source = (how = "random").str();
  if (how == "random") {
    auto tensor = HostTensor::createSealable(type); // filled later, on all processors
    if (!tensor)
      return tensor.takeError();
    input.tensor = std::move(*tensor);
    input.note = isFloat           ? "normal distribution"
                 : domain.countsUp ? "0, 1, 2, .. along the last dimension"
                 : domain.bounded && domain.first == domain.last
                     ? "the only value that its sizes allow: " + std::to_string(domain.first)
                 : domain.bounded
                     ? "uniform from " + std::to_string(domain.first) + " to " + std::to_string(domain.last)
                 : element.isIndex()    ? "uniform from 0 to 7"
                 : element.isInteger(1) ? "either"
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
  if (how == "integers") {
    input.note = "whole numbers from -4 to 4, which add up exactly in any order";
    if (llvm::Error error = setSmall(input.tensor, seed, index))
      return error;
    return input;
  }
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

/// A Failure where an integer is none that the program says it takes: it would read outside of a table.
static llvm::Error checkBounds(BlockArgument argument, const HostTensor &tensor) {
  std::optional<ElementBounds> bounds = elementBounds(argument);
  if (!bounds || !tensor.elementType().isIntOrIndex())
    return llvm::Error::success();
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    if (int64_t value = tensor.integerAt(i); value < bounds->least || value > bounds->greatest)
      return fail("holds " + std::to_string(value) + " at element " + std::to_string(i) + ", but the program takes " +
                  std::to_string(bounds->least) +
                  (bounds->least == bounds->greatest ? " alone" : " to " + std::to_string(bounds->greatest)));
  return llvm::Error::success();
}

/// Fills what is random, on all processors: the weights of a model are many.
static void fillAll(std::vector<InputValue> &inputs, ArrayRef<unsigned> random, uint64_t seed,
                    ArrayRef<InputDomain> domains, const std::atomic<bool> *cancelled) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < random.size(); i = next++) {
      unsigned index = random[i];
      fillRandomly(inputs[index].tensor, seed, index, domains[index], cancelled);
      inputs[index].tensor.seal();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < processorCount() && random.size() > 1; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

/// Bytes of a value of static shape in host memory; as many as there can be where they cannot be
/// counted.
static uint64_t hostBytes(Type type) {
  uint64_t bytes = hostElementBytes(getElementTypeOrSelf(type));
  if (auto shaped = llvm::dyn_cast<ShapedType>(type))
    for (int64_t size : shaped.hasStaticShape() ? shaped.getShape() : ArrayRef<int64_t>())
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, size);
  return bytes;
}

/// Arguments, and results twice, as there is a reference: a Failure before they are made, if that
/// is more than the machine has.
static llvm::Error checkMemory(func::FuncOp function, const llvm::BitVector *wanted) {
  uint64_t arguments = 0, results = 0, machine = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!wanted || wanted->test(unsigned(index)))
      arguments = llvm::SaturatingAdd(arguments, hostBytes(type));
  for (Type type : function.getResultTypes())
    results = llvm::SaturatingAdd(results, hostBytes(type));
  if (llvm::SaturatingAdd(arguments, results, results) <= machine)
    return llvm::Error::success();
  auto gibibytes = [](uint64_t bytes) { return llvm::formatv("{0:f1} GiB", double(bytes) / double(1 << 30)).str(); };
  return fail("@" + function.getName().str() + " takes " + gibibytes(arguments) + " of arguments and gives " +
              gibibytes(results) + " of results, which a check needs twice; this machine has " + gibibytes(machine) +
              ": make its shapes smaller");
}

llvm::Expected<std::vector<InputValue>> makeInputs(func::FuncOp function, uint64_t seed,
                                                   const std::map<std::string, std::string> &how,
                                                   std::vector<std::optional<InputValue>> given,
                                                   const std::atomic<bool> *cancelled, const llvm::BitVector *wanted) {
  if (llvm::Error error = checkMemory(function, wanted))
    return error;
  unsigned count = function.getNumArguments();
  std::string name = "@" + function.getName().str();
  std::vector<std::string> asked(count, "random");
  given.resize(count);
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
    given[number].reset();
  }
  std::vector<InputDomain> domains = inputDomainsOf(function);
  std::vector<InputValue> inputs;
  SmallVector<unsigned> random;
  for (auto [index, argument] : llvm::enumerate(function.getArguments())) {
    if (wanted && !wanted->test(unsigned(index))) {
      inputs.emplace_back();
      continue;
    }
    std::string what = "arg" + std::to_string(index) + " of " + name + ", a " + textOf(writtenType(argument)) + ", ";
    llvm::Expected<InputValue> input =
        given[index] ? std::move(*given[index])
                     : makeInput(writtenType(argument), asked[index], seed, index, domains[index]);
    if (!input) {
      std::string why = takeFailure(input.takeError()).message;
      return fail(what +
                  (asked[index] == "random"                   ? "cannot be made up: "
                   : StringRef(asked[index]).starts_with("@") ? "cannot be given: "
                                                              : "") +
                  why);
    }
    bool isRandom = input->source == "random";
    if (isRandom)
      random.push_back(index);
    else if (llvm::Error error = checkBounds(argument, input->tensor))
      return fail(what + takeFailure(std::move(error)).message);
    if (input->tensor.type() != argument.getType()) // unsigned numbers: the same bits
      input->tensor = input->tensor.reinterpret(argument.getType());
    inputs.push_back(std::move(*input));
  }
  fillAll(inputs, random, seed, domains, cancelled);
  if (cancelled && cancelled->load())
    return fail("cancelled");
  return inputs;
}

} // namespace fuselage
