// A flat function of 50,000 ops: what an event costs is what is in sight, not what there is.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include "views/text/TextView.h"
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QWheelEvent>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// Pairs of an addition and a multiplication, each of the two values before it.
static QByteArray flatModule(int pairs) {
  const QByteArray type = "tensor<64x64xf32>";
  QByteArray text = "func.func @flat(%a: " + type + ", %b: " + type + ") -> " + type + " {\n";
  QByteArray first = "%a", second = "%b";
  for (int i = 0; i < 2 * pairs; ++i) {
    const QByteArray name = "%v" + QByteArray::number(i);
    text += "  " + name + (i % 2 ? " = arith.mulf " : " = arith.addf ") + first + ", " + second + " : " + type + "\n";
    first = std::exchange(second, name);
  }
  return text + "  return " + second + " : " + type + "\n}\n";
}

/// A value that is read by so many ops.
static QByteArray hubModule(int readers) {
  const QByteArray type = "tensor<64x64xf32>";
  QByteArray text = "func.func @hub(%a: " + type + ") -> " + type + " {\n  %h = arith.addf %a, %a : " + type + "\n";
  QByteArray before = "%h";
  for (int i = 0; i < readers; ++i) {
    const QByteArray name = "%v" + QByteArray::number(i);
    text += "  " + name + " = arith.addf %h, " + before + " : " + type + "\n";
    before = name;
  }
  return text + "  return " + before + " : " + type + "\n}\n";
}

class WindowFlatTest : public QObject {
  Q_OBJECT

  struct Slowest {
    double ms = 0;
    QString event;
    int over = 0; ///< events above 100 ms
  };

  /// Until the program has nothing to do at once; the longest time without an answer to the user.
  static double settle() {
    double longest = 0;
    QElapsedTimer all;
    all.start();
    do {
      QElapsedTimer one;
      one.start();
      QCoreApplication::processEvents();
      longest = std::max(longest, double(one.nsecsElapsed()) / 1e6);
    } while (all.elapsed() < 25);
    return longest;
  }

