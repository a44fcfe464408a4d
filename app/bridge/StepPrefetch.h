// Has the engine answer ahead what the window will ask for at the steps around the one on screen.
#pragma once
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>

namespace fuselage {

class EngineClient;

/// Of an engine on another machine, where every reply takes a round trip. What the window asks for at a step is asked
/// for at the next ones ahead: the same requests, of the other snapshots. The engine answers them when nothing else
/// waits. What is in sight (text, graph, diff) comes first, of several steps in the direction of the last one; then
/// the rest, of the next step and the previous one, with the lines around those in sight.
class StepPrefetch : public QObject {
  Q_OBJECT
public:
  /// A snapshot, and the sides of the step that led there; -1: none.
  struct Stop {
    int snapshot = -1, before = -1, after = -1;
  };
  explicit StepPrefetch(EngineClient &client, QObject *parent);

  /// Off: nothing is kept or asked ahead.
  void setOn(bool isOn);
  bool isOn() const { return isOn_; }
  /// A step is shown: what was asked for in the same breath, and from now on, is of it. `around`: the steps that may be
  /// next, the likely ones first; the first two are taken to be neighbours.
  void showing(const Stop &stop, const QList<Stop> &around);
  /// Something that a neighbour shows is known by now.
  void refresh();
  /// The op that will be selected at a step; negative: none, or it is not known.
  void setSelected(std::function<qint64(const Stop &)> selected) { selected_ = std::move(selected); }
  /// How many lines the text on screen has.
  void setLines(std::function<int()> lines) { lines_ = std::move(lines); }

private:
  /// Which snapshot of a step a parameter names.
  enum class Side { Here, Before };
  /// What was asked for at a step.
  struct Question {
    QString method;
    QJsonObject params; ///< without those that name snapshots
    QList<std::pair<QString, Side>> sides;
    int step = 0; ///< showing(), counted, when it was asked for last
    bool operator==(const Question &other) const {
      return method == other.method && params == other.params && sides == other.sides;
    }
    bool isInSight() const;
    std::optional<QJsonObject> at(const Stop &stop) const;
  };
  using Questions = QList<std::pair<QString, QJsonObject>>;
  void note(const QString &method, const QJsonObject &params);
  void askAhead();
  void addInSight(const Stop &stop, Questions &wanted) const;
  void addText(const Stop &stop, Questions &wanted) const;

  EngineClient &client_;
  QTimer idle_;
  std::function<int()> lines_;
  std::function<qint64(const Stop &)> selected_;
  Questions breath_;          ///< what was asked for since the window was idle last
  QList<Question> questions_; ///< of the steps that were shown last; the oldest first
  Stop stop_;
  QList<Stop> around_;
  int seenLine_ = 0; ///< the first of the lines that were asked for last
  int steps_ = 0;
  bool isOn_ = false;
};

} // namespace fuselage
