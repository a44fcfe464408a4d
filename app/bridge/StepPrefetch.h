// Has the engine answer ahead what the window will ask for at the next step and the previous one.
#pragma once
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QTimer>

namespace fuselage {

class EngineClient;

/// Of an engine on another machine, where every reply takes a round trip. What the window asked for at the
/// last steps, it will ask for at the next ones: the same requests, with the numbers of the snapshots moved. They are
/// sent while nothing else waits for the engine, and a request of the user's ends them (EngineClient::prefetch).
class StepPrefetch : public QObject {
  Q_OBJECT
public:
  explicit StepPrefetch(EngineClient &client, QObject *parent);

  /// Off: nothing is kept or asked ahead.
  void setOn(bool isOn);
  /// A step is about to be shown: what is asked for from now on is of it. `last`: the number of the last snapshot.
  void showing(int snapshot, int last);

private:
  /// What was asked for at a step, with the numbers of snapshots from that step's on.
  struct Question {
    QString method;
    QJsonObject params;
    int step = 0; ///< shown(), counted, when it was asked for last
    bool operator==(const Question &other) const { return method == other.method && params == other.params; }
  };
  void note(const QString &method, const QJsonObject &params);
  void askAhead();

  EngineClient &client_;
  QTimer idle_;
  QList<Question> questions_; ///< of the steps that were shown last; the oldest first
  int snapshot_ = -1, last_ = -1, before_ = -1, steps_ = 0;
  bool isOn_ = false;
};

} // namespace fuselage
