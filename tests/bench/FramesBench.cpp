// Frames of the whole window with the real engine process, in software rendering: `frames_bench FILE [PART..]`. Parts:
// graph, select, search, text, tables, compare, all by default. `compare` records the pipeline in $FRAMES_PIPELINE.
// A frame is what the window's thread does, in its processor time, from what a user does until that is painted; what
// comes later, such as an answer of the engine, counts turn by turn of the event loop. Prints the distribution, and the
// event that took longest.
#include "app/gui/compare/CompareController.h"
#include "app/gui/outline/OutlineController.h"
#include "app/gui/text/SidesController.h"
#include "tests/views/window/WindowBench.h"
#include "views/common/Style.h"
#include "views/graph/GraphView.h"
#include "views/panels/OutlinePanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/SearchBar.h"
#include <QDockWidget>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QThread>
#include <QTreeView>
#include <QWheelEvent>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <execinfo.h>
#include <unistd.h>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

constexpr double frame = 16; // ms

/// Of this thread, in ms.
double processorTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// With FRAMES_TRACE=MS, writes a stack to stderr, for addr2line, each time that an event has taken so long.
class StackPrinter {
public:
  StackPrinter() {
    milliseconds_ = qEnvironmentVariableIntValue("FRAMES_TRACE");
    if (milliseconds_ <= 0)
      return;
    struct sigaction action {};
    action.sa_handler = [](int) {
      void *frames[60];
      backtrace_symbols_fd(frames, backtrace(frames, 60), 2);
      const char end[] = "--\n";
      [[maybe_unused]] ssize_t written = write(2, end, sizeof end - 1);
    };
    sigaction(SIGUSR2, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGUSR2;
    event._sigev_un._tid = gettid();
    isThere_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
  }
  void arm(bool on) {
    if (!isThere_)
      return;
    const timespec wait{.tv_sec = 0, .tv_nsec = on ? milliseconds_ * 1'000'000 : 0};
    const itimerspec times{.it_interval = wait, .it_value = wait};
    timer_settime(timer_, 0, &times, nullptr);
  }

private:
  timer_t timer_{};
  int milliseconds_ = 0;
  bool isThere_ = false;
};

/// Knows which event takes longest, and when the window was painted.
class TimedApplication : public QApplication {
public:
  using QApplication::QApplication;

  bool notify(QObject *receiver, QEvent *event) override {
    if (depth_ > 0 || QThread::currentThread() != thread()) // replies are read on another thread
      return QApplication::notify(receiver, event);
    const QEvent::Type type = event->type();
    const QString what = QLatin1StringView(receiver->metaObject()->className()) + u' ' + receiver->objectName() + u' ' +
                         QString::number(type);
    const bool isPaint = type == QEvent::UpdateRequest && receiver->isWidgetType();
    ++depth_;
    stacks_.arm(true);
    const double start = processorTime();
    const bool done = QApplication::notify(receiver, event);
    const double took = processorTime() - start;
    stacks_.arm(false);
    --depth_;
    isPainted |= isPaint;
    if (took > longest) {
      longest = took;
      longestEvent = what;
    }
    return done;
  }

  bool isPainted = false;
  double longest = 0;
  QString longestEvent;

