// The real window with the real engine process, as the window's tests use it.
#pragma once
#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/Settings.h"
#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

namespace fuselage {

/// The slowest machine that should still pass, in milliseconds.
inline constexpr int patience = 240'000;

/// The path of a module in samples/.
QString sample(const QString &name);

/// An engine, a window, and settings that belong to one test.
struct WindowBench {
  QTemporaryDir scratch;
  Settings settings{scratch.filePath(QStringLiteral("settings.ini"))};
  EngineSession session;
  MainWindow window{session, settings};

  WindowBench();
  /// Opens a file and waits until the window is at rest.
  void open(const QString &path);
  /// Writes a file into the scratch folder; returns its path.
  QString write(const QString &name, const QByteArray &text) const;
  /// Rows of the list of steps, the input among them.
  int rows() const;
  void record(const QString &pipeline);
};

/// main() of a window test: offscreen, with the engine's test passes and a font that is there.
int runWindowTest(QObject &test, int argc, char **argv);

} // namespace fuselage

#define FUSELAGE_WINDOW_TEST_MAIN(Test)                                                                                \
  int main(int argc, char **argv) {                                                                                    \
    Test test;                                                                                                         \
    return fuselage::runWindowTest(test, argc, argv);                                                                  \
  }
