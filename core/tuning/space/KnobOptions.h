// The options of one transform.tune.knob.
#pragma once
#include "core/tuning/space/SpaceReader.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

namespace fuselage::tune {

/// A Failure whose diagnostic stands at `op`.
llvm::Error failAt(mlir::Operation *op, const std::string &message);
Place placeOf(mlir::Operation *op);

/// Options as far as they need no other knob.
struct KnobOptions {
  std::vector<int64_t> list;       ///< where `isList`
  std::vector<std::string> labels; ///< of options that are no numbers; then `list` is their numbers
  bool isList = false, powerOfTwo = false;
  int64_t least = 1;
  std::optional<int64_t> most;
  std::vector<int64_t> divides, divisibleBy;
  std::vector<std::string> dividesKnobs, divisibleByKnobs; ///< names
};

/// `isKnob` tells names of knobs from those of sizes.
llvm::Expected<KnobOptions> readOptions(mlir::transform::tune::KnobOp knob, const SpaceOptions &options,
                                        llvm::function_ref<bool(llvm::StringRef name)> isKnob);

/// The values between `options.least` and `most`. Failure: there are too many to list them.
llvm::Expected<Domain> domainOf(mlir::Operation *op, const KnobOptions &options, int64_t most);

} // namespace fuselage::tune
