// A picture of the window, taken once everything has settled.
#pragma once
#include "app/gui/program/Options.h"
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace fuselage {

class MainWindow;

/// Brings the window into the state that the command line asks for, waits until nothing is under
/// way, writes the picture, and reports whether that worked.
class Picture : public QObject {
  Q_OBJECT
public:
  Picture(MainWindow &window, const Options &options, QObject *parent = nullptr);

signals:
  void taken(bool ok, const QString &message);

private:
  void tick();
  void showPanel();
  void tune();
  void goToPart();
  void selectFirstDifference();
  void selectOp();
  void take();
  enum class Stage { Opening, Stepping, Running, Resting };
  MainWindow &window_;
  Options options_;
  QTimer timer_;
  QElapsedTimer since_;
  Stage stage_ = Stage::Opening;
  int calmTicks_ = 0;
};

} // namespace fuselage
