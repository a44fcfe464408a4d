// The rewrites of a step in the window, by keyboard.
#include "app/gui/compare/CompareController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/rewrites/Breakpoints.h"
#include "app/gui/rewrites/OpPatterns.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "app/gui/rewrites/WhatIf.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/ComparePanel.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/StepChip.h"
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
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

/// Functions of integer sums, in which canonicalization finds five things to do in each of 220 rows.
QByteArray manySums() {
  QByteArray text;
  for (int function = 0; function < 10; ++function) {
    text += "func.func @layer_" + QByteArray::number(function) +
            "(%x: i32) -> i32 {\n  %c1 = arith.constant 1 : i32\n  %c2 = arith.constant 2 : i32\n  %c0 = "
            "arith.constant 0 : i32\n";
    QByteArray last = "x";
    for (int row = 0; row < 220; ++row) {
      QByteArray lines = "  %p@ = arith.addi %LAST, %c1 : i32\n  %q@ = arith.addi %p@, %c2 : i32\n"
                         "  %z@ = arith.addi %q@, %c0 : i32\n  %d@ = arith.muli %z@, %z@ : i32\n"
                         "  %y@ = arith.xori %z@, %x : i32\n";
      text += lines.replace("LAST", last).replace("@", QByteArray::number(row));
      last = "y" + QByteArray::number(row);
    }
    text += "  return %" + last + " : i32\n}\n";
  }
  return text;
}
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

  void takesTenThousandRewrites() {
    RewritesPanel panel;
    QAbstractItemModelTester rewrites(&panel.model()), patterns(&panel.patterns()), attempts(&panel.attempts());
    constexpr int count = 10000;
    protocol::StepRewrites list;
    for (int index = 0; index < count; ++index) {
      protocol::StepRewrite rewrite;
      rewrite.index = index;
      rewrite.kind = index % 2 == 0 ? u"pattern"_s : u"fold"_s;
      rewrite.pattern = index % 2 == 0 ? u"Pattern%1"_s.arg(index % 100) : QString();
      rewrite.op = u"arith.addf"_s;
      rewrite.function = u"f%1"_s.arg(index % 10);
      rewrite.inserted = {{u"arith.mulf"_s, 1}};
      list.rewrites.append(rewrite);
    }
    list.attempts = count;
    list.summary = u"5,000 rewrites by 50 patterns, 5,000 folds; 10,000 attempts"_s;
    panel.resize(700, 300);
    panel.show();
    panel.setRewrites(list);
    QCOMPARE(panel.summary(), list.summary);
    panel.filterEdit()->setText(u"Pattern98"_s);
    QCOMPARE(panel.table()->model()->rowCount(), count / 100);
    panel.setCurrent(count - 1); // which the filter hides
    QCOMPARE(panel.current(), count - 1);
    QCOMPARE(panel.table()->model()->rowCount(), count);
    QCOMPARE(panel.neighbour(1), -1);
    QCOMPARE(panel.neighbour(-1), count - 2);
    panel.setRewrites({});
    QCOMPARE(panel.current(), -1);
  }

  void walksThroughTenThousandByKey() {
    WindowBench bench;
    auto &rewrites = bench.window.controller<RewritesController>();
    bench.open(bench.write(u"many.mlir"_s, manySums()));
    bench.record(u"canonicalize"_s);
    const auto settles = [&] { return QTest::qWaitFor([&] { return bench.window.isSettled(); }, patience); };
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().size(), 1, patience);
    QVERIFY(settles());
    QWidget *list = bench.steps.panel().list();
    bench.steps.select(1);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), 0, patience);
    RewritesPanel &panel = rewrites.panel();
    const int count = panel.model().rowCount();
    QVERIFY2(count > 10'000, qPrintable(panel.summary()));
    for (int rewrite = 1; rewrite < 6; ++rewrite) {
      QTest::keyClick(list, Qt::Key_J);
      QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), rewrite, patience);
    }
    QVERIFY(settles());
    // The keys of the table do the same.
    panel.table()->setFocus();
    QTest::keyClick(panel.table(), Qt::Key_End, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), count - 1, patience);
    QVERIFY(settles());
    const QRect last = panel.table()->visualRect(panel.table()->currentIndex());
    QVERIFY(panel.table()->viewport()->rect().intersects(last));
    QTest::keyClick(panel.table(), Qt::Key_Up);
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), count - 2, patience);
    QTest::keyClicks(panel.filterEdit(), u"AddIAdd"_s);
    QTRY_VERIFY_WITH_TIMEOUT(panel.table()->model()->rowCount() < count / 4, patience);
    QVERIFY(panel.table()->model()->rowCount() > 0);
    panel.filterEdit()->clear();
    panel.setCurrent(count / 2);
    // What was shown is shown again by a new engine.
    QTest::keyClick(panel.table(), Qt::Key_Down);
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), count / 2 + 1, patience);
    QVERIFY(settles());
    bench.killEngine();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() != EngineSession::State::Ready, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() == EngineSession::State::Ready && bench.window.isSettled() &&
                                 panel.model().rowCount() == count,
                             patience);
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), count / 2 + 1, 10'000);
    QCOMPARE(panel.current(), count / 2 + 1);
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
    // It stays beside the step, is compared as steps are, and can take its place.
    auto &whatIf = bench.window.controller<WhatIfController>();
    QCOMPARE(whatIf.page().list()->count(), 1);
    auto &compare = bench.window.controller<CompareController>();
    QVERIFY(compare.panel().withBox()->findText(whatIf.whatIfs().first().name) >= 0);
    bench.window.shell().centre().placeChip().click();
    QVERIFY(bench.settles());
    compare.panel().withBox()->setCurrentIndex(compare.panel().withBox()->findText(whatIf.whatIfs().first().name));
    compare.panel().compareButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!compare.model().comparison().b.dispatches.isEmpty(), patience);
    QCOMPARE(compare.model().comparison().b.snapshot, whatIf.whatIfs().first().snapshot);
    const QString pipeline = whatIf.whatIfs().first().pipeline;
    whatIf.page().keepButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().last().pass, u"fuselage-without-pattern"_s, patience);
    QVERIFY(bench.settles());
    QVERIFY(pipeline.contains(u"FuseElementwiseOps"_s));
    QCOMPARE(whatIf.page().list()->count(), 0);
  }

  void stopsAtBreakpoints() {
    FusedBench bench;
    QWidget *list = bench.steps.panel().list();
    auto &breakpoints = bench.window.controller<BreakpointsController>();
    bench.steps.select(0);
    QVERIFY(bench.settles());
    QTest::keyClick(list, Qt::Key_C); // there is none: where one is added
    QCOMPARE(bench.rewrites.panel().tabs()->currentWidget(), &breakpoints.page());
    QTest::keyClicks(breakpoints.page().edit(), u"FuseElementwiseOps"_s);
    QTest::keyClick(breakpoints.page().edit(), Qt::Key_Return);
    QCOMPARE(breakpoints.page().breakpoints(true), QStringList{u"FuseElementwiseOps"_s});
    list->setFocus();
    const auto isFusion = [&](int rewrite) {
      return bench.rewrites.panel().model().rewrites()[rewrite].pattern == u"FuseElementwiseOps"_s;
    };
    int last = -1;
    for (int hit = 0; hit < 13; ++hit) {
      QTest::keyClick(list, Qt::Key_C);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.rewrites.shown() > last, patience);
      QCOMPARE(bench.steps.panel().currentRow(), 2);
      last = bench.rewrites.shown();
      QVERIFY(isFusion(last));
    }
    QTest::keyClick(list, Qt::Key_C);
    QVERIFY(bench.settles());
    QCOMPARE(bench.rewrites.shown(), last); // there is no further one
    QTest::keyClick(list, Qt::Key_C, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.rewrites.shown() < last, patience);
    QVERIFY(isFusion(bench.rewrites.shown()));
    // One that is switched off stops nothing; Del removes it.
    breakpoints.page().list()->item(0)->setCheckState(Qt::Unchecked);
    QVERIFY(breakpoints.page().breakpoints(true).isEmpty());
    QTest::keyClick(breakpoints.page().list(), Qt::Key_Delete);
    QVERIFY(breakpoints.page().breakpoints(false).isEmpty());
    // The menu of a rewrite sets one.
    emit bench.rewrites.panel().breakRequested(u"@forward"_s);
    QCOMPARE(breakpoints.page().breakpoints(true), QStringList{u"@forward"_s});
  }

  void theEvidenceOfAMissedFusionLeadsToPatterns() {
    FusedBench bench;
    auto &fusion = bench.window.controller<FusionController>();
    auto &patterns = bench.window.controller<OpPatternsController>();
    fusion.showDearest(); // asks for the report
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && fusion.model().rowCount() > 0, patience);
    fusion.showDearest();
    QTRY_VERIFY_WITH_TIMEOUT(fusion.selectedEdge(), patience);
    const qint64 consumer = fusion.selectedEdge()->to;
    emit fusion.panel().patternsRequested(consumer, false);
    QTRY_VERIFY_WITH_TIMEOUT(patterns.model().rowCount() > 0, patience);
    QCOMPARE(bench.WindowBench::text.selected(), consumer);
    emit fusion.panel().patternsRequested(consumer, true);
    QCOMPARE(bench.rewrites.panel().tabs()->currentIndex(), int(RewritesPanel::SelectedOp));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.rewrites.panel().attempts().rowCount() > 0, patience);
  }

  void appliesAPatternAsAStep() {
    FusedBench bench;
    auto &patterns = bench.window.controller<OpPatternsController>();
    QAbstractItemModelTester tester(&patterns.model());
    bench.steps.select(1);
    QVERIFY(bench.settles());
    QCOMPARE(patterns.page().passesEdit()->text(), u"canonicalize,linalg-fuse-elementwise-ops"_s);
    bench.rewrites.raise(bench.rewrites.panel().tabs()->indexOf(&patterns.page()));
    bench.WindowBench::text.select(12, true); // a linalg.generic that takes its producer in
    QTRY_VERIFY_WITH_TIMEOUT(patterns.model().rowCount() > 5, patience);
    const protocol::PatternOffer first = patterns.model().patterns().first();
    QCOMPARE(first.pattern, u"FuseElementwiseOps"_s);
    QVERIFY(first.applies);
    QVERIFY(!patterns.model().patterns().last().applies);
    QVERIFY(!patterns.page().applyButton()->isEnabled());
    bench.window.showView(View::Diff);
    patterns.page().table()->selectRow(0); // a preview
    QTRY_VERIFY_WITH_TIMEOUT(bench.steps.showsPlace(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.WindowBench::text.diff().changeCount() > 0, patience);
    QTRY_VERIFY_WITH_TIMEOUT(patterns.page().applyButton()->isEnabled(), patience);
    patterns.page().table()->selectRow(patterns.model().rowCount() - 1); // declines
    QTRY_VERIFY_WITH_TIMEOUT(!bench.steps.showsPlace(), patience);
    QVERIFY(bench.settles());
    patterns.page().table()->selectRow(0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.steps.showsPlace(), patience);
    QVERIFY(bench.settles());
    patterns.page().applyButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().last().pass, u"fuselage-apply-pattern"_s, patience);
    QVERIFY(bench.settles());
    QVERIFY(!bench.steps.showsPlace());
    QVERIFY(!bench.session.steps().last().failed);
  }

  /// What the menu of a rewrite and the buttons do, by keys alone.
  void skipsAndAppliesByKey() {
    FusedBench bench;
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rewrites.shown(), 0, patience);
    QVERIFY(bench.settles());
    QTableView *table = bench.rewrites.panel().table();
    table->setFocus();
    // The menu key, and the letter of Without This Pattern.
    QTimer untilOpen;
    connect(&untilOpen, &QTimer::timeout, &bench.window, [&untilOpen] {
      QWidget *popup = QApplication::activePopupWidget();
      if (!popup)
        return;
      untilOpen.stop();
      QTest::keyClick(popup, Qt::Key_P);
    });
    untilOpen.start(10);
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, table->visualRect(table->currentIndex()).center());
    QApplication::sendEvent(table->viewport(), &menu);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.shell().centre().placeChip().text().contains(u"without"_s), patience);
    QVERIFY(bench.settles());
    auto &whatIf = bench.window.controller<WhatIfController>();
    bench.rewrites.panel().tabs()->setCurrentWidget(&whatIf.page());
    bench.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.window));
    whatIf.page().list()->setFocus();
    QTest::keyClick(whatIf.page().list(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), whatIf.page().keepButton());
    QTest::keyClick(whatIf.page().keepButton(), Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().last().pass, u"fuselage-without-pattern"_s, patience);
    QVERIFY(bench.settles());
    auto &patterns = bench.window.controller<OpPatternsController>();
    bench.steps.select(1);
    QVERIFY(bench.settles());
    bench.rewrites.raise(bench.rewrites.panel().tabs()->indexOf(&patterns.page()));
    bench.WindowBench::text.select(12, true);
    QLineEdit *passes = patterns.page().passesEdit();
    passes->setFocus();
    QTest::keyClick(passes, Qt::Key_End);
    QTest::keyClicks(passes, u",linalg-fuse-elementwise-ops"_s);
    QTest::keyClick(passes, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(patterns.model().rowCount() > 5, patience);
    QVERIFY(bench.settles());
    patterns.page().table()->setFocus();
    QTest::keyClick(patterns.page().table(), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(patterns.page().table(), Qt::Key_Down);
    QTest::keyClick(patterns.page().table(), Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(patterns.page().applyButton()->isEnabled() && bench.window.isSettled(), patience);
    QTest::keyClick(patterns.page().table(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(QApplication::focusWidget(), patterns.page().applyButton());
    QTest::keyClick(patterns.page().applyButton(), Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().last().pass, u"fuselage-apply-pattern"_s, patience);
    QVERIFY(bench.settles());
  }

  /// IR that does not verify in the middle of a step is nobody's error.
  void irThatDoesNotVerifyHasNoGraph() {
    WindowBench bench;
    auto &rewrites = bench.window.controller<RewritesController>();
    auto &problems = bench.window.controller<ProblemsController>();
    bench.open(sample(u"bert_attention.mlir"_s));
    bench.steps.record({}, 0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.steps().size() > 8 && bench.window.isSettled(), patience);
    const QList<protocol::Step> &steps = bench.session.steps();
    const auto outline = std::find_if(steps.begin(), steps.end(),
                                      [](const protocol::Step &step) { return step.name == u"Outline dispatches"_s; });
    QVERIFY(outline != steps.end());
    bench.steps.select(int(outline - steps.begin()) + 1);
    QVERIFY(QTest::qWaitFor([&] { return bench.window.isSettled(); }, patience));
    const int before = problems.model().rowCount();
    bench.steps.panel().list()->setFocus();
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), 0, patience);
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_J);
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().nodes.isEmpty() && bench.window.isSettled(), patience);
    QCOMPARE(problems.model().rowCount(), before);
    QVERIFY(rewrites.panel().table()->isVisible());
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
