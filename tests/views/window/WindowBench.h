// The real window with the real engine process, as the window's tests use it.
#pragma once
#include "app/gui/Features.h"
#include "app/gui/buffers/BuffersController.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/engine/EngineController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/reasons/ReasonHelp.h"
#include "app/gui/run/RunController.h"
#include "app/gui/search/SearchController.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tiles/TileController.h"
#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

namespace fuselage {

/// The slowest machine that should still pass, in milliseconds.
inline constexpr int patience = 240'000;

/// The path of a module in samples/.
QString sample(const QString &name);

/// The command line of the engine.
QStringList engineOfTests();

/// An engine, a window with its controllers, and settings that belong to one test.
struct WindowBench {
  QTemporaryDir scratch;
  Settings settings{scratch.filePath(QStringLiteral("settings.ini"))};
  EngineSession session;
  MainWindow window;
  Banner &banner = window.shell().banner();
  DocumentController &documents = window.controller<DocumentController>();
  StepsController &steps = window.controller<StepsController>();
  GraphController &graph = window.controller<GraphController>();
  TextController &text = window.controller<TextController>();
  ProblemsController &problems = window.controller<ProblemsController>();
  RunController &run = window.controller<RunController>();
  PipelineController &pipeline = window.controller<PipelineController>();
  TileController &tiles = window.controller<TileController>();
  FusionController &fusion = window.controller<FusionController>();
  BuffersController &buffers = window.controller<BuffersController>();
  SearchController &search = window.controller<SearchController>();
  EngineController &engine = window.controller<EngineController>();

  explicit WindowBench(const MainWindow::AddFeatures &features = addFeatures);
  /// Opens a file and waits until the window is at rest.
  void open(const QString &path);
  /// Writes a file into the scratch folder; returns its path.
  QString write(const QString &name, const QByteArray &text) const;
  /// Rows of the list of steps, the input among them.
  int rows() const { return steps.model().rowCount(); }
  void record(const QString &pipeline);
  /// As the system does it that is out of memory.
  void killEngine();
  /// Raises the tile explorer for the first op whose label has this in it; empty: for what is selected.
  void showTiles(const QString &label = {});
};

/// main() of a window test: offscreen, with the engine's test passes and a font that is there.
int runWindowTest(QObject &test, int argc, char **argv);

} // namespace fuselage

#define FUSELAGE_WINDOW_TEST_MAIN(Test)                                                                                \
  int main(int argc, char **argv) {                                                                                    \
    Test test;                                                                                                         \
    return fuselage::runWindowTest(test, argc, argv);                                                                  \
  }
