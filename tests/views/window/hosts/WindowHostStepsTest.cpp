// From step to step over a slow link: what is on screen is of the step, and comes soon.
#include "app/gui/shell/Shell.h"
#include "tests/views/window/hosts/HostBench.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include <QAction>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QThread>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// A key that went to another step.
struct Press {
  double graphMs = -1; ///< until the graph is that of the step
  double sightMs = -1; ///< until text, diff and details are, too
  double allMs = -1;   ///< until nothing is to come any more, such as names of ops that are gone
};

struct Walk : HostBench {
  QList<Press> presses;

  QAction *key(const QString &text) {
    for (QAction *action : window.findChildren<QAction *>())
      if (action->text() == text)
        return action;
    return nullptr;
  }
  int row() { return steps.panel().currentRow(); }
  bool isGraphShown() { return graph.view().scene().snapshot == steps.model().snapshotAt(row()); }
  /// The lines in sight are there, too.
  bool isTextShown() {
    TextSource *source = text.view().source();
    if (!source || !text.isSettled())
      return false;
    const int first = text.view().firstVisibleLine(),
              last = std::min(first + text.view().visibleLineCount(), source->lineCount());
    for (int line = first; line < last; ++line)
      if (!source->line(line))
        return false;
    return true;
  }
  bool isAllShown() { return isGraphShown() && isTextShown() && session.client().pendingRequests() == 0; }

  void go(bool isForth) { key(isForth ? u"&Next Step"_s : u"&Previous Step"_s)->trigger(); }

  /// Presses J or K once, waits until all is on screen, and rests for a while. `meanwhile` is called again and again.
  void press(
      bool isForth, int restMs, const std::function<void()> &meanwhile = [] {}) {
    Press press;
    QElapsedTimer clock;
    clock.start();
    go(isForth);
    const auto note = [&](double &ms, bool isShown) {
      if (ms < 0 && isShown)
        ms = double(clock.nsecsElapsed()) / 1e6;
    };
    while (clock.elapsed() < patience && press.allMs < 0) {
      QCoreApplication::processEvents();
      meanwhile();
      note(press.graphMs, isGraphShown());
      note(press.sightMs, isGraphShown() && isTextShown());
      note(press.allMs, isAllShown());
      QThread::usleep(200);
    }
    presses.append(press);
    if (restMs > 0)
      QTest::qWait(restMs);
  }
  void walk(
      int restMs, const std::function<void()> &meanwhile = [] {}) {
    const int last = rows() - 1;
    for (int at = row(); at < last; ++at)
      press(true, restMs, meanwhile);
    for (int at = last; at > 0; --at)
      press(false, restMs, meanwhile);
  }
  /// As a key that is held down does it: the last step is what is waited for.
  void hold(bool isForth) {
    constexpr int repeatMs = 33;
    for (int at = row(); isForth ? at < rows() - 2 : at > 1; at += isForth ? 1 : -1) {
      go(isForth);
      QTest::qWait(repeatMs);
    }
    press(isForth, 1000);
  }
  /// What the graph and the beginning of the text say.
  QString graphText() {
    QString text = QString::number(graph.view().scene().snapshot);
    for (const NodeData &node : graph.view().scene().nodes)
      text += u' ' + node.title + QString::number(node.rect.x());
    return text;
  }
  QStringList firstLines() {
    QStringList lines;
    TextSource *source = text.view().source();
    for (int line = 0; source && line < std::min(40, source->lineCount()); ++line)
      lines.append(source->line(line).value_or(QString()));
    return lines;
  }
};

/// "p50 12, p95 40, p99 80, at most 90 ms, 0 over 150"
QString spread(const QList<Press> &presses, double Press::*what) {
  QList<double> times;
  for (const Press &press : presses)
    times.append(press.*what);
  std::sort(times.begin(), times.end());
  const auto at = [&](int percent) { return QString::number(times[(times.size() - 1) * percent / 100], 'f', 0); };
  return u"p50 %1, p95 %2, p99 %3, at most %4 ms, %5 over 150"_s.arg(at(50), at(95), at(99), at(100))
      .arg(std::count_if(times.begin(), times.end(), [](double ms) { return ms > 150; }));
}

} // namespace

