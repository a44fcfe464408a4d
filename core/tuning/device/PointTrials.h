// Measures points of a schedule's or a dispatch's space on a device, in the calling process.
#pragma once
#include "core/ir/Session.h"
#include "core/run/FunctionBench.h"
#include "core/schedules/script/Script.h"
#include "core/tuning/search/Tuner.h"
#include <limits>
#include <set>

namespace fuselage::tune {

/// How often, and for how long, a candidate is launched.
struct TrialEffort {
  unsigned rounds = 10;     ///< each launches the baseline and the candidate once
  unsigned firstRounds = 3; ///< rounds before a candidate may be cut short
  double seconds = 2;       ///< time limit of all rounds; three are always made
};

/// Costs relative to the baseline at which a candidate gets fewer or more launches, as in MeasurePlan.
struct TrialBounds {
  double cutAbove = std::numeric_limits<double>::infinity(), confirmBelow = 0;
};

/// One point to measure.
struct TrialRequest {
  Parameters point;
  std::optional<Parameters> baseline{}; ///< measured in turns with the point
  std::set<std::string> known{};        ///< fingerprints of kernels that need not run again
  TrialBounds bounds{};
  TrialEffort effort{};
  double seconds = 60; ///< time limit; a longer trial counts as hung
};

/// What is tuned: the knobs of a schedule, or, without one, the sizes of a dispatch.
struct TuneSubject {
  Session &session;
  mlir::ModuleOp payload;
  std::string schedule; ///< path; empty: the function of the payload is a dispatch (DispatchSpace.h)
  ScriptOptions script{};
  std::optional<std::string> scheduleText{}; ///< replaces the content of the file
  RunOptions run{};                          ///< device, inputs, sizes, limits; its counts are ignored
};

/// Opens the subject's schedule. Fails as openScript() does.
llvm::Expected<Script> scriptOf(const TuneSubject &subject);

class PointTrials {
public:
  explicit PointTrials(const TuneSubject &subject) : subject_(subject) {}

  /// The device's name and driver. Fails if there is no such device.
  llvm::Expected<DeviceInfo> device();
  /// Compiles the request's point and baseline, and keeps them for measure(). Returns a Measurement if compiling the
  /// point fails. Fails on problems of the function or the device itself.
  llvm::Expected<std::optional<Measurement>> prepare(const TrialRequest &request);
  /// Compiles the point, unless prepare() has, and measures it.
  llvm::Expected<Measurement> measure(const TrialRequest &request);
  /// Returns true if the device may refuse further launches; the process should end then.
  bool isSpent() const { return isSpent_; }

private:
  using Candidate = std::shared_ptr<FunctionBench::Candidate>;
  llvm::Expected<Candidate> compile(const Parameters &point);
  llvm::Expected<Candidate> compileScheduled(const Parameters &point);
  llvm::Expected<Candidate> compileDispatch(const Parameters &point);
  llvm::Expected<Candidate> baselineFor(const std::optional<Parameters> &wanted);
  Measurement run(Candidate candidate, Candidate baseline, const TrialBounds &bounds, const TrialEffort &effort);

  const TuneSubject &subject_;
  std::unique_ptr<FunctionBench> bench_;
  std::optional<Parameters> baselinePoint_;
  Candidate baseline_;
  Parameters preparedPoint_;
  Candidate prepared_; ///< of that, until it is measured
  bool isSpent_ = false;
};

} // namespace fuselage::tune
