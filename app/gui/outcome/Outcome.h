// What a fusion or a recorded pipeline came to: numbers of the step before and the step after, as rows of words.
#pragma once
#include "app/gui/baselines/KeptRun.h"
#include "views/messages/FusionTypes.h"
#include <optional>

namespace fuselage {

/// One end of it.
struct OutcomeSide {
  QString name; ///< "The input", "Step 2, Fuse All"
  int snapshot = 0;
  QString program; ///< EngineSession::programKey() of the snapshot
  std::optional<protocol::StepCost> cost{};
  std::optional<KeptRun> run{};
};

struct Outcome {
  OutcomeSide before, after;
  std::optional<protocol::FuseTimes> times{};  ///< measured by the fusion itself
  std::optional<protocol::StepFusion> check{}; ///< of the last step; none: it was recorded, not fused
  QStringList leftOut{};                       ///< parts that did not pay, with why
  QString device{};                            ///< that Measure Both would run on
  QString problem{};                           ///< why something was not counted or measured
  bool isOver = false;                         ///< the list has other steps now

  bool isWrong() const { return check && check->checked && !check->ok; }
  bool hasBothRuns() const { return before.run && after.run; }
};

/// A row of the card.
struct OutcomeRow {
  enum class Tone { None, Better, Worse };
  QString what{}, before{}, after{}, change{};
  QString how{}; ///< how the numbers were obtained
  Tone tone = Tone::None;
};

/// Dispatches, bytes, launches, predicted and measured time, verified; in this order.
QList<OutcomeRow> rowsOf(const Outcome &outcome);

} // namespace fuselage