class WindowHostStepsTest : public QObject {
  Q_OBJECT
private slots:
  /// At no moment a graph, or the beginning of a text, is that of another step than it says.
  void whatIsOnScreenIsOfTheStep() {
    QStringList graphs;
    QList<QStringList> texts;
    {
      Walk here;
      here.open(sample(u"bert_attention.mlir"_s));
      for (int row = 0; row < here.rows(); ++row) {
        here.steps.select(row);
        here.settle();
        graphs.append(here.graphText());
        texts.append(here.firstLines());
      }
    }
    Walk there;
    there.useSlowLink(20);
    there.open(sample(u"bert_attention.mlir"_s));
    there.steps.select(0);
    there.settle();
    int wrong = 0, loading = 0;
    const auto look = [&] {
      wrong += there.graphText() != graphs.value(there.graph.view().scene().snapshot);
      const QStringList lines = there.firstLines();
      loading += lines.isEmpty();
      wrong += !lines.isEmpty() && lines != texts.value(there.row());
    };
    there.walk(0, look);
    there.hold(true);
    there.hold(false);
    look();
    QCOMPARE(wrong, 0);
    QCOMPARE(there.row(), 0);
    for (const Press &press : std::as_const(there.presses))
      QVERIFY(press.allMs >= 0);
  }

  void measures_data() {
    QTest::addColumn<int>("view");
    QTest::addColumn<int>("rest"); // -1: the key is held down
    QTest::addColumn<bool>("selects");
    const QStringList names{u"graph"_s, u"text"_s, u"diff"_s};
    for (int view = 0; view < names.size(); ++view)
      for (const int rest : {1000, 250, 60, -1})
        for (const bool selects : {false, true})
          QTest::newRow(qPrintable(u"%1, %2%3"_s.arg(names[view], rest < 0 ? u"held"_s : u"%1 ms"_s.arg(rest),
                                                     selects ? u", an op selected"_s : QString())))
              << view << rest << selects;
  }
  /// FUSELAGE_MODEL measures a model of this path; FUSELAGE_DELAY is how long the link takes each way, "none" is no
  /// link.
  void measures() {
    if (!qEnvironmentVariableIsSet("FUSELAGE_MODEL"))
      QSKIP("FUSELAGE_MODEL names no model");
    QFETCH(int, view);
    QFETCH(int, rest);
    QFETCH(bool, selects);
    Walk walk;
    if (const QString delay = qEnvironmentVariable("FUSELAGE_DELAY", u"40"_s); delay != "none"_L1)
      walk.useSlowLink(delay.toInt());
    walk.window.resize(1280, 800);
    walk.window.show();
    walk.open(qEnvironmentVariable("FUSELAGE_MODEL"));
    walk.steps.select(0);
    walk.settle();
    if (selects) {
      const QList<NodeData> &nodes = walk.graph.view().scene().nodes;
      walk.graph.view().setSelection({nodes[nodes.size() / 2].id}, true);
    } else {
      walk.text.view().verticalScrollBar()->setValue(walk.text.view().verticalScrollBar()->maximum() / 2);
    }
    walk.window.shell().showView(View(view));
    walk.settle();
    QTest::qWait(1000);
    if (rest >= 0) {
      walk.walk(rest);
    } else {
      for (int round = 0; round < 3; ++round)
        for (const bool isForth : {true, false})
          walk.hold(isForth);
    }
    qInfo().noquote() << walk.presses.size() << "presses; graph" << spread(walk.presses, &Press::graphMs)
                      << "| in sight" << spread(walk.presses, &Press::sightMs) << "| all"
                      << spread(walk.presses, &Press::allMs);
    for (const Press &press : std::as_const(walk.presses))
      qInfo().noquote() << "times" << press.graphMs << press.sightMs << press.allMs;
    if (const QString to = qEnvironmentVariable("FUSELAGE_LOGS"); !to.isEmpty())
      for (const QString &name : {u"requests"_s, u"replies"_s})
        QFile::copy(walk.scratch.filePath(name), to + u'/' + QString::fromUtf8(QTest::currentDataTag()) + u'.' + name);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowHostStepsTest)
#include "WindowHostStepsTest.moc"