  StackPrinter &stacks() { return stacks_; }

private:
  StackPrinter stacks_;
  int depth_ = 0;
};

TimedApplication &application() { return *static_cast<TimedApplication *>(qApp); }

/// One turn of the event loop: what is there to do. The processor time that it took.
double turn() {
  timespec pause{.tv_sec = 0, .tv_nsec = 200'000};
  nanosleep(&pause, nullptr);
  const double start = processorTime();
  QCoreApplication::processEvents();
  return processorTime() - start;
}

class FrameBench : public WindowBench {
public:
  FrameBench() { window.resize(1600, 900); }

  void settle() {
    QElapsedTimer quiet;
    quiet.start();
    while (!window.isSettled() || quiet.elapsed() < 60) {
      const bool wasSettled = window.isSettled();
      later_.push_back(turn());
      if (!wasSettled)
        quiet.restart();
    }
  }

  /// Does it `count` times, and prints how long its frames took.
  void measure(const char *name, int count, const std::function<void(int)> &act, bool settles = false) {
    settle();
    later_.clear();
    std::vector<double> frames;
    application().longest = 0;
    application().longestEvent.clear();
    for (int i = 0; i < count; ++i) {
      application().isPainted = false;
      application().stacks().arm(true);
      double took = processorTime();
      act(i);
      took = processorTime() - took;
      application().stacks().arm(false);
      if (took > application().longest) {
        application().longest = took;
        application().longestEvent = u"what the user did"_s;
      }
      QElapsedTimer waiting;
      for (waiting.start(); !application().isPainted && waiting.elapsed() < 40;)
        took += turn();
      frames.push_back(took);
      if (settles)
        settle();
    }
    settle();
    print(name, frames);
  }

  /// What a user waits for anyway: only what is longer than a frame is of interest.
  void wait(const char *name, const std::function<void()> &act) {
    measure(
        name, 1, [&](int) { act(); }, true);
  }

private:
  static double percentile(std::vector<double> &sorted, size_t percent) {
    return sorted.empty() ? 0 : sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)];
  }
  void print(const char *name, std::vector<double> &frames) {
    const auto isLong = [](double took) { return took > frame; };
    std::sort(frames.begin(), frames.end());
    std::sort(later_.begin(), later_.end());
    std::printf("%-44s %4d frames p50 %6.2f p99 %7.2f max %7.2f, %3d too long; later max %7.2f, %3d too long; longest "
                "%.2f %s\n",
                name, int(frames.size()), percentile(frames, 50), percentile(frames, 99), frames.back(),
                int(std::count_if(frames.begin(), frames.end(), isLong)), later_.empty() ? 0 : later_.back(),
                int(std::count_if(later_.begin(), later_.end(), isLong)), application().longest,
                qPrintable(application().longestEvent));
    std::fflush(stdout);
  }

  std::vector<double> later_;
};

