// What `fuselage fuse` tells about what it did.
#pragma once
#include "core/analysis/fusion/EdgeFusion.h"
#include "core/analysis/fusion/FuseAll.h"
#include "core/run/HostCheck.h"
#include "core/transforms/foreign/PortableDispatches.h"

namespace fuselage::cli {

struct FuseReport {
  std::string policy{}, what{}; ///< what was asked for: "edge 9:12", "all", "clean-up"
  bool fused = false;           ///< of an edge: whether it is, now
  std::vector<FusionStep> steps{};
  std::vector<std::string> passes{};  ///< what was run: textual pipelines of one pass each; empty: nothing was done
  std::string pipeline{};             ///< the same as one
  std::vector<std::string> dropped{}; ///< parts of `all` or `clean-up` that were taken back, and why
  FusionCost before{}, after{};       ///< of the whole module, predicted
  std::string device{};               ///< on which `times` were measured
  std::optional<FusionTimes> times{};
  std::vector<FusionPart> parts{};    ///< as measured
  DeviceRates rates{};                ///< by which microseconds are predicted
  std::vector<std::string> reasons{}; ///< why it is not fused
  unsigned tries = 0;
  std::vector<std::string> tried{}; ///< where it is not fused
  bool gaveUp = false;
  std::optional<HostCheck> check{};
  bool isCheckOfFewLayers = false;        ///< all layers would have taken the host long
  std::string note{};                     ///< why there was no check
  std::optional<PortableCount> written{}; ///< of --dispatches
};

/// {"version": 1, "policy", "request", "fused", "steps": [{pass, reason, dispatches}], "pipeline",
/// "dropped", "measure": "predicted" or "measured", "dispatches_before", "dispatches_after",
/// "bytes_before", "bytes_after", "prediction": {source, gbps, launch_us, us_before, us_after},
/// "times": {device, us_before, us_after, noise_us, predicted_us}, "parts": [{pass, kept,
/// dispatches, bytes, us, noise_us, predicted_us}], "reasons", "check": {function, max_abs_error,
/// max_rel_error, ok, few_layers}, "note", "written": {regions, ops_outside}}; null is what is not known, or
/// was not done.
llvm::json::Value toJSON(const FuseReport &report);

std::string formatFuseReport(const FuseReport &report);

} // namespace fuselage::cli
