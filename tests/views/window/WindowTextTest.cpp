// Reading IR and diffs in the window: names, wrapping, any two steps, saving, details.
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/text/SaveIrController.h"
#include "app/gui/text/SidesController.h"
#include "app/gui/text/WrittenController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/SidesBar.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffCanvas.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/SearchBar.h"
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
const QByteArray twoFunctions = R"(func.func @first(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sum = math.exp %x : tensor<4xf32>
  %twice = math.exp %sum : tensor<4xf32>
  return %twice : tensor<4xf32>
}
func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sum = math.sqrt %x : tensor<4xf32>
  %0 = func.call @first(%sum) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = arith.addf %sum, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
)";

const QByteArray commented = R"(// The scores of one head.
func.func @head(%query: tensor<8x8xf32>,
                %key: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  // Not scaled.
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scores = linalg.matmul ins(%query, %key : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %sum = linalg.exp ins(%scores : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %sum : tensor<8x8xf32>
}
)";

struct TextBench : WindowBench {
  TextView &view = text.view();

  void read(const QString &path) {
    open(path);
    steps.select(0);
    rest();
    window.showView(View::Text);
    view.setFocus();
  }
  void rest() const { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  /// The place of the n-th `piece` of the text on screen.
  TextPosition find(const QString &piece, int occurrence = 0) const {
    for (int line = 0; line < view.source()->lineCount(); ++line)
      for (qsizetype column = -1; (column = view.source()->line(line)->indexOf(piece, column + 1)) >= 0;)
        if (occurrence-- == 0)
          return {line, int(column)};
    return {-1, -1};
  }
  /// Puts the caret there and waits until the name is lit.
  void stand(TextPosition place) {
    view.setCaret(place);
    QTRY_VERIFY_WITH_TIMEOUT(!view.nameUses().isEmpty() && window.isSettled(), patience);
  }
  QAction *command(const QString &keys) const {
    for (QAction *action : window.findChildren<QAction *>())
      if (action->shortcuts().contains(QKeySequence(keys)))
        return action;
    return nullptr;
  }
  void trigger(const QString &keys) {
    command(keys)->trigger();
    QTest::qWait(1);
    rest();
  }
};
} // namespace

class WindowTextTest : public QObject {
  Q_OBJECT
private slots:
  void namesAreLitAndGoneTo() {
    TextBench bench;
    bench.read(bench.write(u"two.mlir"_s, twoFunctions));
    const TextPosition use = bench.find(u"%sum, %"_s), definition = bench.find(u"%sum = math.sqrt"_s);
    QVERIFY(use.line > 0 && definition.line > 0);
    bench.stand(use);
    QCOMPARE(bench.view.nameUses().size(), 3); // not those of the other function
    QVERIFY(bench.view.nameUses().first().isDefinition);
    QCOMPARE(bench.view.nameUses().first().line, definition.line);
    bench.trigger(u"F12"_s);
    QCOMPARE(bench.view.caret(), definition);
    bench.trigger(u"F12"_s); // on the definition: to the next use
    QCOMPARE(bench.view.caret().line, definition.line + 1);
    bench.trigger(u"Shift+F12"_s);
    QCOMPARE(bench.view.caret(), use);
    bench.trigger(u"Shift+F12"_s); // past the last comes the first
    QCOMPARE(bench.view.caret().line, definition.line + 1);
    bench.trigger(u"Ctrl+Shift+F12"_s);
    QCOMPARE(bench.view.caret(), use);
    bench.trigger(u"Alt+Left"_s);
    QCOMPARE(bench.view.caret().line, definition.line + 1);

    // Symbols, by Ctrl+click; and back.
    const TextPosition call = bench.find(u"@first"_s, 1);
    bench.view.setCaret(call);
    const QRect row = bench.view.rectOfLine(call.line);
    LineRenderer renderer;
    renderer.setFont(monoFont(10));
    const QPoint name(int((3 + 2.75 + 8.0 / renderer.charWidth() + call.column + 2) * renderer.charWidth()),
                      row.center().y());
    QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, Qt::ControlModifier, name);
    bench.rest();
    QTRY_COMPARE_WITH_TIMEOUT(bench.view.caret(), bench.find(u"@first"_s), patience);
    // The graph shows where that is.
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.selected() != noNode, patience);
  }

  void wrappingAndUnifiedAreRemembered() {
    QTemporaryDir scratch;
    TextBench bench;
    bench.read(sample(u"bert_attention.mlir"_s));
    QVERIFY(!bench.view.wraps() && bench.view.folds() && bench.text.diff().folds() && !bench.text.diff().isUnified());
    bench.trigger(u"Alt+Z"_s);
    bench.trigger(u"Ctrl+Shift+U"_s);
    QVERIFY(bench.view.wraps() && bench.text.diff().wraps() && bench.text.diff().isUnified());
    bench.view.grab();
    QCOMPARE(bench.view.horizontalScrollBar()->maximum(), 0);
    bench.text.saveState(bench.settings);
    bench.trigger(u"Alt+Z"_s);
    bench.trigger(u"Ctrl+Shift+U"_s);
    QVERIFY(!bench.view.wraps());
    bench.text.restoreState(bench.settings);
    QVERIFY(bench.view.wraps() && bench.text.diff().isUnified());
  }

  void changedWordsAreOnScreen() {
    TextBench bench;
    bench.read(sample(u"bert_attention.mlir"_s));
    bench.window.resize(1024, 700);
    bench.window.showView(View::Diff);
    auto *canvas = bench.text.diff().findChild<DiffCanvas *>();
    int seen = 0;
    for (int row = 1; row < bench.rows(); ++row) {
      bench.steps.select(row);
      bench.rest();
      for (int change = 0; change < std::min(5, bench.text.diff().changeCount()); ++change) {
        if (change > 0)
          bench.trigger(u"F8"_s);
        const DiffChange &at = canvas->rows().changes()[bench.text.diff().currentChange()];
        for (int i = at.first; i <= at.last; ++i) {
          const VisibleDiffRow shown = canvas->rows().row(i);
          const DiffRowData &data = canvas->rows().diff().rows[shown.source];
          if (shown.kind != DiffRowData::Kind::Changed || data.rightSpans.isEmpty() || data.leftSpans.isEmpty())
            continue;
          const ByteSpan &span = data.rightSpans.first();
          if (span.begin > LineRenderer::maxColumns)
            continue;
          // Where both sides begin far from each other, one of them.
          QTRY_VERIFY_WITH_TIMEOUT(canvas->showsColumns(DiffSide::After, data.right, span.begin, span.begin + 1) ||
                                       canvas->showsColumns(DiffSide::Before, data.left, data.leftSpans.first().begin,
                                                            data.leftSpans.first().begin + 1),
                                   5000);
          ++seen;
          break;
        }
      }
    }
    QVERIFY(seen > 3);
  }

  void anyTwoStepsAreCompared() {
    TextBench bench;
    auto &sides = bench.window.controller<SidesController>();
    bench.read(sample(u"matmul_transpose_bias.mlir"_s));
    bench.trigger(u"Ctrl+D"_s);
    QVERIFY(bench.text.diff().isVisible());
    bench.steps.select(bench.rows() - 1);
    bench.rest();
    const int own = bench.text.diff().diff().added;
    QComboBox *left = sides.bar().leftBox();
    QTRY_COMPARE(left->count(), bench.rows());
    QCOMPARE(sides.bar().right(), bench.text.snapshot());
    QVERIFY(!sides.bar().ownButton()->isEnabled());
    // By keyboard: the input on the left.
    left->setFocus();
    QTest::keyClick(left, Qt::Key_Home);
    bench.rest();
    QCOMPARE(sides.pinned(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.diff().diff().added > own, patience);
    QVERIFY(sides.bar().ownButton()->isEnabled());
    // Another step on the right keeps the left one; the graph tells what is different from there.
    bench.steps.select(1);
    bench.rest();
    QCOMPARE(sides.bar().left(), 0);
    QCOMPARE(sides.bar().right(), bench.text.snapshot());
    QComboBox *right = sides.bar().rightBox();
    right->setCurrentIndex(3);
    emit right->activated(3);
    bench.rest();
    QCOMPARE(bench.steps.currentRow(), 3);
    QCOMPARE(sides.bar().left(), 0);
    sides.bar().ownButton()->click();
    bench.rest();
    QCOMPARE(sides.pinned(), -1);
    QCOMPARE(sides.bar().left(), bench.steps.currentStep()->before);
    // Pinned by command, and back.
    bench.trigger(u"Ctrl+Alt+P"_s);
    QCOMPARE(sides.pinned(), bench.text.snapshot());
    bench.steps.select(5);
    bench.rest();
    QCOMPARE(sides.bar().left(), bench.steps.model().snapshotAt(3));
    bench.trigger(u"Ctrl+Alt+P"_s);
    QCOMPARE(sides.pinned(), -1);
    // A new recording has other steps.
    sides.pin(2);
    bench.record(u"builtin.module(canonicalize,cse)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().size(), 2, patience);
    bench.rest();
    QCOMPARE(sides.pinned(), -1);
  }

  void whatIsSavedOpensAgain() {
    TextBench bench;
    auto &saver = bench.window.controller<SaveIrController>();
    bench.read(sample(u"bert_attention.mlir"_s));
    for (const bool located : {false, true}) {
      bench.steps.select(3);
      bench.rest();
      const int lines = bench.view.source()->lineCount();
      const QString path = bench.scratch.filePath(located ? u"located.mlir"_s : u"plain.mlir"_s);
      saver.save(path, located);
      QTRY_VERIFY_WITH_TIMEOUT(saver.isSettled(), patience);
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QCOMPARE(file.readAll().contains("loc("), located);
      WindowBench other;
      other.open(path);
      QCOMPARE(other.session.document().gaps, 0);
      other.steps.select(0);
      QTRY_VERIFY_WITH_TIMEOUT(other.window.isSettled(), patience);
      QCOMPARE(other.text.view().source()->lineCount(), lines);
    }
    saver.save(u"/no/such/folder/x.mlir"_s, false);
    QTRY_VERIFY_WITH_TIMEOUT(saver.isSettled(), patience);
    QVERIFY(bench.problems.model().errorCount() > 0);
  }

  void theFileIsShownAsWritten() {
    TextBench bench;
    const QString path = bench.write(u"head.mlir"_s, commented);
    bench.read(path);
    auto &written = bench.window.controller<WrittenController>();
    TextView &file = written.view();
    const auto lit = [&file](int line) {
      const QRect row = file.rectOfLine(line);
      return file.viewport()->grab().toImage().pixelColor(1, row.center().y()) == Theme::of(file.palette()).opBar;
    };
    const auto click = [&](int line) {
      QTest::mouseClick(file.viewport(), Qt::LeftButton, {}, {120, file.rectOfLine(line).center().y()});
      bench.rest();
    };
    bench.trigger(u"Ctrl+Alt+W"_s);
    QVERIFY(file.isVisible() && !bench.view.isVisible() && file.hasFocus());
    QCOMPARE(file.source()->lineCount(), 12);
    QCOMPARE(file.source()->line(0), u"// The scores of one head."_s);
    // A line selects its op: the second line of the matmul, too.
    click(8);
    QCOMPARE(bench.text.selected(), bench.graph.find(u"matmul"_s));
    QVERIFY(lit(7) && lit(8) && !lit(6) && !lit(9));
    QCOMPARE(bench.graph.view().currentNode(), bench.text.selected());
    // What is selected elsewhere lights its line.
    bench.text.select(bench.graph.find(u"exp"_s), true);
    bench.rest();
    QTRY_VERIFY(lit(9) && !lit(8));
    QCOMPARE(file.currentLine(), 9);
    // In a later step: what comes from the line.
    bench.record(u"builtin.module(func.func(linalg-generalize-named-ops,cse))"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().size(), 2, patience);
    bench.steps.select(2);
    bench.rest();
    QVERIFY(file.isVisible());
    QCOMPARE(file.source()->lineCount(), 12);
    click(7);
    QVERIFY(bench.text.selected() != noNode && lit(7) && lit(8));
    QCOMPARE(bench.graph.view().currentNode(), bench.text.selected());
    QVERIFY(bench.view.source()
                ->line(bench.text.selectedLine())
                ->contains(u"reduction"_s)); // the generic op that it became
    // The file is searched and copied, not the IR.
    bench.window.controller<SearchController>().findAction()->trigger();
    bench.search.bar().edit()->setText(u"Not scaled"_s);
    bench.search.bar().searchNow();
    bench.rest();
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    bench.rest();
    QTRY_COMPARE_WITH_TIMEOUT(file.currentLine(), 5, patience);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Escape);
    file.setFocus();
    file.setSelection({0, 0}, {1, 0});
    file.copyWithNumbers();
    QVERIFY2(QApplication::clipboard()->text().startsWith(u"1  // The scores"_s),
             qPrintable(QApplication::clipboard()->text()));
    // Esc lets go of the selection first, then of the file.
    QTest::keyClick(&file, Qt::Key_Escape);
    QVERIFY(file.isVisible());
    QJsonObject kept;
    written.saveDocument(kept);
    QTest::keyClick(&file, Qt::Key_Escape);
    QVERIFY(bench.view.isVisible() && bench.view.hasFocus() && !written.action()->isChecked());
    // Remembered for the document, not for another one.
    written.restoreDocument(kept);
    bench.rest();
    QVERIFY(file.isVisible());
    bench.read(bench.write(u"two.mlir"_s, twoFunctions));
    QVERIFY(!file.isVisible() && bench.view.isVisible());
  }

  void namesOfTheFileAreLitAndGoneTo() {
    TextBench bench;
    bench.read(bench.write(u"two.mlir"_s, "// %sum is no use here\n" + twoFunctions));
    bench.trigger(u"Ctrl+Alt+W"_s);
    TextView &file = bench.window.controller<WrittenController>().view();
    QTRY_VERIFY_WITH_TIMEOUT(file.source() && file.source()->lineCount() == 12, patience);
    const auto standOn = [&](TextPosition place) {
      file.setCaret(place);
      QTRY_VERIFY_WITH_TIMEOUT(!file.nameUses().isEmpty() && bench.window.isSettled(), patience);
    };
    const auto lines = [&file](bool definitions) {
      QList<int> found;
      for (const NameUse &use : file.nameUses())
        if (use.isDefinition == definitions)
          found.append(use.line);
      return found;
    };
    // The %sum of the second function is not that of the first.
    standOn({9, int(file.source()->line(9)->indexOf(u"%sum"_s)) + 1});
    QCOMPARE(lines(true), QList<int>{7});
    QCOMPARE(lines(false), (QList<int>{8, 9}));
    bench.trigger(u"F12"_s);
    QCOMPARE(file.caret().line, 7);
    QVERIFY(file.isVisible());
    bench.trigger(u"Shift+F12"_s);
    QTRY_COMPARE_WITH_TIMEOUT(file.caret().line, 8, patience);
    // A symbol is looked for in the whole file.
    file.setNameUses({});
    standOn({8, int(file.source()->line(8)->indexOf(u"@first"_s)) + 2});
    QTRY_COMPARE_WITH_TIMEOUT(lines(true), QList<int>{1}, patience);
    QCOMPARE(lines(false), QList<int>{8});
    // Back in the IR, its own are lit.
    bench.trigger(u"Ctrl+Alt+W"_s);
    bench.stand(bench.find(u"%sum"_s, 1));
    bench.trigger(u"F12"_s);
    QVERIFY(bench.view.isVisible());
    QCOMPARE(bench.view.caret().line, bench.find(u"%sum"_s).line);
  }

  void notesAreMarkedInTheFile() {
    TextBench bench;
    bench.read(bench.write(u"head.mlir"_s, commented));
    bench.text.select(bench.graph.find(u"matmul"_s), true);
    bench.rest();
    bench.trigger(u"Ctrl+B"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.view.notedLines().isEmpty(), patience);
    bench.trigger(u"Ctrl+Alt+W"_s);
    TextView &file = bench.window.controller<WrittenController>().view();
    QTRY_COMPARE_WITH_TIMEOUT(file.notedLines().keys(), QList<int>{7}, patience);
    QVERIFY(file.notedLines().first().contains(u"matmul"_s));
    // In another step the op has another line, but is written where it was.
    bench.record(u"builtin.module(func.func(linalg-generalize-named-ops))"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().size(), 1, patience);
    bench.steps.select(1);
    bench.rest();
    QTRY_COMPARE_WITH_TIMEOUT(file.notedLines().keys(), QList<int>{7}, patience);
    // Taken away while the file is on screen.
    bench.steps.select(0);
    bench.rest();
    bench.text.select(bench.graph.find(u"matmul"_s), true);
    bench.rest();
    bench.trigger(u"Ctrl+B"_s);
    QTRY_VERIFY_WITH_TIMEOUT(file.notedLines().isEmpty(), patience);
  }

  void aDumpIsShownWithTheNumbersOfItsLog() {
    TextBench bench;
    bench.read(bench.write(u"build.log"_s, "// -----// IR Dump Before CSE (cse) //----- //\n"
                                           "func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
                                           "  %0 = math.exp %arg0 : tensor<4xf32>\n"
                                           "  return %0 : tensor<4xf32>\n}\n\n"
                                           "// -----// IR Dump After CSE (cse) //----- //\n"
                                           "func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
                                           "  %0 = math.sqrt %arg0 : tensor<4xf32>\n"
                                           "  return %0 : tensor<4xf32>\n}\n"));
    auto &written = bench.window.controller<WrittenController>();
    bench.trigger(u"Ctrl+Alt+W"_s);
    QCOMPARE(written.view().numberOf(1), 3);
    bench.steps.select(bench.rows() - 1);
    bench.rest();
    QTRY_COMPARE_WITH_TIMEOUT(written.view().numberOf(1), 9, patience);
    QCOMPARE(written.view().source()->line(1), u"  %0 = math.sqrt %arg0 : tensor<4xf32>"_s);
    bench.text.select(bench.graph.find(u"sqrt"_s), true);
    bench.rest();
    QCOMPARE(written.view().currentLine(), 1);
  }

  void detailsWrapAndLinkByOneClick() {
    TextBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    bench.steps.select(0);
    bench.rest();
    const NodeId matmul = bench.graph.find(u"batch_matmul"_s);
    bench.text.select(matmul, true);
    bench.rest();
    auto *panel = bench.window.findChild<DetailsPanel *>();
    QTreeView *tree = panel->tree();
    const DetailsModel &model = bench.text.details();
    QModelIndex user;
    bool isWrapped = false;
    for (int section = 0; section < model.rowCount(); ++section) {
      const QModelIndex top = model.index(section, 0);
      for (int row = 0; row < model.rowCount(top); ++row) {
        const QModelIndex value = model.index(row, DetailsModel::Value, top);
        isWrapped |= tree->visualRect(value).height() > 2 * tree->fontMetrics().lineSpacing();
        QVERIFY(!value.data(Qt::ToolTipRole).toString().isEmpty());
      }
      if (top.data().toString() == u"Users"_s)
        user = model.index(0, 0, top);
    }
    QVERIFY(isWrapped);
    QVERIFY(user.isValid());
    QVERIFY2(user.data().toString().startsWith(u'%'), qPrintable(user.data().toString()));
    QVERIFY(user.siblingAtColumn(DetailsModel::Value).data().toString().contains(u'.'));
    const NodeId wanted = user.data(DetailsModel::OpRole).toLongLong();
    tree->scrollTo(user);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(user).center());
    bench.rest();
    QCOMPARE(bench.text.selected(), wanted);
    bench.trigger(u"Alt+Left"_s);
    QCOMPARE(bench.text.selected(), matmul);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowTextTest)
#include "WindowTextTest.moc"