void wheel(QWidget &widget, QPoint angle, Qt::KeyboardModifiers modifiers = {}) {
  const QPointF at = QRectF(widget.rect()).center();
  QWheelEvent event(at, widget.mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

void measureGraph(FrameBench &bench, GraphView &view, const QString &what) {
  const auto name = [&](const QString &action) { return (what + u": "_s + action).toUtf8(); };
  std::printf("%s: %d nodes, %d edges, %d boxes\n", qPrintable(what), int(view.scene().nodes.size()),
              int(view.scene().edges.size()), int(view.scene().clusters.size()));
  // To and fro, so that the graph stays under the window.
  const auto pan = [&](int i) { wheel(view, {i % 2 ? 60 : -40, i % 40 < 20 ? -90 : 90}); };
  view.fit();
  bench.measure(name(u"pan, all in sight"_s), 60, pan);
  for (const double scale : {0.05, 0.1, 0.15, 0.25, 0.41, 0.56, 1.0}) {
    const QList<NodeData> &nodes = view.scene().nodes;
    view.lookAt(nodes[nodes.size() / 2].rect.center(), scale);
    bench.measure(name(u"pan at %1"_s.arg(scale)), 100, pan);
  }
  view.fit();
  bench.measure(name(u"zoom in"_s), 60, [&](int) { wheel(view, {0, 60}, Qt::ControlModifier); });
  bench.measure(name(u"zoom out"_s), 60, [&](int) { wheel(view, {0, -60}, Qt::ControlModifier); });
  view.fit();
  bench.measure(name(u"pointer moves, all in sight"_s), 60,
                [&](int i) { QTest::mouseMove(&view, QPoint(200 + i * 12, 200 + i * 5)); });
  view.lookAt(view.scene().nodes[view.scene().nodes.size() / 2].rect.center(), 0.56);
  bench.measure(name(u"pointer moves at 0.56"_s), 60,
                [&](int i) { QTest::mouseMove(&view, QPoint(200 + i * 12, 200 + i * 5)); });
}

void measureSelection(FrameBench &bench) {
  GraphView &view = bench.graph.view();
  const auto select = [&](int i) {
    const QList<NodeData> &nodes = view.scene().nodes;
    if (const QRectF rect = view.rectOf(nodes[(nodes.size() / 2 + i) % nodes.size()].id); !rect.isNull())
      QTest::mouseClick(&view, Qt::LeftButton, {}, rect.center().toPoint());
  };
  view.fit();
  bench.measure("select, all in sight", 20, select, true);
  const QList<NodeData> &nodes = view.scene().nodes;
  view.lookAt(nodes[nodes.size() / 2].rect.center(), 0.7);
  bench.measure("select at 0.7", 20, select, true);
  view.setTrace(Trace::Both);
  bench.measure("pan at 0.7 while tracing", 60, [&](int i) { wheel(view, {0, i % 20 < 10 ? -90 : 90}); });
  view.fit();
  bench.measure("pan while tracing, all in sight", 60, [&](int i) { wheel(view, {0, i % 20 < 10 ? -90 : 90}); });
  view.setTrace(Trace::None);
}

void measureSearch(FrameBench &bench) {
  GraphView &view = bench.graph.view();
  bench.window.shell().showView(View::Graph);
  view.setFocus();
  view.fit();
  bench.settle();
  bench.search.findAction()->trigger();
  QLineEdit &edit = *bench.search.bar().edit();
  const auto type = [&](const QString &word) { return [&edit, word](int i) { edit.setText(word.left(i + 1)); }; };
  for (const QString &word : {u"tanh"_s, u"matmul 64"_s, u"zzz"_s}) {
    edit.clear();
    bench.measure((u"find in the graph: "_s + word).toUtf8(), int(word.size()), type(word), true);
  }
  edit.setText(u"matmul"_s);
  bench.search.bar().searchNow();
  bench.measure(
      "next hit", 40, [&](int) { QTest::keyClick(&edit, Qt::Key_Return); }, true);
  view.fit();
  bench.measure("pan with hits, all in sight", 60, [&](int i) { wheel(view, {0, i % 20 < 10 ? -90 : 90}); });
  view.lookAt(view.scene().nodes[view.scene().nodes.size() / 2].rect.center(), 0.2);
  bench.measure("pan with hits at 0.2", 60, [&](int i) { wheel(view, {0, i % 20 < 10 ? -90 : 90}); });
  bench.measure(
      "close the search", 1, [&](int) { QTest::keyClick(&edit, Qt::Key_Escape); }, true);
}

void measureText(FrameBench &bench) {
  bench.window.shell().showView(View::Text);
  TextView &view = bench.text.view();
  bench.settle();
  QScrollBar &bar = *view.verticalScrollBar();
  bench.measure(
      "text: page by page", 100, [&](int) { bar.setValue(bar.value() + view.viewport()->height()); }, true);
  bench.measure("text: wheel", 100, [&](int) { wheel(*view.viewport(), {0, -120}); });
  bench.measure("text: bar dragged", 60,
                [&](int i) { bar.setValue(int(i * 48271LL * 977 % std::max(1, bar.maximum()))); });
  view.setFocus();
  bench.measure(
      "text: caret down", 60, [&](int) { QTest::keyClick(&view, Qt::Key_Down); }, true);
  bench.measure(
      "text: click", 20,
      [&](int i) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(300, 30 + 20 * i)); }, true);
  bench.search.findAction()->trigger();
  QLineEdit &edit = *bench.search.bar().edit();
  for (const QString &word : {u"tanh"_s, u"%1234"_s}) {
    edit.clear();
    bench.measure((u"find in the text: "_s + word).toUtf8(), int(word.size()),
                  [&](int i) { edit.setText(word.left(i + 1)); }, true);
  }
  edit.setText(u"linalg.matmul"_s);
  bench.search.bar().searchNow();
  bench.measure(
      "text: next hit", 40, [&](int) { QTest::keyClick(&edit, Qt::Key_Return); }, true);
  QTest::keyClick(&edit, Qt::Key_Escape);
}

