// A search of the engine's, polled.
#pragma once
#include "app/bridge/RequestWriter.h"
#include "core/protocol/methods/TuneMethods.h"
#include "views/models/trials/TrialList.h"
#include <QObject>
#include <QTimer>
#include <optional>

namespace fuselage {

class EngineSession;

class TuneSearch : public QObject {
  Q_OBJECT
public:
  TuneSearch(EngineSession &session, QObject *parent);

  /// Trials of the search before are gone.
  void start(const protocol::Request<method::StartTuning> &request);
  /// "pause", "resume" or "cancel".
  void control(method::TuneAction action);
  /// Nobody is asked any more, as when the engine is gone.
  void stop();
  void forget();
  /// So far, of an item of the plan.
  TrialList trialsOf(int item) const { return trials_.value(item); }
  /// Of the device; none: they could not be measured.
  const std::optional<protocol::DevicePeaks> &peaks() const { return peaks_; }
  /// Why there are none, or what else the engine said when it began.
  const QString &note() const { return note_; }

signals:
  /// `trials` in it are those since the last time.
  void progressed(const protocol::TuneProgress &progress);
  /// It did not start, or nobody knows how it stands.
  void failed(const QString &problem);

private:
  void poll();

  EngineSession &session_;
  QMap<int, TrialList> trials_; ///< by item
  int known_ = 0;               ///< of all items
  std::optional<protocol::DevicePeaks> peaks_;
  QString note_;
  QTimer timer_;
  bool polls_ = false; ///< an answer is on its way
};

} // namespace fuselage
