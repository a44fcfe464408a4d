// Where am I? A view that does not show the current step carries a chip that says so and closes; Record says what it
// starts from, a run what it ran; and what is over is not shown any more.
#include "app/gui/compare/CompareController.h"
#include "app/gui/kernel/KernelController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/text/SidesController.h"
#include "app/gui/tiles/TileController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/models/ProblemsModel.h"
#include "views/panels/ComparePanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/SchedulePanel.h"
#include "views/panels/SidesBar.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/widgets/Banner.h"
#include "views/widgets/StepChip.h"
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
const QByteArray schedule =
    "module attributes {transform.with_named_sequence} {\n"
    "transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n"
    "%all = transform.structured.match ops{[\"linalg.generic\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
    "transform.annotate %all \"seen\" : !transform.any_op\n"
    "transform.yield\n}\n}\n";

struct WhereBench : WindowBench {
  explicit WhereBench(const QString &name = u"softmax.mlir"_s) {
    window.resize(1280, 800);
    window.activateWindow();
    open(sample(name));
  }
  void rest() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  void show(int row) {
    steps.select(row);
    rest();
  }
  QDockWidget *dock(const QString &name) { return window.findChild<QDockWidget *>(name); }
  StepChip &chip(const QString &name) { return window.shell().docks().chip(dock(name)); }
  StepChip &place() { return window.shell().centre().placeChip(); }
  StepChip &base() { return window.shell().centre().baseChip(); }
  void runSchedule() {
    auto &controller = window.controller<ScheduleController>();
    controller.raise();
    controller.panel().setPath(write(u"schedule.mlir"_s, schedule));
    emit controller.panel().runRequested();
    [&] { QTRY_VERIFY_WITH_TIMEOUT(controller.steps().rowCount() > 0 && window.isSettled(), patience); }();
  }
  void runOnHost() {
    run.raise();
    QTRY_VERIFY_WITH_TIMEOUT(!run.panel().needsDevices(), patience);
    run.panel().setDevice(u"host"_s);
    run.panel().setRepeat(1);
    QSignalSpy finished(&session, &EngineSession::runFinished);
    run.runAction()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, patience);
    rest();
  }
  /// Row of the first step that has a snapshot of its own.
  int changedRow() {
    for (int row = 1; row < rows(); ++row)
      if (steps.model().stepAt(row)->changed)
        return row;
    return -1;
  }
  void keyHome() { QTest::keyClick(&window, Qt::Key_Home, Qt::AltModifier); }
};
} // namespace

class WindowWhereTest : public QObject {
  Q_OBJECT
private slots:
  void aComparisonBaseHasASignAndIsDropped() {
    WhereBench bench;
    auto &sides = bench.window.controller<SidesController>();
    const int row = bench.changedRow();
    QVERIFY(row > 0);
    bench.show(row);
    sides.pin(0);
    bench.rest();
    QVERIFY(bench.base().isVisible());
    QCOMPARE(bench.base().text(), u"Compared with the input"_s);
    bench.show(row + 1); // it sticks, and so does its sign, in every view
    for (const View view : {View::Graph, View::Text, View::Diff}) {
      bench.window.showView(view);
      QVERIFY(bench.base().isVisible());
    }
    QTest::mouseClick(&bench.base(), Qt::LeftButton);
    QCOMPARE(sides.pinned(), -1);
    QVERIFY(!bench.base().isVisible());
    for (const int key : {int(Qt::Key_Escape), int(Qt::Key_Space), int(Qt::Key_Return), int(Qt::Key_Delete)}) {
      sides.pin(0);
      bench.base().setFocus();
      QTest::keyClick(&bench.base(), Qt::Key(key));
      QCOMPARE(sides.pinned(), -1);
    }
    sides.pin(0);
    bench.window.showView(View::Graph);
    bench.keyHome();
    QCOMPARE(sides.pinned(), -1);
  }

  void aPlaceOfAScheduleHasAChip() {
    WhereBench bench;
    bench.runSchedule();
    QTRY_VERIFY_WITH_TIMEOUT(bench.place().isVisible(), patience);
    QVERIFY2(bench.place().text().startsWith(u"Schedule, "_s), qPrintable(bench.place().text()));
    bench.window.shell().banner().showMessage(Banner::Kind::Info, u"something else"_s);
    QVERIFY(bench.place().isVisible()); // news does not take it away
    bench.window.showView(View::Graph);
    QTest::mouseClick(&bench.place(), Qt::LeftButton);
    bench.rest();
    QVERIFY(!bench.place().isVisible());
    QCOMPARE(bench.text.snapshot(), 0);
    QCOMPARE(bench.banner.text(), u"something else"_s);
    QVERIFY(bench.banner.isVisible()); // which is not the place's to hide
    // The trace is of the input: at another step it says so.
    QVERIFY(!bench.chip(u"schedule"_s).isVisible());
    bench.show(bench.changedRow());
    QCOMPARE(bench.chip(u"schedule"_s).text(), u"The input"_s);
    bench.chip(u"schedule"_s).setFocus();
    QTest::keyClick(&bench.chip(u"schedule"_s), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 0, patience);
    QVERIFY(!bench.chip(u"schedule"_s).isVisible());
  }

