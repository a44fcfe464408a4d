// A tuning that a program steers and watches, such as the engine for the window.
#pragma once
#include "core/protocol/Tuning.h"
#include "core/tuning/device/DeviceTuner.h"
#include "core/tuning/search/TrialMessage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage::cli {

/// Writes a line of JSON to standard output for each event: {"plan": TunePlan} first, then of each item {"begin":
/// TuneBegin},
/// {"trial": TuneTrial} for each, {"outcome": TuneOutcome}; nothing else gets there while this lives. Between
/// trials it takes the lines `pause`, `resume` and `cancel` from standard input, whose end means to
/// cancel, too: whoever steered is gone.
class TuneControl {
public:
  /// `cancelled`, which outlives it, becomes true when that was asked for; others may set it, too.
  explicit TuneControl(std::atomic<bool> &cancelled);
  TuneControl(const TuneControl &) = delete;
  TuneControl &operator=(const TuneControl &) = delete;

  /// What is to be searched, within the budget of `search`.
  void plan(std::vector<message::TuneItem<>> items, const tune::TunerOptions &search);
  /// A search is about to begin, of that item of the plan. Wires `search`, whose space `space` is; that outlives the
  /// search.
  void begin(tune::TunerOptions &search, const tune::Space &space, const std::string &device, size_t points,
             int item = 0);
  /// What came of it, in a `sentence`; `written`: the library that has it; empty: none.
  void end(const tune::DeviceTuned &done, const tune::Space &space, const std::string &sentence,
           const std::string &written = "");

private:
  void write(const char *event, llvm::json::Object value);
  void tell(const tune::Space &space, tune::Objective objective, size_t number, const tune::Point &point,
            const tune::Measurement &measured, bool isBest);
  /// Takes what was asked for since; comes back when there is no pause (any more).
  void obey();
  /// False: the input is over.
  bool readCommands(int waitMs);
  double elapsed() const;

  std::atomic<bool> &cancelled_;
  int out_ = -1;
  std::string input_;
  bool isPaused_ = false;
  std::chrono::steady_clock::time_point start_;
  bool hasBegun_ = false;
  int item_ = 0; ///< that is searched
};

/// The function or dispatch, with what it has to do.
message::TuneItem<> itemOf(mlir::func::FuncOp function);

} // namespace fuselage::cli
