// Go to anything, find in what has the keyboard, and across the steps.
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/search/HistoryController.h"
#include "app/gui/search/LocatorController.h"
#include "tests/views/window/LayeredModel.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/locator/LocatorPopup.h"
#include "views/panels/HistoryPanel.h"
#include "views/panels/ReasonPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/SearchBar.h"
#include "views/widgets/help/HelpDialog.h"
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

static const QByteArray twoFunctions =
    R"(func.func @first(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q_mm = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %q_mm : tensor<8x8xf32>
}
func.func @second(%y: tensor<8xf32>) -> tensor<8xf32> {
  %twice = tensor.extract_slice %y[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
  return %twice : tensor<8xf32>
}
)";

namespace {
/// A window with two functions, active, and its locator.
struct SearchBench : WindowBench {
  LocatorController &locator = window.controller<LocatorController>();
  HistoryController &history = window.controller<HistoryController>();
  LocatorPopup &popup = locator.popup();

  explicit SearchBench(const QByteArray &text = twoFunctions) {
    open(write(u"two.mlir"_s, text));
    window.activateWindow();
    graph.view().setFocus();
  }
  /// Types into the popup and waits for all results.
  void type(const QString &text) {
    if (!popup.isVisible())
      QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
    popup.edit()->setText(text);
    QTRY_VERIFY_WITH_TIMEOUT(locator.isComplete(), patience);
  }
  /// "op linalg.matmul" of the first rows.
  QString first(int row = 0) const {
    const LocatorEntry *entry = const_cast<LocatorPopup &>(popup).model().at(row);
    return entry ? kindWord(entry->kind) + u' ' + entry->name : QString();
  }
  void press(Qt::Key key) { QTest::keyClick(popup.edit(), key); }
  QString selectedText() const {
    const int line = const_cast<TextController &>(text).view().currentLine();
    return const_cast<TextController &>(text).view().source()->line(line).value_or(QString()).trimmed();
  }
};
} // namespace

