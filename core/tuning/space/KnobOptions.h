// The options of one transform.tune.knob.
#pragma once
#include "core/tuning/space/SpaceReader.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

namespace fuselage::tune {

/// A Failure with a diagnostic at `op`.
llvm::Error failAt(mlir::Operation *op, const std::string &message);
Place placeOf(mlir::Operation *op);

/// The options of a knob; those that depend on other knobs as their names.
struct KnobOptions {
  std::vector<int64_t> list;       ///< if `isList`
  std::vector<std::string> labels; ///< texts of options that are not numbers; `list` numbers them then
  bool isList = false, powerOfTwo = false;
  int64_t least = 1;
  std::optional<int64_t> most;
  std::vector<int64_t> divides, divisibleBy;
  std::vector<std::string> dividesKnobs, divisibleByKnobs; ///< names
};

/// `isKnob` distinguishes names of knobs from names of sizes.
llvm::Expected<KnobOptions> readOptions(mlir::transform::tune::KnobOp knob, const SpaceOptions &options,
                                        llvm::function_ref<bool(llvm::StringRef name)> isKnob);

/// The values between `options.least` and `most`. Fails if they are too many for a list.
llvm::Expected<Domain> domainOf(mlir::Operation *op, const KnobOptions &options, int64_t most);

} // namespace fuselage::tune