  void recordSaysWhatItStartsFrom() {
    WhereBench bench;
    bench.dock(u"pipeline"_s)->show();
    bench.dock(u"pipeline"_s)->raise();
    const auto says = [&](const QString &words) {
      for (const QLabel *label : bench.pipeline.panel().findChildren<QLabel *>())
        if (label->isVisible() && label->text().contains(words))
          return true;
      return false;
    };
    QVERIFY(says(u"starts from the input"_s));
    QVERIFY(!says(u"The schedule that ran"_s));
    bench.runSchedule();
    bench.dock(u"pipeline"_s)->raise();
    QTRY_VERIFY(says(u"The schedule that ran is not part of it"_s));
    const int rows = bench.rows();
    bench.steps.record(bench.session.recordRequest(), bench.steps.currentRow());
    bench.rest();
    QCOMPARE(bench.rows(), rows);
    QVERIFY(!bench.place().isVisible()); // the views show the recorded steps
    QCOMPARE(bench.text.snapshot(), 0);
    QVERIFY2(bench.banner.isVisible() && bench.banner.text().contains(u"from the input, the same as before"_s),
             qPrintable(bench.banner.text()));
    // And what may have been meant is one click away.
    const QList<QPushButton *> buttons = bench.banner.findChildren<QPushButton *>();
    QCOMPARE(buttons.last()->text(), u"Record the Schedule"_s);
    QTest::mouseClick(buttons.last(), Qt::LeftButton);
    bench.rest();
    QVERIFY(!bench.session.recordRequest().schedule.isEmpty());
    QVERIFY(bench.steps.model().stepAt(1)->name.contains(u"transform"_s) ||
            bench.steps.model().stepAt(1)->pass.contains(u"transform"_s) ||
            bench.steps.model().stepAt(1)->pipeline.contains(u"transform"_s));
    QVERIFY(!bench.banner.isVisible());
  }

  void aScheduleIsRecordedFromItsPanel() {
    WhereBench bench;
    bench.runSchedule();
    QPushButton *record = bench.window.controller<ScheduleController>().panel().recordButton();
    QVERIFY(record->isVisible());
    record->setFocus();
    QTest::keyClick(record, Qt::Key_Space);
    bench.rest();
    QVERIFY(bench.session.recordRequest().schedule.endsWith(u"schedule.mlir"_s));
  }

  void theTileExplorerFollowsAFusion() {
    WhereBench bench;
    bench.fusion.actions().fuseAll->trigger();
    bench.rest();
    const int row = bench.steps.currentRow();
    QVERIFY(row > 0);
    bench.tiles.raise();
    for (const NodeData &node : bench.graph.view().scene().nodes)
      if (!bench.tiles.panel().hasDomain()) {
        bench.text.select(node.id, true);
        bench.rest();
      }
    QVERIFY(bench.tiles.panel().hasDomain());
    bench.fusion.actions().undo->trigger();
    bench.rest();
    bench.fusion.actions().cleanUp->trigger(); // other steps with the same numbers
    bench.rest();
    // It shows what is selected now, or nothing: never an op of the steps that are gone.
    QVERIFY(!bench.chip(u"tiles"_s).isVisible());
    if (bench.text.selected() == noNode)
      QVERIFY(!bench.tiles.panel().hasDomain());
    else
      QCOMPARE(qint64(bench.tiles.panel().op()), qint64(bench.text.selected()));
  }

  void theTileExplorerSaysWhichStepItFollowsAnOpOf() {
    WhereBench bench;
    bench.show(0);
    bench.showTiles(u"exp"_s);
    bench.rest();
    const NodeId op = bench.text.selected();
    bench.tiles.follow(0, op, {}, {}); // as tuning does
    bench.rest();
    QVERIFY(!bench.chip(u"tiles"_s).isVisible());
    bench.show(bench.rows() - 1);
    QCOMPARE(bench.chip(u"tiles"_s).text(), u"The input"_s);
    QTest::mouseClick(&bench.chip(u"tiles"_s), Qt::LeftButton);
    bench.rest();
    QVERIFY(!bench.chip(u"tiles"_s).isVisible());
  }

