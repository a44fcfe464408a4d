// Measures points of a space on a device, in the process that it is called in: of a schedule's, or of a dispatch's.
#pragma once
#include "core/ir/Session.h"
#include "core/run/FunctionBench.h"
#include "core/schedules/script/Script.h"
#include "core/tuning/search/Tuner.h"
#include <limits>
#include <set>

namespace fuselage::tune {

/// How often and how long.
struct TrialEffort {
  unsigned rounds = 10;     ///< in each the baseline and the candidate are launched once
  unsigned firstRounds = 3; ///< after which it may be cut short
  double seconds = 2;       ///< of both together; three rounds are always made
};

/// Costs, by the baseline, at which a candidate gets fewer or more launches; as MeasurePlan has them.
struct TrialBounds {
  double cutAbove = std::numeric_limits<double>::infinity(), confirmBelow = 0;
};

/// One point to measure.
struct TrialRequest {
  Parameters point;
  std::optional<Parameters> baseline{}; ///< measured in turns with it
  std::set<std::string> known{};        ///< fingerprints of kernels that need not run again
  TrialBounds bounds{};
  TrialEffort effort{};
  double seconds = 60; ///< after which it counts as hanging
};

/// What is tuned: what a schedule leaves open, or, without one, what the default pipeline chooses for a dispatch.
struct TuneSubject {
  Session &session;
  mlir::ModuleOp payload;
  std::string schedule; ///< path; empty: the function of the payload is a dispatch (DispatchSpace.h)
  ScriptOptions script{};
  std::optional<std::string> scheduleText{}; ///< instead of what the path has
  RunOptions run{};                          ///< device, inputs, sizes, limits; its counts do not matter
};

/// Failure: as of openScript().
llvm::Expected<Script> scriptOf(const TuneSubject &subject);

class PointTrials {
public:
  explicit PointTrials(const TuneSubject &subject) : subject_(subject) {}

  /// The device's name and driver. Failure: there is none such.
  llvm::Expected<DeviceInfo> device();
  /// Compiles the request's point and its baseline, and keeps them for measure(). What fails at the point is a
  /// Measurement; a Failure is about the function or the device itself.
  llvm::Expected<std::optional<Measurement>> prepare(const TrialRequest &request);
  /// The same, and measures it.
  llvm::Expected<Measurement> measure(const TrialRequest &request);
  /// The device may not take another launch: this process should end.
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
