// A run that others are compared with: of this session, or a baseline that has a name and stays.
#pragma once
#include "core/pictures/RunDifferences.h"
#include "views/messages/RunTypes.h"
#include <QDateTime>
#include <QJsonObject>

namespace fuselage {

struct KeptRun {
  QString name;    ///< of a baseline; empty: a run of this session
  QString of;      ///< "Step 2, Fuse All"
  QString program; ///< EngineSession::programKey() of what ran
  QString file;    ///< tells the text that ran from others (RunController::stampOf)
  QDateTime when;
  TimedRun run;

  bool isBaseline() const { return !name.isEmpty(); }
  /// "before the fusion: Step 2, Fuse All on vulkan:0, 14:32"
  QString title() const;
};

KeptRun keptRun(const protocol::RunReport &report);

QJsonObject toJson(const KeptRun &run);
/// What was not written by toJson() has no dispatches.
KeptRun keptRunOf(const QJsonObject &json);

/// Runs of one text are matched by places, others by names.
RunDifferences differencesOf(const KeptRun &before, const KeptRun &after);

/// "20.7 ms (20.5 ms to 21.1 ms)"; an em dash where it is unknown.
QString rangeText(const TimeRange &us);

} // namespace fuselage
