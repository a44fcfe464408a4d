#include "core/runtime/run/Reference.h"

using namespace mlir;

namespace fuselage {

static llvm::Error cannotCompute(const std::string &function, llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  return fail("the reference of @" + function + " cannot be computed: " + failure.message, failure.diagnostics);
}

llvm::Expected<Reference> Reference::plan(func::FuncOp function, HostPieces &pieces, const HostLimits &limits) {
  Reference reference;
  if (std::optional<UnwrittenRead> suspect = findUnwrittenRead(function))
    reference.uninitialised_ = describe(*suspect);
  auto chain = HostChain::plan(function, pieces, limits);
  if (!chain)
    return cannotCompute(function.getName().str(), chain.takeError());
  reference.chain_ = std::move(*chain);
  return reference;
}

llvm::Expected<ReferenceResults> Reference::run(ArrayRef<HostTensor> arguments, const std::atomic<bool> *cancelled) const {
  if (llvm::Error error = chain_->checkCompiled())
    return cannotCompute(chain_->name(), std::move(error));
  bool depends = false;
  auto results = uninitialised_.empty() ? chain_->call(arguments, cancelled)
                                        : callOnFreshMemory(*chain_, arguments, cancelled, depends);
  if (!results)
    return results.takeError();
  ReferenceResults reference{.outputs = std::move(*results)};
  if (depends)
    reference.uninitialised = uninitialised_;
  return reference;
}

} // namespace fuselage