  void aRunSaysWhichStepItRan() {
    WhereBench bench;
    bench.runOnHost();
    QVERIFY2(bench.run.panel().message().startsWith(u"The input: "_s), qPrintable(bench.run.panel().message()));
    StepChip &chip = bench.chip(u"run"_s);
    bench.show(0);
    QVERIFY(!chip.isVisible());
    bench.show(bench.changedRow());
    QVERIFY(chip.isVisible());
    QCOMPARE(chip.text(), u"The input"_s);
    bench.run.panel().setFocus();
    bench.keyHome();
    bench.rest();
    QCOMPARE(bench.steps.currentRow(), 0);
    QVERIFY(!chip.isVisible());
    bench.fusion.actions().fuseAll->trigger();
    bench.rest();
    bench.runOnHost();
    QVERIFY2(bench.run.panel().message().startsWith(u"Step "_s), qPrintable(bench.run.panel().message()));
  }

  void aComparisonSaysWhichStepItIsOf() {
    WhereBench bench;
    auto &compare = bench.window.controller<CompareController>();
    compare.raise();
    bench.show(0);
    QComboBox *with = compare.panel().withBox();
    with->setCurrentIndex(with->findText(u"Form dispatches"_s, Qt::MatchContains));
    QTest::mouseClick(compare.panel().compareButton(), Qt::LeftButton);
    bench.rest();
    QVERIFY(!compare.model().comparison().rows.isEmpty());
    StepChip &chip = bench.chip(u"compare"_s);
    QVERIFY(!chip.isVisible());
    const int row = bench.changedRow();
    bench.show(row);
    QCOMPARE(chip.text(), u"The input"_s);
    QTest::mouseClick(&chip, Qt::LeftButton);
    bench.rest();
    QCOMPARE(int(compare.model().comparison().a.snapshot), bench.steps.model().snapshotAt(row));
    QVERIFY(!chip.isVisible());
  }

  void kernelsAreOfTheProgram() {
    WhereBench bench;
    auto &kernel = bench.window.controller<KernelController>();
    kernel.raise();
    int row = -1; // the first step with dispatches
    for (int at = 1; at < bench.rows() && row < 0; ++at) {
      bench.show(at);
      if (!bench.graph.view().scene().dispatchLocs.isEmpty() && bench.steps.model().snapshotAt(at) > 0)
        row = at;
    }
    QVERIFY(row > 0);
    for (const NodeData &node : bench.graph.view().scene().nodes)
      if (!bench.run.dispatchPlace(node.id).isEmpty())
        bench.text.select(node.id, true);
    bench.rest();
    StepChip &chip = bench.chip(u"kernel"_s);
    QCOMPARE(chip.text(), u"The input"_s);
    chip.setFocus();
    QTest::keyClick(&chip, Qt::Key_Escape);
    bench.rest();
    QCOMPARE(bench.steps.currentRow(), 0);
    QVERIFY(!chip.isVisible());
  }

  void aCrashIsOverInBannerAndProblems() {
    WhereBench bench;
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.record(u"builtin.module(cse,fuselage-test-crash)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.rest();
    QVERIFY(bench.banner.isVisible());
    QVERIFY(bench.problems.model().toText().contains(u"fuselage-test-crash"_s));
    bench.record(u"builtin.module(cse,canonicalize)"_s);
    bench.rest();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
    QVERIFY2(!bench.problems.model().toText().contains(u"fuselage-test-crash"_s),
             qPrintable(bench.problems.model().toText()));
  }

  void anotherDocumentBeginsWithoutProblems() {
    WhereBench bench;
    for (const QString &source : {u"schedule"_s, u"compare"_s, u"engine"_s, u"tool"_s})
      emit bench.window.shell().errorReported(source, u"no"_s,
                                              {.code = 0, .message = source + u" failed"_s, .diagnostics = {}});
    QCOMPARE(bench.problems.model().errorCount(), 4);
    bench.runSchedule(); // has worked since
    QVERIFY(!bench.problems.model().toText().contains(u"schedule failed"_s));
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    QCOMPARE(bench.problems.model().errorCount(), 0);
  }

  void theKeySaysWhereThereIsNothingToClose() {
    WhereBench bench;
    bench.show(0);
    bench.keyHome();
    QTRY_VERIFY(bench.window.statusBar()->currentMessage().contains(u"current step"_s));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowWhereTest)
#include "WindowWhereTest.moc"
