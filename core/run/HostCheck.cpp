#include "core/run/HostCheck.h"
#include "core/analysis/costs/Costs.h"
#include "core/dialects/flow/Flow.h"
#include "core/run/Specialize.h"
#include "core/run/reference/Reference.h"
#include "core/run/values/InputValue.h"
#include "core/run/values/RoundingErrors.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace fuselage {

std::shared_ptr<HostPieces> makeHostPieces(MLIRContext &context, const HostCheckOptions &options) {
  return std::make_shared<HostPieces>(
      context,
      HostProgramOptions{.compile = {.limits = options.limits, .checks = false}, .cancelled = options.cancelled});
}

/// A function that can be run, its pieces compiled on all processors.
static llvm::Expected<Reference> compile(ModuleOp module, const std::string &name, HostPieces &pieces,
                                         const HostCheckOptions &options) {
  auto reference = Reference::plan(module.lookupSymbol<func::FuncOp>(name), pieces, options.limits);
  if (reference)
    pieces.compile();
  return reference;
}

llvm::Expected<HostReference> HostReference::run(ModuleOp before, const HostCheckOptions &options) {
  auto picked = pickFunction(before, options.function);
  if (!picked)
    return picked.takeError();
  HostReference reference;
  reference.options_ = options;
  reference.options_.function = picked->getName().str();
  reference.options_.sizes = withDefaults(*picked, options.sizes, options.inputs);
  auto program = specialize(*picked, reference.options_.sizes);
  if (!program)
    return program.takeError();
  auto function = (*program)->lookupSymbol<func::FuncOp>(reference.options_.function);
  auto inputs = makeInputs(function, options.seed, options.inputs, {}, options.cancelled);
  if (!inputs)
    return inputs.takeError();
  bool inputsGiven = llvm::all_of(*inputs, [](const InputValue &input) { return input.isGiven(); });
  for (InputValue &input : *inputs)
    reference.arguments_.push_back(std::move(input.tensor));
  reference.pieces_ = options.pieces ? options.pieces : makeHostPieces(*before.getContext(), options);
  auto plain = compile(**program, reference.options_.function, *reference.pieces_, options);
  if (!plain)
    return plain.takeError();
  reference.plain_ = std::make_shared<Reference>(std::move(*plain));
  auto expected = reference.plain_->run(reference.arguments_, options.cancelled);
  if (!expected)
    return expected.takeError();
  if (!expected->meaningless.empty())
    return fail(expected->meaningless);
  reference.expected_ = std::move(expected->outputs);
  reference.bounds_ = errorBoundsOf(function);
  fitBounds(reference.bounds_, inputsGiven, /*keepsDenormals=*/true);
  reference.limits_ = hostLimitsFor(**program, options.limits);
  return reference;
}

llvm::Expected<HostCheck> HostReference::check(ModuleOp after) const {
  HostCheck check{.function = options_.function};
  auto changed = pickFunction(after, check.function);
  if (!changed)
    return changed.takeError();
  auto program = specialize(*changed, options_.sizes);
  if (!program)
    return program.takeError();
  // What it has in common with the reference is compiled already.
  auto compiled = compile(**program, check.function, *pieces_, options_);
  if (!compiled)
    return compiled.takeError();
  auto computed = compiled->run(arguments_, options_.cancelled);
  if (!computed)
    return computed.takeError();
  return compare(computed->outputs);
}

llvm::Expected<HostCheck> HostReference::compare(ArrayRef<HostTensor> actual) const {
  HostCheck check{.function = options_.function};
  if (actual.size() != expected_.size())
    return fail("@" + check.function + " has another number of results than before");
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(actual, expected_)))
    if (std::get<0>(pair).type() != std::get<1>(pair).type())
      return fail("result " + std::to_string(index) + " of @" + check.function + " has another type than before");
  std::vector<Comparison> results = compareResults(actual, expected_, bounds_, [&] {
    return plain_->chain().computeOtherwise(arguments_, expected_, options_.cancelled);
  });
  for (auto [index, result] : llvm::enumerate(results)) {
    check.maxAbsError = std::max(check.maxAbsError, result.maxAbsError);
    check.maxRelError = std::max(check.maxRelError, result.maxRelError);
    if (result.verdict == CheckVerdict::NotComparable)
      return fail("the results cannot be compared: of result " + std::to_string(index) + " of @" + check.function +
                  ", " + result.why);
    check.ok &= result.ok();
  }
  return check;
}

llvm::Expected<HostCheck> checkOnHost(ModuleOp before, ModuleOp after, const HostCheckOptions &options) {
  auto reference = HostReference::run(before, options);
  if (!reference)
    return reference.takeError();
  return reference->check(after);
}

int64_t estimateHostFlops(ModuleOp module, llvm::StringRef name) {
  auto function = pickFunction(module, name);
  if (!function) {
    llvm::consumeError(function.takeError());
    return -1;
  }
  int64_t total = 0;
  function->walk([&](Operation *op) {
    if (!isa<linalg::LinalgOp, flow::AttentionOp>(op))
      return;
    int64_t flops = costOf(op).flops;
    total = total < 0 || flops < 0 ? -1 : total + flops;
  });
  return total;
}

} // namespace fuselage
