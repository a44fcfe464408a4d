// What the unfused input computes on the host.
#pragma once
#include "core/run/reference/HostChain.h"
#include "core/run/reference/UnwrittenReads.h"

namespace fuselage {

struct ReferenceResults {
  std::vector<HostTensor> outputs;
  /// Not empty: they depend on memory that nobody wrote or on poison, and how, so that they show
  /// nothing of who computed them; both held zeros here.
  std::string meaningless{};
};

/// What a chain gives. `unwritten`: what may read memory that nobody wrote, as a sentence; empty:
/// nothing does. Where it may depend on chance, it is called twice, with zeros and with other
/// values in place of what is not known.
llvm::Expected<ReferenceResults> callTwice(const HostChain &chain, llvm::ArrayRef<HostTensor> arguments,
                                           const std::atomic<bool> *cancelled, const std::string &unwritten = {});
/// The same for results that a first call gave, without memory of zeros.
ReferenceResults checkChance(const HostChain &chain, llvm::ArrayRef<HostTensor> arguments, HostResults results,
                             const std::atomic<bool> *cancelled, const std::string &unwritten = {});

/// A function on the host: dispatches inlined, nothing fused.
class Reference {
public:
  /// Cuts the function into pieces; compile those before it runs.
  static llvm::Expected<Reference> plan(mlir::func::FuncOp function, HostPieces &pieces, const HostLimits &limits);
  llvm::Expected<ReferenceResults> run(llvm::ArrayRef<HostTensor> arguments, const std::atomic<bool> *cancelled) const;
  const HostChain &chain() const { return *chain_; }

private:
  std::unique_ptr<HostChain> chain_;
  std::string unwritten_; ///< what may read memory that nobody wrote; empty: nothing does
};

} // namespace fuselage
