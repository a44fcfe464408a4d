// Do two modules compute the same? Runs both on the host, on the same inputs.
#pragma once
#include "core/run/reference/Reference.h"
#include "core/run/values/Compare.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace fuselage {

struct HostCheckOptions {
  std::string function; ///< empty: the first public function with a body
  uint64_t seed = 1;
  std::map<std::string, int64_t> sizes{};      ///< dynamic sizes: "arg0.1" -> 128
  std::map<std::string, std::string> inputs{}; ///< "arg0" -> "zeros", see InputValue.h; else random
  HostLimits limits{};                         ///< of each of the two runs
  const std::atomic<bool> *cancelled = nullptr;
  /// Compiled pieces that several references share, see makeHostPieces(); null: each has its own.
  std::shared_ptr<HostPieces> pieces{};
};

/// For programs that have most of their ops in common, which are compiled once then.
std::shared_ptr<HostPieces> makeHostPieces(mlir::MLIRContext &context, const HostCheckOptions &options);

/// Errors as in Comparison, the worst of all results.
struct HostCheck {
  std::string function{};
  double maxAbsError = 0, maxRelError = 0;
  bool ok = true; ///< each result is within the bound of the ops that led to it before
};

/// What a module computes of its inputs, to compare others with.
class HostReference {
public:
  /// Runs the function. Failure: no such function, a size is missing, it cannot be run here, or it
  /// depends on memory that nobody wrote or on poison, so that no difference to it is anybody's
  /// fault.
  static llvm::Expected<HostReference> run(mlir::ModuleOp before, const HostCheckOptions &options);
  /// Runs the same function of another module on the same inputs. Failure: it cannot be run here, has
  /// results of other types, or the results of both are so full of NaN and infinities that they show nothing.
  llvm::Expected<HostCheck> check(mlir::ModuleOp after) const;
  /// The same where others ran it: compares what they got. Failure: as above.
  llvm::Expected<HostCheck> compare(llvm::ArrayRef<HostTensor> actual) const;

  const HostCheckOptions &options() const { return options_; } ///< with the function and all sizes
  llvm::ArrayRef<HostTensor> arguments() const { return arguments_; }
  llvm::ArrayRef<HostTensor> expected() const { return expected_; }
  /// What a run of the function may use up here.
  const HostLimits &limits() const { return limits_; }

private:
  HostCheckOptions options_;
  std::shared_ptr<HostPieces> pieces_{};
  std::shared_ptr<Reference> plain_{}; ///< what is expected is computed by
  std::vector<HostTensor> arguments_{}, expected_{};
  std::vector<ErrorBound> bounds_{}; ///< of the results before
  HostLimits limits_{};
};

/// A function that needs no more than this is checked in a few seconds; beyond, somebody should ask for it.
inline constexpr int64_t kQuickCheckFlops = 4'000'000'000;

/// Both in one.
llvm::Expected<HostCheck> checkOnHost(mlir::ModuleOp before, mlir::ModuleOp after, const HostCheckOptions &options);

/// Floating-point operations of the linalg ops of a function as it stands; -1 where sizes are not known.
/// The host's reference computes some 10^9 a second.
int64_t estimateHostFlops(mlir::ModuleOp module, llvm::StringRef function);

} // namespace fuselage
