// The card that a fusion or a recorded pipeline ends with.
#include "app/gui/baselines/BaselinesController.h"
#include "app/gui/baselines/DifferencesPanel.h"
#include "app/gui/graph/ModelOutline.h"
#include "app/gui/outcome/OutcomeController.h"
#include "app/gui/outcome/OutcomePanel.h"
#include "core/protocol/methods/FusionMethods.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/RunPanel.h"
#include "views/widgets/Banner.h"
#include <QDockWidget>
#include <QPushButton>
#include <QSignalSpy>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

struct Bench : WindowBench {
  OutcomeController &outcomes = window.controller<OutcomeController>();
  BaselinesController &baselines = window.controller<BaselinesController>();

  explicit Bench(const QString &file = u"softmax.mlir"_s) {
    open(sample(file));
    window.activateWindow();
    RunPanel &panel = run.panel();
    panel.setDevice(u"host"_s);
    panel.setBaselines(false);
    panel.setRepeat(3);
  }
  void rest() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  void fuseAll() {
    QSignalSpy fused(&session, &EngineSession::fused);
    graph.view().setFocus();
    QTest::keyClick(&graph.view(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!fused.isEmpty() && window.isSettled(), patience);
  }
  bool isInFront() const { return outcomes.dock()->isVisible() && !outcomes.dock()->visibleRegion().isEmpty(); }
  /// What the engine's report says of a snapshot.
  protocol::FusionTotals totalsOf(int snapshot) {
    std::optional<protocol::FusionTotals> totals;
    session.client().call<method::ReportFusion>(
        {.snapshot = snapshot, .prove = false}, &window,
        [&](const protocol::FusionReport &report) { totals = report.totals; },
        [&](const protocol::Error &) { totals.emplace(); });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(totals.has_value(), patience); }();
    return totals.value_or(protocol::FusionTotals());
  }
  QPushButton *button(const QString &text) const {
    for (QPushButton *button : outcomes.panel().buttons())
      if (button->text() == text)
        return button;
    return nullptr;
  }
  OutcomeRow row(int index) const { return rowsOf(*outcomes.outcome()).value(index); }
};

enum Row { Dispatches, Bytes, Launches, Predicted, Measured, Verified };

protocol::StepCost costOf(qint64 dispatches, qint64 bytes, double us) {
  protocol::StepCost cost;
  cost.dispatches = dispatches;
  cost.bytes = bytes;
  cost.launches = dispatches;
  cost.predictedUs = us;
  cost.prediction = u"assumed"_s;
  return cost;
}

KeptRun runOf(double us, double spread) {
  KeptRun run;
  run.run.device = "host";
  run.run.isOk = true;
  run.run.launches = 4;
  run.run.dispatches = {{.place = "m.mlir:1:1", .name = "a", .us = {us, us - spread, us + spread}}};
  return run;
}

} // namespace

class WindowOutcomeTest : public QObject {
  Q_OBJECT
private slots:
  void aFusionEndsWithTheNumbersOfTheReport() {
    Bench bench;
    QVERIFY(!bench.isInFront());
    QVERIFY(!bench.outcomes.measureAction()->isEnabled());
    bench.fuseAll();
    QVERIFY(bench.isInFront());
    QVERIFY2(bench.graph.view().hasFocus(), "the card took the keyboard");
    QVERIFY(!bench.banner.isVisibleTo(&bench.window));
    const Outcome &outcome = *bench.outcomes.outcome();
    const protocol::FusionTotals before = bench.totalsOf(outcome.before.snapshot),
                                 after = bench.totalsOf(outcome.after.snapshot);
    QVERIFY(after.dispatches < before.dispatches);
    QCOMPARE(outcome.before.cost->dispatches, before.dispatches);
    QCOMPARE(outcome.after.cost->dispatches, after.dispatches);
    QCOMPARE(outcome.before.cost->bytes, before.bytes);
    QCOMPARE(outcome.after.cost->bytes, after.bytes);
    QCOMPARE(bench.graph.outline().rows()[0].dispatches, int(after.dispatches)); // of the step on screen
    QCOMPARE(bench.graph.outline().rows()[0].bytes, after.bytes);
    QCOMPARE(bench.row(Dispatches).before, QString::number(before.dispatches));
    QCOMPARE(bench.row(Dispatches).after, QString::number(after.dispatches));
    QCOMPARE(bench.row(Measured).after, u"\u2014"_s);
    QVERIFY2(bench.row(Measured).how.contains(u"host"_s), qPrintable(bench.row(Measured).how));
    QCOMPARE(bench.row(Verified).after, u"yes"_s);
    QVERIFY2(bench.row(Launches).after.startsWith(u"\u2265"_s), qPrintable(bench.row(Launches).after));
    QVERIFY(outcome.after.cost->predictedUs > 0 && outcome.after.cost->predictedUs < outcome.before.cost->predictedUs);
    QVERIFY2(bench.outcomes.panel().title().startsWith(u"The input \u2192 Step"_s),
             qPrintable(bench.outcomes.panel().title()));
  }

