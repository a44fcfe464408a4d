// One measured candidate, as journals record it.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::tune {

/// The result of trying a candidate.
enum class TrialStatus {
  Ok,
  Wrong,     ///< its results differ from the reference
  Failed,    ///< the schedule, the compiler or the device refused it, with a reason
  Crashed,   ///< its process died
  Hung,      ///< it exceeded the time limit and was stopped
  Duplicate, ///< its kernel equals one that was measured before, and has the times of that
  CutShort,  ///< stopped after few repeats, because it was clearly slower than the best one
};
llvm::StringRef nameOf(TrialStatus status);
std::optional<TrialStatus> trialStatusNamed(llvm::StringRef name);

/// Times of trials with equal keys are comparable. Fingerprints are hashes of text in hexadecimal digits.
struct TrialKey {
  std::string module, dispatch, schedule, device, driver, version;
  bool operator==(const TrialKey &other) const = default;
  /// Returns true if `other` is the same work on another device or with another driver.
  bool isElsewhere(const TrialKey &other) const;
};

struct Trial {
  TrialKey key;
  std::map<std::string, std::string> parameters; ///< by knob, as the script spells values
  TrialStatus status = TrialStatus::Failed;
  std::string why{};                                       ///< a sentence, if the status is not Ok
  std::vector<double> microseconds{};                      ///< of each repeat, in their order
  std::vector<double> baseline{};                          ///< of the baseline, measured in turns with these
  std::map<std::string, std::string> baselineParameters{}; ///< of the baseline; empty: there was none
  std::string kernel{};                                    ///< fingerprint of the compiled code; empty: there is none
  std::string strategy{};                                  ///< that proposed it
  std::string worker{};    ///< the command that made it; empty: a copy of the process that tuned
  std::string oneThread{}; ///< what of it did not run on all threads of the host, as KernelReport has it
  double seconds = 0;      ///< wall time of the whole trial
  uint64_t time = 0;       ///< when it ended, seconds since 1970

  /// Median and minimum of `microseconds`; nullopt if there are none.
  std::optional<double> medianUs() const;
  std::optional<double> minUs() const;
};

/// How the time of the baseline changed on the worker where it changed most: the machine became slower, or busy.
struct Drift {
  double firstUs = 0, lastUs = 0; ///< medians
  std::string worker{};           ///< as in Trial
};
/// `trials` are in the order of time. Returns nullopt if no worker has two trials with a baseline.
std::optional<Drift> driftOf(llvm::ArrayRef<const Trial *> trials);

llvm::json::Value toJson(const Trial &trial);
/// The values of a point by knob.
llvm::json::Object parametersJson(const std::map<std::string, std::string> &parameters);
/// Returns nullopt if `value` is not a trial of a known version.
std::optional<Trial> trialFrom(const llvm::json::Value &value);

/// The announcement that a process makes a trial (Journal::claim).
struct TrialClaim {
  TrialKey key;
  std::map<std::string, std::string> parameters;
  std::string by;     ///< machine and process
  uint64_t until = 0; ///< end of the claim, in seconds since 1970
};
llvm::json::Value toJson(const TrialClaim &claim);
std::optional<TrialClaim> claimFrom(const llvm::json::Value &value);

/// FNV-1a, 64 bits, as hexadecimal digits: the same on every machine.
std::string fingerprintOf(llvm::StringRef text);

} // namespace fuselage::tune