/// All lists in a dock, from end to end.
void measureLists(FrameBench &bench, const QString &name) {
  QDockWidget *dock = bench.window.shell().docks().find(name);
  if (!dock)
    return;
  bench.wait((u"open "_s + name).toUtf8(), [&] { bench.window.shell().docks().raise(dock); });
  for (QAbstractItemView *view : dock->findChildren<QAbstractItemView *>()) {
    if (qobject_cast<QHeaderView *>(view) || !view->isVisible() || !view->model() || view->model()->rowCount() == 0)
      continue;
    const QByteArray what = (name + u": "_s + QLatin1StringView(view->metaObject()->className())).toUtf8();
    std::printf("%s has %d rows\n", what.data(), view->model()->rowCount());
    if (auto *tree = qobject_cast<QTreeView *>(view))
      bench.wait(what + ", open all", [&] { tree->expandAll(); });
    QScrollBar &bar = *view->verticalScrollBar();
    bench.measure(what + ", page by page", 60, [&](int) { bar.setValue(bar.value() + bar.pageStep()); });
    bench.measure(what + ", bar dragged", 60,
                  [&](int i) { bar.setValue(int(i * 48271LL * 977 % std::max(1, bar.maximum()))); });
    bar.setValue(0);
    view->setFocus();
    bench.measure(
        what + ", row by row", 20, [&](int) { QTest::keyClick(view, Qt::Key_Down); }, true);
  }
  for (QLineEdit *edit : dock->findChildren<QLineEdit *>()) {
    if (!edit->isVisible())
      continue;
    bench.measure((name + u": filter"_s).toUtf8(), 6, [&](int i) { edit->setText(u"matmul"_s.left(i + 1)); }, true);
    bench.wait((name + u": no filter"_s).toUtf8(), [&] { edit->clear(); });
  }
}

void measureTables(FrameBench &bench) {
  bench.window.shell().showView(View::Graph);
  for (const char *name : {"outline", "fusion", "steps", "details", "problems", "notes", "numbers", "schedule"})
    measureLists(bench, QString::fromLatin1(name));
}

void measureComparison(FrameBench &bench) {
  const QString pipeline = qEnvironmentVariable("FRAMES_PIPELINE", u"builtin.module(linalg-generalize-named-ops)"_s);
  bench.wait("record", [&] { bench.record(pipeline); });
  std::printf("%d steps\n", bench.rows() - 1);
  bench.wait("show the last step", [&] { bench.steps.select(bench.rows() - 1); });
  bench.window.shell().showView(View::Graph);
  SidesController &sides = bench.window.controller<SidesController>();
  bench.wait("two graphs", [&] { sides.twoGraphs()->setChecked(true); });
  measureGraph(bench, bench.graph.view(), u"two graphs, right"_s);
  sides.twoGraphs()->setChecked(false);
  bench.wait("diff", [&] { bench.window.shell().showView(View::Diff); });
  if (auto *canvas = bench.text.diff().findChild<QAbstractScrollArea *>()) {
    QScrollBar &bar = *canvas->verticalScrollBar();
    bench.measure("diff: page by page", 60, [&](int) { bar.setValue(bar.value() + bar.pageStep()); });
    bench.measure("diff: bar dragged", 60,
                  [&](int i) { bar.setValue(int(i * 48271LL * 977 % std::max(1, bar.maximum()))); });
  }
  bench.measure("diff: next change", 60, [&](int) { bench.text.diff().nextChange(); });
  bench.wait("diff: open folds", [&] { bench.text.diff().setFoldsOpen(true); });
  measureLists(bench, u"compare"_s);
}

} // namespace

int main(int argc, char **argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  TimedApplication application(argc, argv);
  applyStyle();
  QStringList parts;
  for (int i = 2; i < argc; ++i)
    parts.append(QString::fromLocal8Bit(argv[i]));
  if (argc < 2) {
    std::fprintf(stderr, "usage: frames_bench FILE [graph|dispatches|select|search|text|tables|fusion|compare ..]\n");
    return 2;
  }
  const auto isWanted = [&](const char *part) { return parts.isEmpty() || parts.contains(QLatin1StringView(part)); };
  FrameBench bench;
  bench.wait("open", [&] { bench.documents.open(QString::fromLocal8Bit(argv[1])); });
  if (isWanted("graph"))
    measureGraph(bench, bench.graph.view(), u"graph"_s);
  if (parts.contains(u"dispatches"_s)) {
    bench.wait("level of dispatches", [&] { bench.graph.actions().levelDispatches->trigger(); });
    measureGraph(bench, bench.graph.view(), u"dispatches"_s);
  }
  if (isWanted("select"))
    measureSelection(bench);
  if (isWanted("search"))
    measureSearch(bench);
  if (isWanted("text"))
    measureText(bench);
  if (isWanted("tables"))
    measureTables(bench);
  else if (isWanted("fusion"))
    measureLists(bench, u"fusion"_s);
  if (isWanted("compare"))
    measureComparison(bench);
  return 0;
}