  void measureBothFillsTheRowByKeyboardAlone() {
    Bench bench;
    bench.fuseAll();
    bench.outcomes.showAction()->trigger();
    QVERIFY(bench.outcomes.panel().hasFocus());
    QPushButton *measure = bench.button(u"Measure Both"_s);
    QVERIFY(measure && measure->isEnabled() && !bench.button(u"Differences"_s)->isEnabled());
    for (int i = 0; i < 4 && !measure->hasFocus(); ++i)
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(measure->hasFocus());
    QSignalSpy finished(&bench.session, &EngineSession::runFinished);
    QTest::keyClick(measure, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(finished.size() == 2 && bench.window.isSettled(), patience);
    const auto before = finished[0][0].value<protocol::RunReport>(),
               after = finished[1][0].value<protocol::RunReport>();
    const Outcome &outcome = *bench.outcomes.outcome();
    QVERIFY(outcome.hasBothRuns());
    QVERIFY(qFuzzyCompare(outcome.before.run->run.total().median, before.sumUs));
    QVERIFY(qFuzzyCompare(outcome.after.run->run.total().median, after.sumUs));
    QCOMPARE(outcome.before.run->run.launches, outcome.before.cost->dispatches); // one kernel each, here
    QCOMPARE(bench.row(Launches).after, QString::number(outcome.after.run->run.launches));
    QVERIFY(outcome.after.run->run.launches >= outcome.after.cost->launches);
    QVERIFY2(bench.row(Verified).how.contains(u"the kernels of both agree"_s), qPrintable(bench.row(Verified).how));
    // The last run is of the program on screen, and the table beside has both.
    QVERIFY(!bench.run.kernels().isStale());
    QVERIFY2(bench.run.panel().comparison().contains(u"another program"_s), qPrintable(bench.run.panel().comparison()));
    QPushButton *differences = bench.button(u"Differences"_s);
    QVERIFY(differences->isEnabled());
    QTest::mouseClick(differences, Qt::LeftButton);
    QVERIFY(bench.baselines.panel().isVisible());
    const RunDifferences &table = bench.baselines.panel().model().differences();
    QVERIFY(!table.rows.empty());
    QVERIFY(qFuzzyCompare(table.before.median, before.sumUs) && qFuzzyCompare(table.after.median, after.sumUs));
  }

  void escapeClosesItAndTheCommandShowsItAgain() {
    Bench bench;
    bench.fuseAll();
    bench.outcomes.showAction()->trigger();
    QTest::keyClick(&bench.outcomes.panel(), Qt::Key_Escape);
    QVERIFY(!bench.outcomes.dock()->isVisible());
    QVERIFY(bench.graph.view().hasFocus());
    bool isListed = false;
    for (const Command &command : bench.window.shell().menus().commands())
      isListed |= command.action == bench.outcomes.showAction();
    QVERIFY(isListed); // in the menu, and so in Go to Anything
    bench.outcomes.showAction()->trigger();
    QVERIFY(bench.isInFront());
    QCOMPARE(bench.outcomes.panel().texts().size(), 6);
  }

  void itMakesWayForTheDetailsOfASelection() {
    Bench bench;
    bench.fuseAll();
    QVERIFY(bench.isInFront());
    QTest::keyClick(&bench.graph.view(), Qt::Key_Down); // selects a box
    QDockWidget *details = bench.window.shell().docks().find(u"details"_s);
    QTRY_VERIFY_WITH_TIMEOUT(details->isVisible() && !details->visibleRegion().isEmpty(), patience);
    QVERIFY(!bench.isInFront() && bench.graph.view().hasFocus());
    bench.session.undoFusion();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 0 && bench.window.isSettled(), patience);
    bench.fuseAll();
    QVERIFY(bench.isInFront());
  }

