#include "core/runtime/HostCheck.h"
#include "core/analysis/Costs.h"
#include "core/runtime/Compare.h"
#include "core/runtime/HostJit.h"
#include "core/runtime/RandomInputs.h"
#include "core/runtime/Specialize.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace fuselage {

/// Compiles one function of the module and calls it.
static llvm::Expected<std::vector<HostTensor>> runOnce(ModuleOp module, llvm::ArrayRef<HostTensor> arguments,
                                                       llvm::StringRef name) {
  auto program = HostProgram::compile(module);
  if (!program)
    return program.takeError();
  return (*program)->call(name, arguments);
}

llvm::Expected<HostCheck> checkOnHost(ModuleOp before, ModuleOp after, const HostCheckOptions &options) {
  auto picked = pickFunction(before, options.function);
  if (!picked)
    return picked.takeError();
  HostCheck check{.function = picked->getName().str()};
  auto changed = pickFunction(after, check.function);
  if (!changed)
    return changed.takeError();
  auto reference = specialize(*picked, options.sizes);
  if (!reference)
    return reference.takeError();
  auto program = specialize(*changed, options.sizes);
  if (!program)
    return program.takeError();
  auto function = (*reference)->lookupSymbol<func::FuncOp>(check.function);
  auto arguments = randomArguments(function, options.seed);
  if (!arguments)
    return arguments.takeError();
  auto expected = runOnce(**reference, *arguments, check.function);
  if (!expected)
    return expected.takeError();
  auto actual = runOnce(**program, *arguments, check.function);
  if (!actual)
    return actual.takeError();
  if (actual->size() != expected->size())
    return fail("@" + check.function + " has another number of results than before");
  double tolerance = toleranceWithin(function);
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(*actual, *expected))) {
    auto &[is, was] = pair;
    if (is.type() != was.type())
      return fail("result " + std::to_string(index) + " of @" + check.function + " has another type than before");
    Comparison result = compareTensors(is, was, tolerance);
    check.maxAbsError = std::max(check.maxAbsError, result.maxAbsError);
    check.maxRelError = std::max(check.maxRelError, result.maxRelError);
    check.ok &= result.ok;
  }
  return check;
}

int64_t estimateHostFlops(ModuleOp module, llvm::StringRef name) {
  auto function = pickFunction(module, name);
  if (!function) {
    llvm::consumeError(function.takeError());
    return -1;
  }
  int64_t total = 0;
  function->walk([&](linalg::LinalgOp op) {
    int64_t flops = costOf(op).flops;
    total = total < 0 || flops < 0 ? -1 : total + flops;
  });
  return total;
}

} // namespace fuselage
