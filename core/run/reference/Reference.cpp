#include "core/run/reference/Reference.h"
#include <cstring>

using namespace mlir;

namespace fuselage {

static llvm::Error cannotCompute(const std::string &function, llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  return fail("the reference of @" + function + " cannot be computed: " + failure.message, failure.diagnostics);
}

ReferenceResults checkChance(const HostChain &chain, ArrayRef<HostTensor> arguments, HostResults results,
                             const std::atomic<bool> *cancelled, const std::string &unwritten) {
  constexpr uint8_t other = 0x7f; // as floats of any width, nothing that a sum could absorb
  ReferenceResults checked{.outputs = std::move(results.values)};
  std::string suspect = results.poison.empty() ? unwritten : results.poison;
  if (suspect.empty())
    return checked;
  auto second = chain.call(arguments, cancelled, other);
  bool depends = !second; // such a value as an index, say
  if (second)
    for (auto [a, b] : llvm::zip_equal(checked.outputs, second->values))
      depends |= a.type() != b.type() || std::memcmp(a.data(), b.data(), a.byteCount()) != 0;
  else
    llvm::consumeError(second.takeError());
  if (depends)
    checked.meaningless = suspect + "; the results show nothing";
  return checked;
}

llvm::Expected<ReferenceResults> callTwice(const HostChain &chain, ArrayRef<HostTensor> arguments,
                                           const std::atomic<bool> *cancelled, const std::string &unwritten) {
  auto results = chain.call(arguments, cancelled, unwritten.empty() ? std::nullopt : std::optional<uint8_t>(0));
  if (!results)
    return results.takeError();
  return checkChance(chain, arguments, std::move(*results), cancelled, unwritten);
}

llvm::Expected<Reference> Reference::plan(func::FuncOp function, HostPieces &pieces, const HostLimits &limits) {
  Reference reference;
  if (std::optional<UnwrittenRead> suspect = findUnwrittenRead(function))
    reference.unwritten_ = describe(*suspect);
  auto chain = HostChain::plan(function, pieces, limits);
  if (!chain)
    return cannotCompute(function.getName().str(), chain.takeError());
  reference.chain_ = std::move(*chain);
  return reference;
}

llvm::Expected<ReferenceResults> Reference::run(ArrayRef<HostTensor> arguments,
                                                const std::atomic<bool> *cancelled) const {
  if (llvm::Error error = chain_->checkCompiled())
    return cannotCompute(chain_->name(), std::move(error));
  return callTwice(*chain_, arguments, cancelled, unwritten_);
}

} // namespace fuselage
