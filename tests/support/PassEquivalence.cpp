#include "PassEquivalence.h"
// HostTensor.h relies on the precompiled header for this one.
#include "mlir/IR/TypeUtilities.h"

#include "core/runtime/HostJit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include <cmath>
#include <random>

using namespace mlir;

namespace fuselage::test {

/// Random values: small integers, floats around zero.
static llvm::Expected<HostTensor> randomTensor(Type type, std::mt19937 &random) {
  llvm::Expected<HostTensor> tensor = HostTensor::create(type);
  if (!tensor)
    return tensor;
  Type element = tensor->elementType();
  bool isBool = element.isInteger(1);
  for (int64_t i = 0; i < tensor->elementCount(); ++i)
    if (isa<FloatType>(element))
      tensor->setFloat(i, double(random() % 2001) / 1000.0 - 1.0);
    else
      tensor->setInteger(i, isBool ? random() % 2 : int64_t(random() % 15) - 7);
  return tensor;
}

/// `type` with its dynamic dimensions taken from the front of `shapes`.
static Type withSizes(Type type, llvm::ArrayRef<int64_t> &shapes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  SmallVector<int64_t> sizes(tensor.getShape());
  for (int64_t &size : sizes)
    if (ShapedType::isDynamic(size)) {
      size = shapes.front();
      shapes = shapes.drop_front();
    }
  return RankedTensorType::get(sizes, tensor.getElementType());
}

/// The largest difference of two results relative to the largest element; a message in `problem`.
static double compare(const HostTensor &expected, const HostTensor &actual, std::string &problem) {
  if (expected.type() != actual.type()) {
    problem = "the results' types differ";
    return 0;
  }
  bool isFloat = isa<FloatType>(expected.elementType());
  double largest = 0, difference = 0;
  for (int64_t i = 0; i < expected.elementCount(); ++i) {
    double a = isFloat ? expected.floatAt(i) : double(expected.integerAt(i));
    double b = isFloat ? actual.floatAt(i) : double(actual.integerAt(i));
    if (a == b || (std::isnan(a) && std::isnan(b)))
      continue;
    if (!isFloat || !std::isfinite(a) || !std::isfinite(b)) {
      problem = "element " + std::to_string(i) + " is " + std::to_string(b) + " instead of " +
                std::to_string(a);
      return 0;
    }
    difference = std::max(difference, std::abs(a - b));
  }
  for (int64_t i = 0; isFloat && i < expected.elementCount(); ++i)
    largest = std::max(largest, std::abs(expected.floatAt(i)));
  return largest == 0 ? difference : difference / largest;
}

Equivalence checkEquivalence(Session &session, StringRef source,
                             llvm::function_ref<void(OpPassManager &)> addPasses, unsigned seed,
                             double tolerance, llvm::ArrayRef<int64_t> shapes,
                             llvm::function_ref<std::string(ModuleOp)> inspect) {
  Equivalence outcome;
  auto failWith = [&](llvm::Error error) {
    outcome.problem = llvm::toString(std::move(error));
    return outcome;
  };
  auto module = session.parse(source, "dispatch.mlir");
  if (!module)
    return failWith(module.takeError());
  auto function = (*module)->lookupSymbol<func::FuncOp>("dispatch");
  std::mt19937 random(seed);
  std::vector<HostTensor> inputs;
  for (Type type : function.getArgumentTypes()) {
    auto tensor = randomTensor(withSizes(type, shapes), random);
    if (!tensor)
      return failWith(tensor.takeError());
    inputs.push_back(*tensor);
  }
  auto before = HostProgram::compile(**module, {.jit = {.optLevel = 0}});
  if (!before)
    return failWith(before.takeError());

  PassManager passes(&session.context());
  addPasses(passes);
  DiagnosticCapture capture(session.context());
  bool passed = succeeded(passes.run(**module));
  llvm::raw_string_ostream(outcome.after) << **module;
  if (!passed) {
    outcome.problem = "the passes failed";
    for (const Diagnostic &diagnostic : capture.take())
      outcome.problem += "\n" + formatDiagnostic(diagnostic);
    return outcome;
  }
  if (inspect)
    if (std::string found = inspect(**module); !found.empty()) {
      outcome.problem = found;
      return outcome;
    }
  auto after = HostProgram::compile(**module, {.jit = {.optLevel = 0}});
  if (!after)
    return failWith(after.takeError());
  auto expected = (*before)->call("dispatch", inputs);
  if (!expected)
    return failWith(expected.takeError());
  auto actual = (*after)->call("dispatch", inputs);
  if (!actual)
    return failWith(actual.takeError());
  for (unsigned i = 0; i < expected->size() && outcome.problem.empty(); ++i) {
    double error = compare((*expected)[i], (*actual)[i], outcome.problem);
    outcome.largestError = std::max(outcome.largestError, error);
    if (outcome.problem.empty() && error > tolerance)
      outcome.problem = "result " + std::to_string(i) + " is off by " + std::to_string(error) +
                        " of its largest element";
    else if (!outcome.problem.empty())
      outcome.problem = "result " + std::to_string(i) + ": " + outcome.problem;
  }
  return outcome;
}

} // namespace fuselage::test