class WindowSearchTest : public QObject {
  Q_OBJECT
private slots:
  void findsOpsValuesAndSymbolsAndGoesThere() {
    SearchBench bench;
    QAbstractItemModelTester tester(&bench.popup.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTest::keyClick(&bench.window, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(bench.popup.isVisible() && bench.popup.edit()->hasFocus());
    QCOMPARE(bench.first(), u"prefix >"_s); // what can be typed stands there
    bench.type(u"linalg.matmul"_s);
    QCOMPARE(bench.first(), u"op linalg.matmul"_s);
    bench.press(Qt::Key_Return);
    QVERIFY(!bench.popup.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY2(bench.selectedText().contains(u"linalg.matmul"_s), qPrintable(bench.selectedText()));
    QVERIFY(bench.graph.view().hasFocus());
    bench.type(u"%twi"_s);
    QCOMPARE(bench.first(), u"value %twice"_s);
    bench.press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.selectedText().startsWith(u"%twice ="_s), patience);
    bench.type(u"@sec"_s);
    QCOMPARE(bench.first(), u"symbol @second"_s);
    bench.type(u"q_mm"_s);
    QCOMPARE(bench.first(), u"value %q_mm"_s);
    bench.type(u"nothing is called so"_s);
    QCOMPARE(bench.first(), u"find Find “nothing is called so” in the IR"_s);
  }

  void movingPreviewsAndEscapeGoesBack() {
    SearchBench bench;
    bench.text.select(bench.graph.find(u"fill"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const NodeId before = bench.text.selected();
    bench.type(u"tensor.extract_slice"_s);
    bench.press(Qt::Key_Down);
    bench.press(Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.text.selected() != before && bench.selectedText().contains(u"tensor.extract_slice"_s), patience);
    QVERIFY(bench.popup.isVisible() && bench.popup.edit()->hasFocus());
    bench.press(Qt::Key_Escape);
    QVERIFY(!bench.popup.isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(bench.text.selected(), before, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
  }

  void everyCommandOfTheMenusIsThere() {
    SearchBench bench;
    bench.type(u">"_s);
    QSet<QString> listed;
    for (int row = 0; row < bench.popup.model().rowCount(); ++row)
      listed.insert(bench.popup.model().at(row)->name);
    int commands = 0;
    const QList<QAction *> titles = bench.window.menuBar()->actions();
    for (const QAction *title : titles)
      for (const QAction *action : title->menu()->actions()) {
        if (action->isSeparator() || action->menu() || title == titles.last())
          continue;
        ++commands;
        QVERIFY2(listed.contains(QString(action->text()).remove(u'&')), qPrintable(action->text()));
      }
    QVERIFY(commands > 30);
    // Disabled ones are shown and cannot be taken.
    bench.type(u"> undo fusion"_s);
    const LocatorEntry *undo = bench.popup.model().at(0);
    QVERIFY(undo && !undo->isEnabled);
    QVERIFY(!(bench.popup.model().flags(bench.popup.model().index(0, 0)) & Qt::ItemIsEnabled));
    // With keys; one that is taken does what its menu does, and is the first the next time.
    bench.type(u"> dark theme"_s);
    QCOMPARE(bench.first(), u"setting Dark Theme"_s);
    bench.press(Qt::Key_Return);
    QCOMPARE(bench.settings.theme(), u"dark"_s);
    bench.type(u""_s);
    QCOMPARE(bench.first(), u"setting Dark Theme"_s);
    bench.type(u"> light theme"_s);
    bench.press(Qt::Key_Return);
    bench.type(u"> next step"_s);
    QCOMPARE(bench.popup.model().at(0)->hint, u"J"_s);
  }

  void findsStepsPassesLinesPlacesAndHelp() {
    SearchBench bench;
    bench.type(u"# Input"_s);
    bench.type(u"#1"_s);
    QVERIFY2(bench.first().startsWith(u"step "_s), qPrintable(bench.first()));
    bench.press(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 2, patience);
    bench.steps.select(0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.type(u":5"_s);
    QStringList kinds{bench.first(0).section(u' ', 0, 0), bench.first(1).section(u' ', 0, 0)};
    kinds.sort();
    QCOMPARE(kinds, QStringList({u"line"_s, u"location"_s}));
    bench.type(u"two.mlir:8"_s);
    QVERIFY2(bench.first().startsWith(u"location two.mlir:8:"_s), qPrintable(bench.first()));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.pipeline.catalog().passes.isEmpty(), patience);
    bench.press(Qt::Key_Escape);
    bench.type(u"? canonicalize"_s);
    QCOMPARE(bench.first(), u"pass canonicalize"_s);
    bench.press(Qt::Key_Return);
    auto *help = bench.window.findChild<HelpDialog *>();
    QVERIFY(help && help->isVisible());
    help->close();
    bench.type(u"what is tiling"_s);
    QCOMPARE(bench.first(), u"help tiling"_s);
    bench.press(Qt::Key_Return);
    QVERIFY(help->isVisible());
    QCOMPARE(help->findChild<QStackedWidget *>()->currentIndex(), int(HelpDialog::Glossary));
    const auto *page = qobject_cast<QTextBrowser *>(help->findChild<QStackedWidget *>()->currentWidget());
    QCOMPARE(page->extraSelections().size(), 1); // its row
    const QString row = page->extraSelections().first().cursor.selectedText();
    QVERIFY2(row.startsWith(u"tiling"_s) && row.contains(u"Splits the iteration domain"_s), qPrintable(row));
    help->close();
    bench.type(u"? LoopForm"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.first(), u"help LoopForm"_s, patience);
    bench.press(Qt::Key_Escape);
    bench.type(u"? CONSUMER_CONTRACTION"_s);
    QCOMPARE(bench.first(), u"help CONSUMER_CONTRACTION"_s);
    bench.press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.fusion.reasons().panel().visibleRegion().isEmpty(), patience);
  }

  void opensWhatIsFoldedAway() {
    SearchBench bench(layeredModel(12));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.graph.outline().rows().isEmpty(), patience);
    bench.type(u"/layer.7.attention"_s);
    QVERIFY2(bench.first().startsWith(u"layer "_s), qPrintable(bench.first()));
    bench.press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const QList<int> path = bench.graph.outline().pathTo(bench.text.selected());
    QVERIFY(!path.isEmpty());
    QVERIFY2(bench.graph.outline().rows()[path.last()].name.contains(u"layer.7"_s),
             qPrintable(bench.graph.outline().rows()[path.last()].name));
    // An op in a box that is closed: the box opens.
    bench.type(u"linalg.matmul"_s);
    for (int i = 0; i < 11; ++i)
      bench.press(Qt::Key_Down);
    const LocatorEntry wanted = *bench.popup.current();
    QCOMPARE(wanted.kind, LocatorKind::Op);
    bench.press(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.text.selected(), wanted.op, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && !bench.graph.view().rectOf(wanted.op).isNull(), patience);
  }

  void leavingClosesAndADocumentIsForgotten() {
    SearchBench bench;
    bench.type(u"matmul"_s);
    bench.steps.panel().list()->setFocus(Qt::MouseFocusReason);
    QVERIFY(!bench.popup.isVisible());
    bench.type(u"linalg.matmul"_s);
    bench.press(Qt::Key_Return);
    bench.type(u""_s);
    QCOMPARE(bench.first(), u"op linalg.matmul"_s);
    bench.press(Qt::Key_Escape);
    bench.open(sample(u"softmax.mlir"_s));
    bench.type(u""_s);
    QCOMPARE(bench.first(), u"prefix >"_s);
  }

  void worksWithoutADocument() {
    WindowBench bench;
    LocatorController &locator = bench.window.controller<LocatorController>();
    locator.open(u"open"_s);
    QVERIFY(locator.isComplete());
    QVERIFY(locator.popup().model().rowCount() > 0);
    QTest::keyClick(locator.popup().edit(), Qt::Key_Escape);
    QVERIFY(!locator.popup().isVisible());
  }

  void findsInTheDiff() {
    SearchBench bench;
    bench.record(u"builtin.module(func.func(linalg-generalize-named-ops))"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() == 2 && bench.window.isSettled(), patience);
    bench.steps.select(1);
    bench.window.showView(View::Diff);
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.diff().changeCount() > 0 && bench.window.isSettled(), patience);
    bench.text.diff().setFocus();
    QTest::keyClick(&bench.window, Qt::Key_F, Qt::ControlModifier);
    const auto *scope = bench.search.bar().findChild<QLabel *>(u"searchScope"_s);
    QCOMPARE(scope->text(), u"Find in Diff"_s);
    QStringList counts;
    const auto count = [&bench] {
      QStringList texts;
      for (const QLabel *label : bench.search.bar().findChildren<QLabel *>())
        texts.append(label->text());
      return texts.last();
    };
    const QImage plain = bench.text.diff().grab().toImage();
    QTest::keyClicks(bench.search.bar().edit(), u"linalg"_s);
    QTRY_VERIFY_WITH_TIMEOUT(count().contains(u"matches"_s), patience);
    QVERIFY(bench.text.diff().grab().toImage() != plain); // they are to be seen
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QVERIFY2(count().startsWith(u"1 of"_s), qPrintable(count()));
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return, Qt::ShiftModifier);
    const QStringList last = count().split(u" of "_s);
    QCOMPARE(last.value(0), last.value(1));
    // In a fold: it opens.
    bench.text.diff().setContextLines(0);
    bench.search.bar().edit()->setText(u"%twice = "_s);
    bench.search.bar().searchNow();
    QTRY_COMPARE_WITH_TIMEOUT(count(), u"1 match"_s, patience);
    const QImage folded = bench.text.diff().grab().toImage();
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QVERIFY(bench.text.diff().grab().toImage() != folded);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Escape);
    QVERIFY(!bench.search.bar().isVisible());
    QVERIFY(bench.text.diff().isAncestorOf(bench.window.focusWidget()) || bench.text.diff().hasFocus());
  }

  void findsInTheTextAndInAList() {
    SearchBench bench;
    bench.window.showView(View::Text);
    bench.text.view().setFocus();
    QTest::keyClick(&bench.window, Qt::Key_F, Qt::ControlModifier);
    const auto *scope = bench.search.bar().findChild<QLabel *>(u"searchScope"_s);
    QCOMPARE(scope->text(), u"Find in IR"_s);
    QTest::keyClicks(bench.search.bar().edit(), u"tensor\\.extract_slice"_s);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTest::qWait(50);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.selectedText().contains(u"tensor.extract_slice"_s), patience);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Escape);
    QVERIFY(bench.text.view().hasFocus());

