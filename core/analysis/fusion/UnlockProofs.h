// Which transforms fuse an edge: tried, not guessed.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include <atomic>
#include <functional>

namespace fuselage {

struct UnlockProofOptions {
  /// Ops of all functions that are tried, so that it ends in well under a second; four times as many in copies with a
  /// few of many equal layers. Functions beyond that are left unproven.
  unsigned maxOps = 6000;
  /// Of many equal layers a few are tried, for all of them (ShortFunction). False: all are.
  bool fewLayers = true;
  /// Where the verdicts are on a copy, the op of the module that unlocks run on; null: it has none.
  std::function<mlir::Operation *(mlir::Operation *)> originalOf = [](mlir::Operation *op) { return op; };
  const std::atomic<bool> *cancelled = nullptr; ///< once true, no more is tried, and what was found out is void

  bool isCancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }
};

/// Fills in EdgeVerdict::proven and EdgeVerdict::tried: each transform that the reasons of a separate edge name, run by
/// itself on a copy of the edge's function; then fused or not, by the same policy. Where none does it alone, the
/// presets fusion-cleanup and fuse-all are tried. A transform runs once for all edges of a function. Run
/// one after the other, those listed for an edge fuse it, too. In a function with many equal layers they run on a few
/// of these, and hold for the others if neighbouring layers in the middle come out alike; else they run on all.
/// Functions of dialects that passes do not know have no unlocks. The module is not changed.
void proveUnlocks(llvm::MutableArrayRef<BodyVerdicts> bodies, const FusionPolicy &policy,
                  const UnlockProofOptions &options = {});

} // namespace fuselage
