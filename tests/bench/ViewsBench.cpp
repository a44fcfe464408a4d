// Frame times of the graph view in software rendering: `views_bench [nodes]` prints median and 99th
// percentile of pans and zooms at 1600x900, on the clock and in CPU time (on a busy machine the clock
// tells of the others). Then the same of text, of the tile explorer while a slider moves,
// and how long results of the locator take.
#include "app/gui/search/LocatorController.h"
#include "tests/views/graph/SampleScene.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/locator/LocatorPopup.h"
#include "views/text/TextView.h"
#include "views/tiles/TileCanvas.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileSizes.h"
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace fuselage;

/// Shows a widget and waits until it is painted for the first time.
static void expose(QWidget &widget) {
  widget.show();
  QElapsedTimer timer;
  for (timer.start(); timer.elapsed() < 300;)
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

static double percentile(std::vector<double> times, size_t percent) {
  std::sort(times.begin(), times.end());
  return times[std::min(times.size() - 1, times.size() * percent / 100)];
}

/// Repaints after every call of `move` and prints the distribution.
static void measure(const char *name, QWidget &widget, int frames, const std::function<void(int)> &move) {
  std::vector<double> clock, cpu;
  for (int frame = 0; frame < frames; ++frame) {
    QElapsedTimer timer;
    timer.start();
    std::clock_t start = std::clock();
    move(frame);
    widget.repaint();
    cpu.push_back(double(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
    clock.push_back(double(timer.nsecsElapsed()) / 1e6);
  }
  std::printf("%-14s p50 %6.2f ms   p99 %6.2f ms   cpu p50 %6.2f ms   p99 %6.2f ms\n", name, percentile(clock, 50),
              percentile(clock, 99), percentile(cpu, 50), percentile(cpu, 99));
}

static void wheel(QWidget &widget, QPoint angle, Qt::KeyboardModifiers modifiers) {
  QPointF at = QRectF(widget.rect()).center();
  QWheelEvent event(at, widget.mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

static void benchGraph(int nodes) {
  SceneData scene = squareScene(nodes);
  GraphView view;
  view.setAnimated(false);
  view.resize(1600, 900);
  expose(view);
  QElapsedTimer timer;
  timer.start();
  view.setScene(scene);
  view.repaint();
  std::printf("%d nodes, %d edges: taken over and painted in %.1f ms\n", int(scene.nodes.size()),
              int(scene.edges.size()), double(timer.nsecsElapsed()) / 1e6);
  // To and fro, so that the graph stays under the window.
  auto pan = [&](int frame) { wheel(view, {frame % 2 ? 60 : -40, frame % 40 < 20 ? -90 : 90}, {}); };
  view.fit();
  measure("pan at fit", view, 60, pan);
  for (double scale : {0.1, 0.2, 0.41, 0.5, 1.0}) {
    view.fit();
    view.zoomTo(scale);
    view.repaint();
    measure(qPrintable(QStringLiteral("pan at %1").arg(scale)), view, 120, pan);
  }
  view.fit();
  measure("zoom in", view, 60, [&](int) { wheel(view, {0, 60}, Qt::ControlModifier); });
  measure("zoom out", view, 60, [&](int) { wheel(view, {0, -60}, Qt::ControlModifier); });
}

static void benchText(int lines) {
  PagedTextSource source;
  QObject::connect(&source, &PagedTextSource::linesRequested, &source, [&](int first, int count) {
    QStringList all;
    for (int i = first; i < first + count; ++i)
      all << QStringLiteral("    %%1 = linalg.matmul ins(%a, %b : tensor<128x768xf32>, tensor<768x768xf32>) outs(%c : "
                            "tensor<128x768xf32>) -> tensor<128x768xf32>")
                 .arg(i);
    source.deliver(first, all);
  });
  source.start(lines);
  TextView view;
  view.resize(1200, 900);
  expose(view);
  QElapsedTimer timer;
  timer.start();
  view.setSource(&source);
  view.viewport()->repaint();
  std::printf("%d lines: first frame %.1f ms\n", lines, double(timer.nsecsElapsed()) / 1e6);
  measure("scroll a page", *view.viewport(), 200, [&](int) {
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + view.viewport()->height());
  });
  measure("jump", *view.viewport(), 200, [&](int frame) { view.scrollToLine(int(frame * 48271LL * 977 % lines)); });
}

/// A slider of the tile explorer moves one step a frame: what the window does between two frames, and how
/// long the engine's process takes until the footprints are on screen.
static void benchTiles(const QString &file, const QString &op) {
  WindowBench bench;
  bench.open(sample(file));
  bench.showTiles(op);
  TileExplorerPanel &panel = bench.tiles.panel();
  auto settle = [&] {
    while (!panel.hasDomain() || !bench.tiles.isSettled())
      QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
  };
  settle();
  QSlider *slider = panel.sizes().slider(1);
  measure("tiles: slider", panel.canvas(), 200, [&](int frame) {
    slider->setValue(frame % (slider->maximum() + 1));
    settle();
  });
}

/// Functions of 100 ops in a chain, with values that are called something.
static QByteArray opsText(int ops) {
  QByteArray text;
  for (int i = 0; i < ops; ++i) {
    const QByteArray n = QByteArray::number(i);
    if (i % 100 == 0)
      text += "func.func @layer_" + n + "(%v" + n + ": tensor<8x8xf32>) -> tensor<8x8xf32> {\n";
    text += "  %v" + QByteArray::number(i + 1) + " = arith." + (i % 3 ? "addf" : "mulf") + " %v" + n + ", %v" + n +
            " : tensor<8x8xf32>\n";
    if (i % 100 == 99 || i + 1 == ops)
      text += "  return %v" + QByteArray::number(i + 1) + " : tensor<8x8xf32>\n}\n";
  }
  return text;
}

/// A log of this many passes, each with the function that it ran on; two in three change a line.
static QByteArray logText(int passes, int linesEach) {
  QByteArray text, body;
  for (int i = 0; i < linesEach; ++i)
    body += "  %" + QByteArray::number(i) +
            " = arith.addi %a, %a : i32 // a line of some length, as they are in real logs\n";
  for (int pass = 0; pass < passes; ++pass)
    text += "// -----// IR Dump After Pass" + QByteArray::number(pass % 60) + " (pass-" +
            QByteArray::number(pass % 60) + ") //----- //\nfunc.func @f" + QByteArray::number(pass % 40) +
            "(%a: i32) -> i32 {\n  %c = arith.constant " + QByteArray::number(pass / 120) + " : i32\n" + body +
            "  return %c : i32\n}\n\n";
  return text;
}

/// From a letter typed until all that is called so is in the list.
static void benchLocator(const char *what, const QByteArray &text, const QString &name) {
  WindowBench bench;
  bench.open(bench.write(name, text));
  LocatorController &locator = bench.window.controller<LocatorController>();
  QList<qint64> times;
  QObject::connect(&locator, &LocatorController::completed, &locator,
                   [&times](qint64 milliseconds) { times.append(milliseconds); });
  const auto type = [&](const QString &typed) {
    if (locator.popup().isVisible())
      locator.popup().edit()->setText(typed);
    else
      locator.open(typed);
    while (!locator.isComplete())
      QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
  };
  QElapsedTimer timer;
  timer.start();
  type(QStringLiteral("a"));
  std::printf("locator, %s: the first letter %.0f ms, names got ready\n", what, double(timer.nsecsElapsed()) / 1e6);
  times.clear();
  for (const char *word :
       {"mulf", "%v5000", "@layer_4", "addf", "arith", "pass-12", "amf", "> fit", "# f7", "layer 900"})
    for (int letters = 1; letters <= int(qstrlen(word)); ++letters)
      type(QString::fromLatin1(word, letters));
  std::sort(times.begin(), times.end());
  std::printf("locator, %s: %d keys, median %d ms, p99 %d ms, most %d ms\n", what, int(times.size()),
              int(times[times.size() / 2]), int(times[times.size() * 99 / 100]), int(times.last()));
}

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  benchGraph(argc > 1 ? QByteArray(argv[1]).toInt() : 100000);
  benchText(1000000);
  benchTiles(QStringLiteral("conv_bias_relu.mlir"), QStringLiteral("conv_2d"));
  benchTiles(QStringLiteral("bert_attention.mlir"), QStringLiteral("batch_matmul"));
  benchLocator("100,000 ops", opsText(100000), QStringLiteral("ops.mlir"));
  benchLocator("a log of 5,700 passes", logText(5700, 120), QStringLiteral("passes.log"));
  return 0;
}