  static void act(WindowBench &bench, QRandomGenerator &random, QString &what) {
    GraphView &graph = bench.graph.view();
    TextView &text = bench.text.view();
    const auto inside = [&](const QWidget &widget) {
      return QPoint(random.bounded(8, widget.width() - 8), random.bounded(8, widget.height() - 8));
    };
    static const QList<Qt::Key> keys = {Qt::Key_Up,  Qt::Key_Down, Qt::Key_Left,     Qt::Key_Right, Qt::Key_Home,
                                        Qt::Key_End, Qt::Key_F,    Qt::Key_0,        Qt::Key_T,     Qt::Key_I,
                                        Qt::Key_N,   Qt::Key_Plus, Qt::Key_PageDown, Qt::Key_Minus, Qt::Key_Escape};
    QWidget *target = random.bounded(2) ? static_cast<QWidget *>(&graph) : text.viewport();
    const QPoint at = inside(*target);
    const QString name = target == &graph ? u"graph"_s : u"text"_s;
    switch (random.bounded(4)) {
    case 0:
      what = u"click in %1 at %2,%3"_s.arg(name).arg(at.x()).arg(at.y());
      QTest::mouseMove(target, at);
      QTest::mouseClick(target, Qt::LeftButton, {}, at);
      break;
    case 1: {
      const Qt::Key key = keys[random.bounded(int(keys.size()))];
      what = u"key %1 in %2"_s.arg(QKeySequence(key).toString(), name);
      QTest::keyClick(target == &graph ? target : &text, key);
      break;
    }
    default: {
      const bool zooms = random.bounded(3) == 0;
      what = u"%1 in %2"_s.arg(zooms ? u"zoom"_s : u"scroll"_s, name);
      const int turn = random.bounded(2) ? 120 : -120;
      QWheelEvent wheel(at, target->mapToGlobal(QPointF(at)), {}, {0, turn * random.bounded(1, 4)}, Qt::NoButton,
                        zooms && target == &graph ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(target, &wheel);
      break;
    }
    }
  }

  static void openTimed(WindowBench &bench, const QString &path) {
    QElapsedTimer time;
    time.start();
    bench.documents.open(path);
    qint64 text = -1, graph = -1;
    double longest = 0;
    bool saidLoading = false;
    while (graph < 0 || text < 0) {
      longest = std::max(longest, settle());
      if (bench.session.hasDocument() && bench.graph.view().scene().nodes.isEmpty()) {
        QCOMPARE(bench.graph.view().emptyTitle(), u"Loading…"_s);
        saidLoading = true;
      }
      if (bench.text.view().source() && bench.text.view().source()->lineCount() == 0)
        QCOMPARE(bench.text.view().emptyTitle(), u"Loading…"_s);
      if (text < 0 && bench.text.view().source() && bench.text.view().source()->line(0))
        text = time.elapsed();
      if (graph < 0 && !bench.graph.view().scene().nodes.isEmpty())
        graph = time.elapsed();
      QVERIFY2(time.elapsed() < patience, "neither text nor graph");
    }
    QVERIFY(saidLoading);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    qInfo("text after %lld ms, graph after %lld ms, at most %.0f ms without an answer", text, graph, longest);
  }

  /// What the frame after an event did, against what is on screen.
  static void checkFrame(WindowBench &bench, const QString &what, qint64 charactersBefore) {
    GraphView &view = bench.graph.view();
    const GraphPainter &painter = view.painter();
    qint64 inSight = view.scene().clusters.size();
    for (const NodeData &node : view.scene().nodes)
      inSight += node.rect.intersects(view.sight().adjusted(-10, -10, 10, 10));
    const qint64 lines =
        std::min<qint64>(view.scene().edges.size(), GraphPainter::mostLines + GraphPainter::mostCurves);
    const auto say = [&](qint64 is, qint64 most) {
      return qPrintable(u"%1: %2, at most %3"_s.arg(what).arg(is).arg(most));
    };
    // From afar, a box costs a few pixels, and is not laid out.
    if (view.zoom() >= GraphPainter::boxScale) {
      QVERIFY2(painter.painted() <= inSight + lines, say(painter.painted(), inSight + lines));
      QVERIFY2(painter.curves() <= GraphPainter::mostCurves + 2, say(painter.curves(), GraphPainter::mostCurves));
      const qint64 cells = 4000 * (inSight + painter.curves() + 1);
      QVERIFY2(qint64(painter.labels().work) <= cells, say(qint64(painter.labels().work), cells));
    }
    const TextView &text = bench.text.view();
    const qint64 characters = text.charactersLaidOut() - charactersBefore,
                 most = 200 * 3 * (text.visibleLineCount() + 4);
    QVERIFY2(characters <= most, say(characters, most));
  }

private slots:
  void anEventCostsWhatIsInSight_data() {
    QTest::addColumn<QByteArray>("module");
    QTest::newRow("pairs") << flatModule(25'000);
    QTest::newRow("a value with 50,000 uses") << hubModule(50'000);
  }

  void anEventCostsWhatIsInSight() {
    QFETCH(QByteArray, module);
    WindowBench bench;
    bench.window.resize(1280, 800);
    openTimed(bench, bench.write(u"flat.mlir"_s, module));
    QRandomGenerator random(7);
    Slowest slowest;
    for (int i = 0; i < 200; ++i) {
      QString what;
      const qint64 characters = bench.text.view().charactersLaidOut();
      QElapsedTimer time;
      time.start();
      act(bench, random, what);
      const double own = double(time.nsecsElapsed()) / 1e6, after = settle();
      const double ms = std::max(own, after);
      checkFrame(bench, what, characters);
      if (QTest::currentTestFailed())
        return;
      if (ms > 100) {
        ++slowest.over;
        qInfo("%d %s: %.0f + %.0f ms, zoom %.3f", i, qPrintable(what), own, after, bench.graph.view().zoom());
      }
      if (ms > slowest.ms)
        slowest = {.ms = ms, .event = what, .over = slowest.over};
    }
    qInfo("slowest: %s, %.0f ms; %d above 100 ms", qPrintable(slowest.event), slowest.ms, slowest.over);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowFlatTest)
#include "WindowFlatTest.moc"
