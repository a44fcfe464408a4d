// What is to be tuned, and the point of its space at which the knobs stand.
#pragma once
#include "app/gui/shell/Draft.h"
#include "app/gui/steps/ShownPlace.h"
#include "core/protocol/methods/TuneMethods.h"
#include "views/messages/TuneTypes.h"
#include <QElapsedTimer>
#include <QTimer>
#include <optional>

namespace fuselage {

class GraphController;
class RunController;
class ScheduleController;
class ScriptController;
class TextController;
class TileController;
class TuneTiles;
class TuningPanel;

/// The controllers whose views follow the knobs.
struct TunedViews {
  GraphController &graph;
  TextController &text;
  RunController &run;
  ScriptController &scripts;
  ScheduleController &schedule;
  TileController &tiles;
};

/// Asks for the space of what the panel names, and shows what a move of a knob makes of it: the knobs that follow, the
/// tile and its cost, and, while Follow is on, the schedule's steps or the dispatch alone, as the pipeline tiles it, in
/// graph and text.
class TuneKnobs : public QObject {
  Q_OBJECT
public:
  TuneKnobs(Shell &shell, TuningPanel &panel, const TunedViews &views, QObject *parent);

  /// Asks for the space where it is another one than the panel shows; `isIdle`: nothing is tuned.
  void refresh(bool isVisible, bool isIdle);
  /// Asks for it again where something else than the knobs changes it, such as trials.
  void renew();
  using Subject = method::TuneSubject<protocol::QtTypes>;
  /// None: nothing is to be tuned.
  const std::optional<Subject> &subject() const { return shown_; }
  /// The same is asked for again at the next refresh().
  void forgetSubject() { shown_.reset(); }
  bool hasSchedule() const { return shown_ && !shown_->path.isEmpty(); }
  bool hasDispatches() const { return shown_ && shown_->all; }
  /// Sets all knobs to a point.
  void set(const QMap<QString, QString> &values);
  /// Runs the schedule, or the pipeline's steps on the dispatch, with the knobs as they are.
  void follow();
  /// Nobody follows any more: back to the step of the list.
  void leave() { place_.leave(); }
  /// See TuningController.
  double lastMilliseconds() const { return lastMilliseconds_; }
  bool isSettled() const;

  void opened();
  void stepShown(const ShownStep &step) { place_.stepShown(step); }
  void engineDied();
  /// Values of knobs that were set in a tab of this name.
  void restoreDraft(const QString &tab);

signals:
  /// The space at a point is in the panel.
  void spaceShown();
  /// There is none, or it is not known.
  void spaceFailed();
  /// Another dispatch is selected.
  void selected();

private:
  bool isReady() const;
  std::optional<Subject> wantedSubject() const;
  void select(int snapshot, qint64 id);
  void move(const QString &name, const QString &value);
  void request(const QMap<QString, QString> &values, const QString &moved);
  void keepValues();
  void requestKept();
  QMap<QString, QString> keptValues() const;
  void take(const protocol::TuneSpace &space);
  void showTile(const protocol::TuneSpace &space);
  void showStep();
  void showAll();
  void hintAtSubject();
  /// Whether all that a move changes is on screen.
  void checkShown();

  Shell &shell_;
  TuningPanel &panel_;
  TunedViews views_;
  TuneTiles *tiles_;
  Draft draft_;
  QJsonObject kept_;         ///< values that the user set, by keyOf() their subjects
  ShownPlace place_;         ///< the dispatch alone
  QString dispatch_;         ///< where the selected one comes from; empty: none is selected
  int selectedSnapshot_ = 0; ///< of what is selected
  qint64 selected_ = -1;
  bool returns_ = false;         ///< from the dispatch alone, where another op is selected, or none
  std::optional<Subject> shown_; ///< the subject whose space is shown, or asked for
  quint64 asked_ = 0;            ///< for a space; 0: nothing is
  quint64 stepAsked_ = 0;
  QElapsedTimer moved_; ///< since the last move of a knob
  QTimer watching_;     ///< for that to be shown
  double lastMilliseconds_ = -1;
};

} // namespace fuselage
