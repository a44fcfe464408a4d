// Does the actions of "Show me" in the window, one after the other.
#pragma once
#include <QObject>
#include <QStringList>

namespace fuselage {

class ScheduleController;
class Shell;
class StepsController;
class TextController;
class TileController;

class LessonShow : public QObject {
  Q_OBJECT
public:
  struct Window {
    Shell &shell;
    StepsController &steps;
    TextController &text;
    ScheduleController &schedule;
    TileController &tiles;
  };
  LessonShow(const Window &window, QObject *parent);

  /// See core/engine/lessons/LessonPlayer.h; `folder` is the lesson's. What was going on is left.
  void start(const QStringList &actions, const QString &folder);
  void stop();
  bool isActive() const { return isActive_; }

signals:
  /// An answer is part of it.
  void answered(const QString &answer);
  void finished();
  void failed(const QString &why);

private:
  void next();
  void act(const QString &action);
  void fuseEdge(const QString &from, const QString &to);
  void goToStep(const QString &name);
  void select(const QString &op);
  void tile(const QStringList &words);
  void end(const QString &problem);

  Window window_;
  QStringList actions_;
  QString folder_;
  bool isActive_ = false;
  bool awaits_ = false;       ///< something that the engine does
  bool tilesAwaited_ = false; ///< it is a tile that is to be shown
};

} // namespace fuselage
