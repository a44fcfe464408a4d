// A trace beside the recording: rows, timeline, steps, and files that are none.
#include "app/gui/traces/TraceController.h"
#include "app/gui/traces/TracePanel.h"
#include "tests/views/window/WindowBench.h"
#include "views/charts/TraceTimeline.h"
#include "views/panels/StepsPanel.h"
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>

using namespace fuselage;
using namespace Qt::StringLiterals;

static const QByteArray trace = R"({"traceEvents": [
  {"name": "Clean Up", "cat": "step", "ph": "X", "pid": 1, "tid": 0, "ts": 0, "dur": 100, "args": {"step": 0}},
  {"name": "canonicalize", "cat": "pass", "ph": "X", "pid": 1, "tid": 0, "ts": 10, "dur": 60},
  {"name": "Form Dispatches", "cat": "step", "ph": "X", "pid": 1, "tid": 0, "ts": 120, "dur": 40, "args": {"step": 1}},
  {"name": "compile", "cat": "run", "ph": "X", "pid": 1, "tid": 1, "ts": 50, "dur": 90}]})";

struct TraceBench : WindowBench {
  TraceController &traces = window.controller<TraceController>();
  TracePanel &panel = traces.panel();
  TraceTimeline &timeline = panel.timeline();

  TraceBench() { window.resize(1280, 800); }
  void openTrace(const QByteArray &text = trace) {
    traces.openTrace(write(u"trace.json"_s, text));
    QTRY_VERIFY_WITH_TIMEOUT(timeline.pieceCount() > 0, patience);
  }
};

class WindowTraceTest : public QObject {
  Q_OBJECT
private slots:
  void itIsShownBesideTheRecording() {
    TraceBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.record(u"builtin.module(canonicalize,cse)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 3, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.openTrace();
    QCOMPARE(bench.panel.model().rowCount(), 4);
    QCOMPARE(bench.panel.model().row(0).name, u"Clean Up"_s);
    QCOMPARE(bench.panel.model().row(0).selfUs, 40.0);
    QVERIFY(bench.panel.message().contains(u"4 events"_s));
    // A row with a step leads to it, by keyboard and by mouse.
    QVERIFY(bench.panel.select(u"Form Dispatches"_s));
    QTest::keyClick(bench.panel.table(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 2, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTest::mouseClick(bench.timeline.viewport(), Qt::LeftButton, {}, bench.timeline.placeOf(0).center());
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 1, patience);
    bench.panel.filter()->setText(u"comp"_s);
    QCOMPARE(bench.panel.table()->model()->rowCount(), 1);
  }

  void theTimelineZoomsAndMovesByKeys() {
    TraceBench bench;
    bench.openTrace();
    QTRY_VERIFY(bench.timeline.isVisible());
    QCOMPARE(bench.timeline.end(), 160.0);
    QTest::keyClick(&bench.timeline, Qt::Key_Plus);
    QVERIFY(bench.timeline.begin() > 0 && bench.timeline.end() < 160);
    const double begin = bench.timeline.begin();
    QTest::keyClick(&bench.timeline, Qt::Key_Left);
    QVERIFY(bench.timeline.begin() < begin);
    for (int i = 0; i < 100; ++i)
      QTest::keyClick(&bench.timeline, Qt::Key_Plus); // to where numbers end
    QVERIFY(bench.timeline.end() > bench.timeline.begin());
    QVERIFY(!bench.window.grab().isNull());
    QTest::keyClick(&bench.timeline, Qt::Key_0);
    QCOMPARE(bench.timeline.begin(), 0.0);
    QCOMPARE(bench.timeline.end(), 160.0);
  }

  void aBrokenOneIsSaid() {
    TraceBench bench;
    bench.traces.openTrace(bench.write(u"broken.json"_s, "[{\"name\": nope}]"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.panel.message().contains(u"line 1, column 11"_s), patience);
    bench.openTrace("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":1e17},{\"na");
    QVERIFY2(bench.panel.message().contains(u"ends too early"_s), qPrintable(bench.panel.message()));
    QVERIFY(!bench.window.grab().isNull()); // of three thousand years
  }

  void aDroppedFileIsTakenByItsContent() {
    TraceBench bench;
    QVERIFY(bench.traces.takeFile(bench.write(u"a.json"_s, trace)));
    QVERIFY(!bench.traces.takeFile(bench.write(u"b.json"_s, "{\"results\": []}")));
    QVERIFY(!bench.traces.takeFile(bench.write(u"c.mlir"_s, trace)));
  }

  void itIsBackAfterACrash() {
    TraceBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.openTrace();
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QSignalSpy ranges(&bench.timeline, &TraceTimeline::rangeChanged);
    QTRY_VERIFY_WITH_TIMEOUT(bench.timeline.pieceCount() == 4, patience);
    QTest::keyClick(&bench.timeline, Qt::Key_Plus);
    QTRY_VERIFY_WITH_TIMEOUT(bench.timeline.pieceCount() > 0, patience);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowTraceTest)
#include "WindowTraceTest.moc"