  void aKilledEngineLosesNoNumbers() {
    Bench bench;
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.fuseAll();
    bench.killEngine();
    QTRY_VERIFY_WITH_TIMEOUT(!recovered.isEmpty() && bench.window.isSettled(), patience);
    QVERIFY(!bench.outcomes.outcome()->isOver && bench.outcomes.outcome()->problem.isEmpty());
    QVERIFY(bench.outcomes.outcome()->after.cost && bench.outcomes.measureAction()->isEnabled());
  }

  void stepsThatAreGoneSaySo() {
    Bench bench;
    bench.fuseAll();
    bench.session.undoFusion();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 0 && bench.window.isSettled(), patience);
    QVERIFY(bench.outcomes.outcome()->isOver);
    QVERIFY(!bench.outcomes.measureAction()->isEnabled());
    bench.session.redoFusion();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 1 && bench.window.isSettled(), patience);
    QVERIFY(!bench.outcomes.outcome()->isOver);
    QVERIFY(bench.outcomes.measureAction()->isEnabled());
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    QVERIFY(!bench.outcomes.outcome());
    QVERIFY(!bench.outcomes.measureAction()->isEnabled());
  }

  void aRecordedPipelineEndsWithACardAndTheDefaultOneDoesNot() {
    Bench bench;
    QVERIFY(!bench.outcomes.outcome()); // the default pipeline was recorded
    QSignalSpy recorded(&bench.session, &EngineSession::recorded);
    bench.record(u"builtin.module(func.func(fuselage-fuse-all))"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!recorded.isEmpty() && bench.window.isSettled(), patience);
    QVERIFY(bench.isInFront());
    const Outcome &outcome = *bench.outcomes.outcome();
    QVERIFY(outcome.after.cost->dispatches < outcome.before.cost->dispatches);
    QCOMPARE(outcome.after.cost->dispatches, bench.totalsOf(outcome.after.snapshot).dispatches);
    QCOMPARE(bench.row(Verified).after, u"not yet"_s);
    // The step after is measured, though Run runs what was fused: nothing was.
    QSignalSpy finished(&bench.session, &EngineSession::runFinished);
    bench.outcomes.measureAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(finished.size() == 2 && bench.window.isSettled(), patience);
    QVERIFY(bench.outcomes.outcome()->hasBothRuns());
    QVERIFY(bench.outcomes.outcome()->after.run->run.launches < bench.outcomes.outcome()->before.run->run.launches);
    QCOMPARE(bench.row(Verified).after, u"kernels only"_s);
  }

  void aCancelledMeasurementRunsNothingMore() {
    Bench bench;
    bench.fuseAll();
    bench.run.panel().setRepeat(100'000);
    QSignalSpy finished(&bench.session, &EngineSession::runFinished), failed(&bench.session, &EngineSession::runFailed);
    bench.outcomes.measureAction()->trigger();
    QCOMPARE(bench.session.state(), EngineSession::State::Running);
    bench.session.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.state() == EngineSession::State::Ready,
                             patience);
    QTest::qWait(100);
    QCOMPARE(bench.session.state(), EngineSession::State::Ready);
    QVERIFY(!bench.outcomes.outcome()->hasBothRuns());
  }

  void boundsAndUnknownNumbersSaySo() {
    Outcome outcome;
    outcome.before.cost = costOf(3, 4096, 30);
    outcome.after.cost = costOf(1, 1024, 10);
    QCOMPARE(rowsOf(outcome)[Bytes].change, u"\u221275.0 %"_s);
    QCOMPARE(rowsOf(outcome)[Dispatches].change, u"\u22122"_s);
    outcome.after.cost->bytesAtMost = true;
    QCOMPARE(rowsOf(outcome)[Bytes].after, u"\u2264 1 KiB"_s);
    QCOMPARE(rowsOf(outcome)[Bytes].change, u"\u2014"_s); // a bound less a number is no number
    QVERIFY(rowsOf(outcome)[Bytes].how.startsWith(u"at most"_s));
    outcome.after.cost = costOf(1, -1, -1);
    QCOMPARE(rowsOf(outcome)[Bytes].after, u"\u2014"_s);
    QCOMPARE(rowsOf(outcome)[Predicted].after, u"\u2014"_s);
    QCOMPARE(rowsOf(outcome)[Predicted].change, u"\u2014"_s);
    outcome.after.cost = costOf(0, 0, 0); // lowered
    QCOMPARE(rowsOf(outcome)[Dispatches].after, u"\u2014"_s);
    QCOMPARE(rowsOf(outcome)[Bytes].after, u"\u2014"_s);
  }

  void noiseIsNoChange() {
    Outcome outcome;
    outcome.before.run = runOf(100, 5);
    outcome.after.run = runOf(92, 5);
    QCOMPARE(rowsOf(outcome)[Measured].change, u"within noise"_s);
    outcome.after.run = runOf(50, 5);
    QCOMPARE(rowsOf(outcome)[Measured].change, u"\u221250.0 %"_s);
    QCOMPARE(int(rowsOf(outcome)[Measured].tone), int(OutcomeRow::Tone::Better));
  }

  void whatAFusionMeasuredItselfIsShown() {
    Outcome outcome;
    outcome.times = protocol::FuseTimes{.device = u"vulkan:0"_s, .before = 200, .after = 100, .noise = 5};
    const OutcomeRow row = rowsOf(outcome)[Measured];
    QCOMPARE(row.before, u"200 µs"_s);
    QCOMPARE(row.change, u"\u221250.0 %"_s);
    QVERIFY2(row.how.contains(u"by turns on vulkan:0; noise 5.00 µs"_s), qPrintable(row.how));
    outcome.times->noise = 100;
    QCOMPARE(rowsOf(outcome)[Measured].change, u"within noise"_s);
    outcome.before.run = runOf(300, 1); // runs of both are newer
    outcome.after.run = runOf(90, 1);
    QCOMPARE(rowsOf(outcome)[Measured].before, u"300 µs"_s);
  }

  void aScheduleRecordedAsStepsEndsWithACard() {
    Bench bench;
    const QString script = bench.write(u"fuse.mlir"_s, R"(
      module attributes {transform.with_named_sequence} {
        transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
          %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
          %g = transform.apply_registered_pass "fuselage-fuse-elementwise" to %f : (!transform.any_op) -> !transform.any_op
          transform.yield
        }
      })");
    QSignalSpy recorded(&bench.session, &EngineSession::recorded), failed(&bench.session, &EngineSession::recordFailed);
    bench.session.record({.pipeline = {}, .schedule = script, .target = {}});
    QTRY_VERIFY_WITH_TIMEOUT((!recorded.isEmpty() || !failed.isEmpty()) && bench.window.isSettled(), patience);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<protocol::Error>().message));
    QVERIFY(!recorded[0][0].value<protocol::Recording>().failed);
    QVERIFY(bench.isInFront());
    QVERIFY(bench.outcomes.outcome()->after.cost->dispatches > 0);
  }

  void whatIsWrongIsNotVerified() {
    Outcome outcome;
    outcome.check.emplace();
    outcome.check->note = u"it would take the host long"_s;
    QCOMPARE(rowsOf(outcome)[Verified].after, u"not yet"_s);
    QVERIFY(rowsOf(outcome)[Verified].how.contains(u"it would take the host long"_s));
    outcome.check->checked = true;
    QCOMPARE(rowsOf(outcome)[Verified].after, u"yes"_s);
    outcome.after.run = runOf(50, 5);
    outcome.after.run->run.isOk = false;
    QCOMPARE(rowsOf(outcome)[Verified].after, u"WRONG"_s);
    outcome.after.run.reset();
    outcome.check->ok = false;
    QCOMPARE(rowsOf(outcome)[Verified].after, u"WRONG"_s);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowOutcomeTest)
#include "WindowOutcomeTest.moc"
