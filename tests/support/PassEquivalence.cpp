#include "PassEquivalence.h"
// HostTensor.h relies on the precompiled header for this one.
#include "mlir/IR/TypeUtilities.h"

#include "core/run/reference/HostProgram.h"
#include "core/run/values/RandomInputs.h"
#include "core/run/values/RoundingErrors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace fuselage::test {

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

/// The looser of what the functions before and after may be off by: passes move roundings about.
static ErrorBound looser(const ErrorBound &a, const ErrorBound &b) {
  return {.relative = std::max(a.relative, b.relative),
          .ofTypical = std::max(a.ofTypical, b.ofTypical),
          .smallest = std::max(a.smallest, b.smallest),
          .intended = {.infinities = a.intended.infinities || b.intended.infinities}};
}

Equivalence checkEquivalence(Session &session, StringRef source, llvm::function_ref<void(OpPassManager &)> addPasses,
                             unsigned seed, llvm::ArrayRef<int64_t> shapes,
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
  std::vector<HostTensor> inputs;
  std::vector<InputDomain> domains = inputDomainsOf(function);
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = randomTensor(withSizes(type, shapes), seed, index, domains[index]);
    if (!tensor)
      return failWith(tensor.takeError());
    inputs.push_back(*tensor);
  }
  std::vector<ErrorBound> bounds = errorBoundsOf(function);
  auto before = HostProgram::compile(**module, {.compile = {.optLevel = 0}});
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
  function = (*module)->lookupSymbol<func::FuncOp>("dispatch");
  std::vector<ErrorBound> boundsAfter = errorBoundsOf(function);
  auto after = HostProgram::compile(**module, {.compile = {.optLevel = 0}});
  if (!after)
    return failWith(after.takeError());
  auto expected = (*before)->call("dispatch", inputs);
  if (!expected)
    return failWith(expected.takeError());
  auto actual = (*after)->call("dispatch", inputs);
  if (!actual)
    return failWith(actual.takeError());
  for (unsigned i = 0; i < expected->size() && outcome.problem.empty(); ++i) {
    Comparison result = compareTensors((*actual)[i], (*expected)[i], looser(bounds[i], boundsAfter[i]));
    outcome.largestError = std::max(outcome.largestError, result.maxRelError);
    if (!result.ok())
      outcome.problem = "result " + std::to_string(i) + ": " + result.why;
  }
  return outcome;
}

} // namespace fuselage::test
