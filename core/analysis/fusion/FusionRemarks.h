// Verdicts as MLIR remarks, so that a compiler's CI can track missed fusions.
#pragma once
#include "core/analysis/costs/DeviceRates.h"
#include "core/analysis/fusion/FusionVerdicts.h"

namespace fuselage {

/// Memory bandwidth that estimates go by where none was measured.
inline constexpr double kDefaultGbps = kAssumedGbps;

struct FusionRemarkOptions {
  bool missedOnly = false;
  double gbps = kDefaultGbps;
};

/// Emits a remark per edge at its consumer. They go to the context's RemarkEngine if it wants any of them
/// (category `fusion`, name = reason or verdict, missed or passed), else they are diagnostics.
void emitFusionRemarks(llvm::ArrayRef<BodyVerdicts> bodies, const FusionRemarkOptions &options);

/// Writes the remarks to `path` as YAML. Fails if the file cannot be written.
llvm::Error writeFusionRemarks(mlir::MLIRContext &context, llvm::ArrayRef<BodyVerdicts> bodies,
                               const FusionRemarkOptions &options, llvm::StringRef path);

/// Microseconds that `bytes` take at `gbps` GB/s; -1 for -1.
double estimateMicroseconds(int64_t bytes, double gbps);

} // namespace fuselage
