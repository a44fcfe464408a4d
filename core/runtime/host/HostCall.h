// Calls compiled code in a copy of the process that can do nothing but compute.
#pragma once
#include "core/executable/HostCallForm.h"
#include "core/runtime/host/HostValues.h"
#include "core/runtime/host/RepeatPlan.h"
#include "core/support/Result.h"
#include <atomic>
#include <optional>
#include <span>

namespace fuselage {

class HostCode;
struct TrialResult;

struct HostCallOptions {
  /// Fills fresh memory, and stands for poison, so that two calls tell whether a result depends on
  /// what nobody wrote.
  std::optional<uint8_t> fill{};
  /// Takes what the call touched out of the caches before each timed repeat.
  bool coldCaches = false;
  /// Once true, running code stops soon (it looks in its outer loops) and the call is a Failure.
  const std::atomic<bool> *cancelled = nullptr;
};

/// Calls a function as often as the plan wants, in one forked copy of the process, on as many threads as the object was
/// compiled for and within its limits. Arguments stay unchanged; a result may share the memory of an argument that it
/// equals. Failure: arguments that do not fit, "@f stopped on the host: ..." with the op and its place where they are
/// known, or why the copy died: a signal, too much time or memory, a cancel.
Result<HostCallResults> measureOnHost(HostCode &code, std::string_view function, std::span<const HostValue> arguments,
                                      RepeatPlan plan, const HostCallOptions &options = {});

/// "it touched memory outside of its tensors": how a copy of the process that runs compiled code died.
std::string describeDeath(const TrialResult &trial);

} // namespace fuselage
