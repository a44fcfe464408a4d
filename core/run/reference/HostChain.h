// A function on the host as a chain of small programs: equal ones compile once, all processors compile.
#pragma once
#include "core/codegen/host/safety/PoisonChecks.h"
#include "core/run/reference/HostPieces.h"
#include "core/run/values/Compare.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// A function cut at its ops: each structured op with what it writes into is a program, and so is each run of others
/// between them. What the function means does not change: nothing is fused, no order is changed, and values go from
/// program to program in memory. Layers that repeat, and equal dispatches, share their programs.
class HostChain {
public:
  /// Cuts a copy of the module that holds `function`; flow.dispatch.region ops are inlined back,
  /// checks stand before ops that may go wrong (HostChecks.h), and poison is noticed
  /// (PoisonChecks.h). Compile `pieces` before the first call. Failure: what no program may do.
  static llvm::Expected<std::unique_ptr<HostChain>> plan(mlir::func::FuncOp function, HostPieces &pieces,
                                                         const HostLimits &limits = {});

  /// Why a piece could not be compiled, if one could not.
  llvm::Error checkCompiled() const;

  /// One call to make.
  struct Call {
    const HostChain *chain = nullptr;
    llvm::ArrayRef<HostTensor> arguments{};
    /// Every value on the way, arguments too, is one rounding off (Neighbours.h).
    bool roundedOtherwise = false;
    /// Denormal numbers count as zero, as operands and as results.
    bool flushesDenormals = false;
  };
  /// Runs calls one after the other, in one copy of the process that can do nothing but compute. Results may share
  /// the memory of an argument that they equal. Failure: of each call by itself. Several threads may do so at once if
  /// they give the same lock: results get types of the session's context.
  static std::vector<llvm::Expected<HostResults>> callAll(llvm::ArrayRef<Call> calls,
                                                          const std::atomic<bool> *cancelled,
                                                          std::optional<uint8_t> fill = {}, std::mutex *lock = nullptr);
  llvm::Expected<HostResults> call(llvm::ArrayRef<HostTensor> arguments, const std::atomic<bool> *cancelled,
                                   std::optional<uint8_t> fill = {}) const;

  const std::string &name() const { return name_; }
  /// Computes the results that it gave for `arguments` twice more: with other roundings, which
  /// tells how large the terms were that they were added up from (Neighbours.h; 0 where nothing is
  /// to be had), and without denormal numbers.
  OtherReference computeOtherwise(llvm::ArrayRef<HostTensor> arguments, llvm::ArrayRef<HostTensor> results,
                                  const std::atomic<bool> *cancelled) const;

private:
  friend class ChainPlanner;
  friend class ChainInCopy;
  /// A program and the values that it takes and gives; without one, `outputs` is `inputs` under another shape.
  struct Step {
    HostPiece *piece = nullptr;
    llvm::SmallVector<unsigned> inputs{}, outputs{}, dead{}; ///< values by number; dead: nobody uses them any more
    llvm::SmallVector<int64_t> shape{};
    std::vector<PoisonSite> sites{}; ///< of the program, by number
  };

  static llvm::Expected<HostResults> readResults(const Call &call, int file);
  /// The largest unit roundoff of the values that it takes, hands on and gives; 0 where none is a float.
  double roundoff() const;

  std::string name_;
  mlir::FunctionType type_;
  HostLimits limits_{};
  std::vector<Step> steps_;
  unsigned valueCount_ = 0; ///< arguments first, then constants, then what steps give
  std::vector<HostTensor> constants_;
  llvm::SmallVector<unsigned> results_;
};

} // namespace fuselage
