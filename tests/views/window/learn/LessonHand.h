// Does what "Show me" does, by mouse and keyboard.
#pragma once
#include "app/gui/learn/LearnPanel.h"
#include "tests/views/window/WindowBench.h"

class QSpinBox;

namespace fuselage {

class LessonHand {
public:
  /// `folder`: the lesson's.
  LessonHand(WindowBench &bench, LearnPanel &panel, const QString &folder)
      : bench_(bench), panel_(panel), folder_(folder) {}

  /// One action, see core/engine/lessons/LessonPlayer.h. Returns what is in the way; empty: it is done.
  QString act(const QString &action);

private:
  QString answer(const QString &text);
  QString select(const QString &op);
  QString goToStep(const QString &name);
  QString record(const QString &pipeline);
  QString runSchedule(const QString &file);
  QString fuseEdge(const QString &from, const QString &to);
  QString tile(const QStringList &words);
  QString chooseOrder(const QString &wanted);
  QString press(const QString &command);
  QString openPanel(const QString &name);
  void rest();

  WindowBench &bench_;
  LearnPanel &panel_;
  QString folder_;
};

} // namespace fuselage
