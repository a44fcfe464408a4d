// One measured candidate, as it is written down.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::tune {

/// What became of a candidate.
enum class TrialStatus {
  Ok,
  Wrong,     ///< it computes something else than the reference
  Failed,    ///< the schedule, the compiler or the device refused it, with a reason
  Crashed,   ///< its process died
  Hung,      ///< it took longer than allowed and was ended
  Duplicate, ///< the kernel is one that was measured before, whose times it has
  CutShort,  ///< ended after few repeats, as it was clearly slower than the best one
};
llvm::StringRef nameOf(TrialStatus status);
std::optional<TrialStatus> trialStatusNamed(llvm::StringRef name);

/// What makes results comparable. Fingerprints are hashes of text, as hexadecimal digits.
struct TrialKey {
  std::string module, dispatch, schedule, device, driver, version;
  bool operator==(const TrialKey &other) const = default;
  /// The same work on another device, or by another driver.
  bool isElsewhere(const TrialKey &other) const;
};

struct Trial {
  TrialKey key;
  std::map<std::string, std::string> parameters; ///< by knob, as the script spells values
  TrialStatus status = TrialStatus::Failed;
  std::string why{};                                       ///< a sentence where it is not Ok
  std::vector<double> microseconds{};                      ///< of each repeat, in their order
  std::vector<double> baseline{};                          ///< of the baseline, measured in turns with these
  std::map<std::string, std::string> baselineParameters{}; ///< of what that is; none: nothing was beside it
  std::string kernel{};                                    ///< fingerprint of what was compiled; empty: nothing was
  std::string strategy{};                                  ///< that asked for it
  std::string worker{};    ///< the command that made it; empty: a copy of the process that tuned
  std::string oneThread{}; ///< what of it did not run on all threads of the host, as KernelReport has it
  double seconds = 0;      ///< of wall time that it took in all
  uint64_t time = 0;       ///< when it ended, seconds since 1970

  /// Medians in microseconds; nullopt: there is none.
  std::optional<double> medianUs() const;
  std::optional<double> minUs() const;
};

/// What the baseline took first and last, where that changed most: of a machine that gets slower, or a busy one.
struct Drift {
  double firstUs = 0, lastUs = 0; ///< medians
  std::string worker{};           ///< as in Trial
};
/// Of trials in the order in which they were made; nullopt: there are no two of a worker that ran beside a baseline.
std::optional<Drift> driftOf(llvm::ArrayRef<const Trial *> trials);

llvm::json::Value toJson(const Trial &trial);
/// A point, by knob.
llvm::json::Object parametersJson(const std::map<std::string, std::string> &parameters);
/// nullopt: it is no trial of a version that is known.
std::optional<Trial> trialFrom(const llvm::json::Value &value);

/// Somebody is about to make a trial.
struct TrialClaim {
  TrialKey key;
  std::map<std::string, std::string> parameters;
  std::string by;     ///< machine and process
  uint64_t until = 0; ///< seconds since 1970, after which it is nobody's
};
llvm::json::Value toJson(const TrialClaim &claim);
std::optional<TrialClaim> claimFrom(const llvm::json::Value &value);

/// FNV-1a, 64 bits, as hexadecimal digits: the same on every machine.
std::string fingerprintOf(llvm::StringRef text);

} // namespace fuselage::tune
