// The rewrites of a step in the window, by keyboard.
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/StepChip.h"
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
/// `bert_attention` after canonicalization and fusion, with the second step selected.
struct FusedBench : WindowBench {
  RewritesController &rewrites;
  FusedBench() : rewrites(window.controller<RewritesController>()) {
    open(sample(u"bert_attention.mlir"_s));
    record(u"canonicalize,linalg-fuse-elementwise-ops"_s);
    if (!QTest::qWaitFor([this] { return session.steps().size() == 2 && window.isSettled(); }, patience))
      qFatal("the pipeline was not recorded");
    steps.select(2);
    steps.panel().list()->setFocus();
  }
  bool settles() {
    return QTest::qWaitFor([this] { return window.isSettled(); }, patience);
  }
  TextView &text_() { return WindowBench::text.view(); }
};
} // namespace

class WindowRewritesTest : public QObject {
  Q_OBJECT
private slots:
  void stepsInsideOfAStepByKey() {
    FusedBench bench;
    QWidget *list = bench.steps.panel().list();
    bench.window.showView(View::Diff);
    QTest::keyClick(list, Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 0, patience);
    QVERIFY2(bench.rewrites.panel().summary().startsWith(u"17 rewrites by 3 patterns"_s),
             qPrintable(bench.rewrites.panel().summary()));
    const int count = int(bench.rewrites.panel().model().rewrites().size());
    QTest::keyClick(list, Qt::Key_J);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.steps.showsPlace(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.WindowBench::text.diff().changeCount() > 0, patience);
    bench.window.showView(View::Graph);
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.view().scene().snapshot, bench.WindowBench::text.snapshot(), patience);
    QTest::keyClick(list, Qt::Key_K);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 0, patience);
    // Behind the last one is the next step, here none: the last rewrite leaves what the step left.
    bench.rewrites.panel().table()->selectRow(count - 1);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), count - 1, patience);
    QVERIFY(bench.settles());
    const int place = bench.WindowBench::text.snapshot();
    const int lines = bench.text_().source()->lineCount();
    bench.window.shell().centre().placeChip().click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.WindowBench::text.snapshot() != place, patience);
    QVERIFY(bench.settles());
    QCOMPARE(bench.rewrites.shown(), -1);
    QCOMPARE(bench.text_().source()->lineCount(), lines);
    // Before the first one is the step before.
    QTest::keyClick(list, Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 0, patience);
    QTest::keyClick(list, Qt::Key_K);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.panel().currentRow(), 1, patience);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.panel().model().rowCount(), 0, patience);
  }

  void filtersByPatternOpAndFunction() {
    FusedBench bench;
    QAbstractItemModelTester tester(&bench.rewrites.panel().model());
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 0, patience);
    RewritesPanel &panel = bench.rewrites.panel();
    panel.filterEdit()->setText(u"FuseElementwise"_s);
    QTRY_COMPARE_WITH_TIMEOUT(panel.table()->model()->rowCount(), 13, patience);
    // The next one is the next that the filter leaves.
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_J);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 3, patience);
    panel.filterEdit()->setText(u"@nowhere"_s);
    QTRY_COMPARE_WITH_TIMEOUT(panel.table()->model()->rowCount(), 0, patience);
    panel.filterEdit()->setText(u"@forward"_s);
    QTRY_COMPARE_WITH_TIMEOUT(panel.table()->model()->rowCount(), panel.model().rowCount(), patience);
  }

  void saysWhatWasTriedOnAnOp() {
    FusedBench bench;
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 0, patience);
    bench.window.shell().centre().placeChip().click();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.steps.showsPlace(), patience);
    QVERIFY(bench.settles());
    bench.rewrites.panel().tabs()->setCurrentIndex(RewritesPanel::SelectedOp);
    const NodeId op = bench.graph.find(u"batch_matmul"_s);
    QVERIFY(op != noNode);
    bench.WindowBench::text.select(op, true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rewrites.panel().attempts().rowCount() > 2, patience);
    QCOMPARE(bench.rewrites.panel().attempts().attempts().first().outcome, u"declined"_s);
  }

  void showsTheStepWithoutAPattern() {
    FusedBench bench;
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 0, patience);
    QVERIFY(bench.settles());
    bench.window.showView(View::Diff);
    emit bench.rewrites.panel().skipRequested(0, true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.shell().centre().placeChip().text().contains(u"without"_s), patience);
    QVERIFY(bench.settles());
    QCOMPARE(bench.rewrites.shown(), -1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.WindowBench::text.diff().changeCount() > 0, patience);
  }

  void aStepThatRanElsewhereHasNone() {
    WindowBench bench;
    auto &rewrites = bench.window.controller<RewritesController>();
    bench.open(sample(u"softmax.mlir"_s));
    bench.steps.select(0);
    rewrites.enterStep(); // of the input: nothing happens
    QVERIFY(!bench.steps.showsPlace());
    QCOMPARE(rewrites.shown(), -1);
  }
};

QTEST_MAIN(WindowRewritesTest)
#include "WindowRewritesTest.moc"
