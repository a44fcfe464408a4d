// What the unfused input computes on the host.
#pragma once
#include "core/runtime/host/HostChain.h"
#include "core/runtime/run/UnwrittenReads.h"

namespace fuselage {

struct ReferenceResults {
  std::vector<HostTensor> outputs;
  /// Not empty: they depend on memory that nobody wrote, and how; it held zeros here.
  std::string uninitialised{};
};

/// A function on the host: dispatches inlined, nothing fused.
class Reference {
public:
  /// Cuts the function into pieces; compile those before it runs.
  static llvm::Expected<Reference> plan(mlir::func::FuncOp function, HostPieces &pieces, const HostLimits &limits);
  llvm::Expected<ReferenceResults> run(llvm::ArrayRef<HostTensor> arguments, const std::atomic<bool> *cancelled) const;
  const HostChain &chain() const { return *chain_; }

private:
  std::unique_ptr<HostChain> chain_;
  std::string uninitialised_; ///< what may read memory that nobody wrote; empty: nothing does
};

} // namespace fuselage
