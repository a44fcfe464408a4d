// Has the engine answer ahead what the window will ask for at the next step and the previous one.
#pragma once
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QTimer>

namespace fuselage {

class EngineClient;

/// Of an engine on another machine, where every reply takes a round trip. What the window asked for at a step, it will
/// ask for at its neighbours: the same requests, with the numbers of the snapshots moved by one. They are sent while
/// nothing else waits for the engine, and a request of the user's ends them (EngineClient::prefetch).
class StepPrefetch : public QObject {
  Q_OBJECT
public:
  explicit StepPrefetch(EngineClient &client, QObject *parent);

  /// Off: nothing is kept or asked ahead.
  void setOn(bool isOn);
  /// A step is about to be shown: what is asked for from now on is of it. `last`: the number of the last snapshot.
  void showing(int snapshot, int last);

private:
  struct Question {
    QString method;
    QJsonObject params;
  };
  void note(const QString &method, const QJsonObject &params);
  void askAhead();

  EngineClient &client_;
  QTimer idle_;
  QList<Question> questions_; ///< of the step that is shown
  int snapshot_ = -1, last_ = -1, before_ = -1;
  bool isOn_ = false;
};

} // namespace fuselage
