// Back and Forward: from wherever the user jumped, to exactly where that was.
#include "app/gui/navigation/NavigationController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include <QScrollBar>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
struct NavigationBench : WindowBench {
  NavigationController &navigation = window.controller<NavigationController>();
  QAction *back = nullptr, *forward = nullptr;

  explicit NavigationBench(const QString &path) {
    open(path);
    window.activateWindow();
    for (QAction *action : window.findChildren<QAction *>()) {
      if (action->shortcuts().contains(QKeySequence(u"Alt+Left"_s)))
        back = action;
      if (action->shortcuts().contains(QKeySequence(u"Alt+Right"_s)))
        forward = action;
    }
  }
  void rest() const { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  void go(QAction *action) const {
    action->trigger();
    rest();
  }
  void press(Qt::MouseButton button) {
    QTest::mouseClick(&graph.view(), button, {}, graph.view().rect().center());
    rest();
  }
  void click(NodeId node) {
    graph.view().reveal(node);
    QTest::mouseClick(&graph.view(), Qt::LeftButton, {}, graph.view().rectOf(node).center().toPoint());
    rest();
  }
};
} // namespace

class WindowNavigationTest : public QObject {
  Q_OBJECT
private slots:
  void goesBackToTheOpTheStepAndTheView() {
    NavigationBench bench(sample(u"bert_attention.mlir"_s));
    QVERIFY(bench.back && bench.forward);
    QVERIFY(!bench.back->isEnabled() && !bench.forward->isEnabled());
    const NodeId first = bench.graph.find(u"batch_matmul"_s);
    const NodeId second = bench.graph.view().scene().nodes.last().id;
    QVERIFY(first != noNode && first != second);
    bench.click(first);
    QCOMPARE(bench.text.selected(), first);
    bench.click(second);
    QCOMPARE(bench.text.selected(), second);
    QVERIFY(bench.back->isEnabled());
    bench.window.showView(View::Text);
    bench.rest();
    QTest::qWait(800);
    bench.steps.select(bench.rows() - 1);
    bench.rest();
    QVERIFY(bench.text.snapshot() != 0);

    bench.go(bench.back);
    QCOMPARE(bench.text.snapshot(), 0);
    QCOMPARE(bench.steps.currentRow(), 0);
    QCOMPARE(bench.text.selected(), second);
    QCOMPARE(bench.navigation.current().snapshot, 0);
    QVERIFY(bench.text.view().isVisible() && !bench.graph.view().isVisible());
    bench.go(bench.back);
    QCOMPARE(bench.text.selected(), second);
    QVERIFY(bench.graph.view().isVisible());
    bench.press(Qt::BackButton);
    QCOMPARE(bench.text.selected(), first);
    bench.press(Qt::ForwardButton);
    QCOMPARE(bench.text.selected(), second);
    bench.go(bench.forward);
    bench.go(bench.forward);
    QCOMPARE(bench.steps.currentRow(), bench.rows() - 1);
    QVERIFY(!bench.forward->isEnabled());
  }

  void arrowKeysAreNoJumps() {
    NavigationBench bench(sample(u"bert_attention.mlir"_s));
    bench.click(bench.graph.find(u"batch_matmul"_s));
    const NodeId start = bench.text.selected();
    QTest::qWait(800);
    bench.graph.view().setFocus();
    for (int i = 0; i < 4; ++i) {
      QTest::keyClick(&bench.graph.view(), Qt::Key_Down);
      bench.rest();
    }
    QVERIFY(bench.text.selected() != start);
    const NodeId walkedTo = bench.text.selected();
    const NodeId last = bench.graph.view().scene().nodes.last().id;
    QVERIFY(last != walkedTo);
    bench.click(last);
    bench.go(bench.back);
    QCOMPARE(bench.text.selected(), walkedTo);
    bench.go(bench.back);
    QVERIFY(bench.text.selected() != start); // before the first click
  }

  void stepsThatFollowQuicklyAreOneJump() {
    NavigationBench bench(sample(u"softmax.mlir"_s));
    QTest::qWait(800);
    for (int i = 0; i < 5; ++i)
      QTest::keyClick(&bench.window, Qt::Key_J);
    QCOMPARE(bench.steps.currentRow(), 5);
    QTest::keyClick(&bench.window, Qt::Key_Left, Qt::AltModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 0, patience);
    QTest::keyClick(&bench.window, Qt::Key_Right, Qt::AltModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 5, patience);
  }

  void theTextComesBackAsItWas() {
    QByteArray text = "func.func @long(%x: tensor<4xf32>) -> tensor<4xf32> {\n";
    for (int i = 0; i < 400; ++i)
      text += "  %v" + QByteArray::number(i) + " = math.exp " + (i ? "%v" + QByteArray::number(i - 1) : "%x") +
              " : tensor<4xf32>\n";
    text += "  return %v399 : tensor<4xf32>\n}\n";
    WindowBench scratch;
    NavigationBench bench(scratch.write(u"long.mlir"_s, text));
    bench.steps.select(0);
    bench.rest();
    bench.window.showView(View::Text);
    TextView &view = bench.text.view();
    view.setPlace({.line = 120, .column = 7, .top = 110});
    QTest::keyClick(&view, Qt::Key_Right);
    bench.rest();
    QCOMPARE(view.caret().column, 8);
    const TextPlace before = view.place();
    bench.navigation.goTo({.snapshot = 0, .line = 300, .view = View::Text});
    bench.rest();
    QCOMPARE(view.currentLine(), 300);
    bench.go(bench.back);
    QCOMPARE(view.place(), before);
    // Another step, of which nothing was loaded yet.
    bench.navigation.goTo(
        {.snapshot = bench.steps.model().snapshotAt(bench.rows() - 1), .line = 50, .view = View::Text});
    bench.rest();
    QCOMPARE(view.currentLine(), 50);
    QCOMPARE(bench.steps.currentRow(), bench.rows() - 1);
    bench.go(bench.back);
    QCOMPARE(bench.steps.currentRow(), 0);
    QCOMPARE(view.place(), before);
  }

  void aDocumentOpensWhereItWasLeft() {
    NavigationBench bench(sample(u"bert_attention.mlir"_s));
    bench.steps.select(2);
    bench.rest();
    const NodeId op = bench.graph.find(u"batch_matmul"_s);
    bench.navigation.goTo({.snapshot = bench.text.snapshot(), .op = op, .view = View::Text});
    bench.rest();
    const TextPlace place = bench.text.view().place();
    QJsonObject state;
    bench.navigation.saveDocument(state);
    bench.window.showView(View::Graph);
    bench.steps.select(0);
    bench.rest();
    bench.navigation.restoreDocument(state);
    bench.rest();
    QCOMPARE(bench.steps.currentRow(), 2);
    QCOMPARE(bench.text.selected(), op);
    QCOMPARE(bench.text.view().place(), place);
    QVERIFY(!bench.graph.view().isVisible());
    bench.navigation.restoreDocument({{u"place"_s, QJsonObject{{u"view"_s, 77}, {u"op"_s, u"x"_s}}}});
    QCOMPARE(bench.text.selected(), op);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowNavigationTest)
#include "WindowNavigationTest.moc"
