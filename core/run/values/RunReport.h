// What came of a run.
#pragma once
#include "core/run/values/ResultView.h"
#include "core/runtime/device/DeviceInfo.h"
#include "core/support/Error.h"
#include <array>
#include <optional>

namespace fuselage {

/// One row of a run: a kernel's launches, or ops between dispatches that run on the host. gflops and gbps
/// are the dispatch's cost by the sum of the median_us of its kernels; -1 where the cost is unknown.
/// `check` compares all results of the dispatch with what the host computes from the inputs that the
/// dispatch really got, the worst of them; rows of the host are not checked by themselves.
struct KernelReport {
  enum class Kind { Dispatch, Host };
  std::string dispatch, device, kernel; ///< device is "host" where the device could not take it
  std::string loc;                      ///< file:line:col of the dispatch's root op; empty: unknown
  Kind kind = Kind::Dispatch;
  unsigned part = 0;          ///< which of the kernels of one run of the dispatch
  int64_t dispatchIndex = -1; ///< order of flow.dispatch.region in the formed module
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t sharedBytes = 0;
  double minUs = 0, medianUs = 0, p95Us = 0;
  unsigned launches = 0; ///< that were timed
  unsigned calls = 1;    ///< in one pass, from the same place: the rounds of a loop around it
  Clock clock = Clock::Host;
  std::string cold = "warm"; ///< what a launch finds in the caches: "flushed", "rotated", "warm"
  double gflops = -1, gbps = -1;
  bool gbpsAtMost = false;       ///< data decides what is read; it may be less
  bool isTuned = false;          ///< its sizes are the options' tuning's
  bool once = false;             ///< of weights and constants alone: what it gives is good for every pass
  double flops = -1, bytes = -1; ///< of the dispatch, as its cost says; -1: unknown
  std::string arithmetic{};      ///< the type that it computes in: "f32"
  message::Limit<> limit{};      ///< of the dispatch, where peaks are measured
  std::vector<message::Baseline<>> baselines{};
  std::string oneThread{}; ///< "in part on one of 2 threads: scf.for (f.mlir:4:5)"; empty: nothing, or nobody says
  std::vector<double> samples{};    ///< microseconds in the order of the launches; see kKeptSamples
  std::vector<std::string> parts{}; ///< where its structured ops come from
  std::string layer{};              ///< that it lies in; empty: in none, or nobody said (nameLayers)
  int form = -1;                    ///< rows of a kind with the same number are of equal ops; -1: like no other
  Comparison check{};
};

/// An argument: how it was asked for, and what was made of it.
using InputReport = message::RunInput<>;

/// A result of the function, end to end.
struct OutputReport {
  std::string type;
  Comparison check{};
  ResultView view{};
  HostTensor value{};
};

/// Where the time of a run went, one after the other, in milliseconds of wall time.
using RunShares = message::RunShares<>;

struct RunReport {
  std::string device, function;
  bool computes = true; ///< some result is not just an argument
  std::vector<InputReport> inputs;
  std::vector<KernelReport> kernels;
  std::vector<OutputReport> outputs;
  std::vector<Diagnostic> remarks;
  CheckVerdict verdict = CheckVerdict::Unchecked;
  std::string why; ///< a sentence where it is not ok
  /// One whole pass over the program, from arguments to results in host memory; -1: not measured, as where one
  /// launch of each dispatch was asked for and takes long.
  double wallUs = -1;
  RunShares shares{};
  message::ClockCheck<> clocks{};
  std::optional<message::DevicePeaks<>> peaks{}; ///< of the device
  std::optional<message::RunCancelled<>> cancelled{};

  bool ok() const { return verdict == CheckVerdict::Ok; }
  /// The medians of the rows of one pass together, each times its calls, and of those that are computed once.
  double sumUs() const;
  double onceUs() const;
  /// Why that sum is to be doubted: it is many times what a whole pass took; empty: it is not.
  std::string doubtOfSum() const;
  /// Caveats about that sum: which clocks timed it, and doubtOfSum(); empty where the device's timestamps tell all
  /// of it.
  std::string timingNote() const;
};

/// Sets the verdict on the whole run, the worst of its parts, with the sentence that says why. `place`: of the
/// function; empty: unknown.
void judge(RunReport &report, const std::string &place = "");

/// What depends on memory that nobody wrote, or on poison, says nothing about who computed it.
void excuse(RunReport &report, const std::string &meaningless);

} // namespace fuselage
