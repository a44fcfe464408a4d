// Runs a bundle: loads its kernels, launches them with a clock, and compares.
#pragma once
#include "core/bundle/BundleFiles.h"
#include "core/protocol/BundleResults.h"
#include "core/runtime/host/RepeatPlan.h"
#include <functional>
#include <string>

namespace fuselage {

struct LaunchOptions {
  std::string device;            ///< empty: the first one of the bundle's kind
  unsigned repeat = 20;          ///< timed launches
  unsigned warmup = 3;           ///< launches before, which nobody times
  double secondsPerDispatch = 5; ///< after which a dispatch is not repeated any more
  bool coldCaches = true;        ///< timed launches find their data outside of the caches
  double timeoutSeconds = 0;     ///< of a launch; 0: 30 s on a GPU, 600 s on a software device
  std::string dispatch;          ///< only those of this name; empty: all
  std::function<void(size_t done, size_t total, const std::string &what)> progress;
};

/// Checks every file of the bundle first. A dispatch that the device does not take is a row that is wrong, and the
/// report says why. Failure: the bundle is damaged, there is no such device, or it was lost.
Result<message::Results<>> launchBundle(const bundle::Folder &folder, const LaunchOptions &options);

} // namespace fuselage