    QTreeView *list = bench.steps.panel().list();
    list->setFocus();
    QTest::keyClick(&bench.window, Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(scope->text(), u"Find in Steps"_s);
    QTest::keyClicks(bench.search.bar().edit(), u"dispatches"_s);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QVERIFY(list->currentIndex()
                .siblingAtColumn(StepModel::Name)
                .data()
                .toString()
                .contains(u"dispatches"_s, Qt::CaseInsensitive));
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Escape);
    QVERIFY(list->hasFocus());
  }

  void followsAnOpAndATextAcrossTheSteps() {
    SearchBench bench(twoFunctions.first(twoFunctions.indexOf("func.func @second"))); // the first alone
    bench.record(
        u"builtin.module(cse,func.func(linalg-generalize-named-ops),one-shot-bufferize{bufferize-function-boundaries})"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() == 4 && bench.window.isSettled(), patience);
    QAbstractItemModelTester tester(&bench.history.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    bench.steps.select(0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().snapshot == 0 && bench.window.isSettled(), patience);
    bench.text.select(bench.graph.find(u"matmul"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.history.followAction()->isEnabled(), patience);
    bench.history.followAction()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.history.model().eventCount(), 3, patience);
    const auto cell = [&bench](int row, int column) {
      return bench.history.model().index(row, column).data().toString();
    };
    QCOMPARE(cell(0, HistoryModel::Name), u"the input"_s);
    QCOMPARE(cell(0, HistoryModel::Change), u"was there"_s);
    QCOMPARE(cell(1, HistoryModel::Name), u"linalg-generalize-named-ops"_s);
    QCOMPARE(cell(1, HistoryModel::Change), u"changed"_s);
    bench.history.panel().table()->selectRow(1);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 2, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.selectedText().contains(u"linalg.generic"_s), patience);

    // The rewrite that did it stands below its step, and leads to the IR after it.
    QCOMPARE(cell(2, HistoryModel::Name).trimmed(), u"LinalgGeneralizationPattern"_s);
    QCOMPARE(cell(2, HistoryModel::Change), u"replaced"_s);
    QCOMPARE(cell(2, HistoryModel::Text), u"linalg.matmul"_s);
    bench.history.panel().table()->selectRow(2);
    auto &rewrites = bench.window.controller<RewritesController>();
    QTRY_COMPARE_WITH_TIMEOUT(rewrites.shown(), bench.history.model().rewriteAt(2)->rewrite, patience);
    QCOMPARE(rewrites.step(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);

    // From the locator, as text.
    bench.type(u"memref.alloc"_s);
    for (int row = 0; row < bench.popup.model().rowCount(); ++row)
      if (bench.popup.model().at(row)->kind == LocatorKind::History)
        bench.popup.list()->setCurrentIndex(bench.popup.model().index(row, 0));
    bench.press(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.history.model().rowCount(), 1, patience);
    QCOMPARE(cell(0, HistoryModel::Change), u"introduced"_s);
    QCOMPARE(cell(0, HistoryModel::Step), u"2"_s);
    // Other steps: nothing is known of them.
    bench.record(u"builtin.module(cse)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() == 2 && bench.window.isSettled(), patience);
    QCOMPARE(bench.history.model().rowCount(), 0);
  }

  void filtersStepsByFunctionAndByOp() {
    WindowBench bench;
    const auto dump = [](const QByteArray &pass, const QByteArray &function, const QByteArray &body) {
      return "// -----// IR Dump After " + pass + " //----- //\nfunc.func @" + function + "(%a: i32) -> i32 {\n" +
             body + "}\n\n";
    };
    const QByteArray add = "  %0 = arith.addi %a, %a : i32\n", back = "  return %0 : i32\n";
    bench.open(
        bench.write(u"two.log"_s, dump("A (a)", "f", add + back) +
                                      dump("B (b)", "f", "  %0 = arith.addi %a, %a overflow<nsw> : i32\n" + back) +
                                      dump("A (a)", "g", add + back) + dump("C (crop)", "g", "  return %a : i32\n")));
    QCOMPARE(bench.rows(), 5);
    QLineEdit *filter = bench.steps.panel().filterEdit();
    const auto shown = [&bench] { return bench.steps.panel().list()->model()->rowCount(); };
    filter->setText(u"@g"_s);
    QCOMPARE(shown(), 3); // the log, and two passes on g
    filter->setText(u"@g crop"_s);
    QCOMPARE(shown(), 2);
    // B left as many of them as it found, and changed one.
    filter->setText(u"op:arith.addi"_s);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), 3, patience);
    filter->setText(u"op:arith.muli"_s);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), 1, patience);
    QVERIFY(StepFilter::completions(bench.steps.model().steps()).contains(u"@f"_s));
    const QModelIndex name = bench.steps.model().index(4, StepModel::Name);
    QCOMPARE(name.data().toString(), u"crop  @g"_s);
    QCOMPARE(name.data(StepModel::AnchorRole).toString(), u"@g"_s);
  }

  void filtersStepsByDispatch() {
    WindowBench bench;
    bench.open(bench.write(
        u"dispatches.mlir"_s,
        R"(func.func @f(%x: tensor<8x8xf32>, %y: tensor<4xf32>) -> (tensor<8x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %m = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%y : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.exp ins(%y : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %m, %a, %b : tensor<8x8xf32>, tensor<4xf32>, tensor<4xf32>
}
)"));
    bench.record(u"builtin.module(cse,linalg-generalize-named-ops,symbol-dce)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() == 4 && bench.window.isSettled(), patience);
    QLineEdit *filter = bench.steps.panel().filterEdit();
    const auto shown = [&bench] {
      QStringList names;
      const QAbstractItemModel *list = bench.steps.panel().list()->model();
      for (int row = 1; row < list->rowCount(); ++row)
        names.append(list->index(row, StepModel::Name).data().toString());
      return names.join(u", "_s);
    };
    filter->setText(u"dispatch:matmul"_s);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), u"linalg-generalize-named-ops"_s, patience);
    filter->setText(u"dispatch:exp"_s);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), u"cse, linalg-generalize-named-ops"_s, patience);
    // Several words hold together, whichever the engine is asked for first.
    filter->setText(u"dispatch:exp op:linalg.matmul"_s);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), u"linalg-generalize-named-ops"_s, patience);
    filter->setText(u"dispatch:nothing"_s);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), QString(), patience);
    // The names are offered.
    filter->clear();
    filter->setFocus();
    QTest::keyClicks(filter, u"dispatch:ma"_s);
    QVERIFY(filter->completer());
    QTRY_VERIFY_WITH_TIMEOUT(filter->completer()->completionCount() > 0, patience);
    QVERIFY2(filter->completer()->currentCompletion().contains(u"dispatch:matmul_8x8x8"_s),
             qPrintable(filter->completer()->currentCompletion()));
  }

  void theStatusBarCountsWhatIsShown() {
    SearchBench bench(twoFunctions.first(twoFunctions.indexOf("func.func @second")));
    const auto facts = [&bench] {
      for (const QLabel *label : bench.window.findChildren<QLabel *>())
        if (label->text().startsWith(u"two.mlir "_s))
          return label->text();
      return QString();
    };
    bench.record(
        u"builtin.module(one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops))"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() == 3 && bench.window.isSettled(), patience);
    bench.steps.select(0);
    QTRY_VERIFY_WITH_TIMEOUT(facts().contains(u"%1 lines"_s.arg(bench.text.view().source()->lineCount())), patience);
    const QString before = facts();
    bench.steps.select(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && facts() != before, patience);
    QVERIFY2(facts().contains(u"%1 lines"_s.arg(bench.text.view().source()->lineCount())), qPrintable(facts()));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowSearchTest)
#include "WindowSearchTest.moc"
