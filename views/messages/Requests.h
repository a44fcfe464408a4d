// What panels ask the engine for.
#pragma once
#include <QMap>
#include <QString>

namespace fuselage {

/// What to record: a textual pipeline, or a transform script; both empty: the default pipeline.
struct RecordRequest {
  QString pipeline;
  QString schedule;
  QString target;   ///< "spirv" or "ptx"; empty: the engine's default
  QString device{}; ///< instead: the id of a model, or the path of a device file
  int from = -1;    ///< snapshot of the opened log to start at; -1: where the last recording started
};

/// What to run, as run/start takes it.
struct RunRequest {
  QString device = QStringLiteral("host");
  int repeat = 20;
  int warmup = 3;
  qint64 seed = 1;
  QMap<QString, qint64> sizes;
  QMap<QString, QString> inputs; ///< by argument: "zeros", "5", "@x.npy"; random where there is none
  QStringList parameters;        ///< files of weights, .safetensors and .irpa; random where there is none
  QString function;
  bool coldCaches = true; ///< what timed launches find in the caches: nothing of theirs
  bool baselines = false; ///< peaks, and what each dispatch is measured against
  QString dispatch;       ///< only that one, by where its root op comes from; empty: all
  int snapshot = 0;
};

} // namespace fuselage
