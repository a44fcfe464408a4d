// Any two steps beside each other: their graphs, with marks in both, and their texts.
#include "app/gui/graph/SideGraph.h"
#include "app/gui/text/SidesController.h"
#include "tests/views/window/WindowBench.h"
#include "views/common/Theme.h"
#include "views/graph/GraphTitle.h"
#include "views/graph/GraphView.h"
#include "views/panels/SidesBar.h"
#include "views/text/DiffView.h"
#include <QComboBox>
#include <QToolButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// Step 1 takes away an op that nobody reads, step 2 writes the others as generic ones, step 3 does nothing.
const QByteArray module = R"(func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %dead = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %sum = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %product = linalg.mul ins(%sum, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %product : tensor<4x8xf32>
}
)";
const QString passes = u"builtin.module(cse,linalg-generalize-named-ops,symbol-dce)"_s;

struct SidesBench : WindowBench {
  SidesController &sides = window.controller<SidesController>();

  SidesBench() {
    window.resize(1280, 800);
    open(write(u"sides.mlir"_s, module));
    record(passes);
    QTRY_COMPARE_WITH_TIMEOUT(session.steps().size(), 3, patience);
    show(0);
  }
  void rest() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  void show(int row) {
    steps.select(row);
    rest();
  }
  SideGraph &side() { return *sides.sideGraph(); }
  static void choose(QComboBox *box, int index) {
    box->setCurrentIndex(index);
    emit box->activated(index);
  }
  /// Whether the frame of an op's box has the colour of a change.
  static bool isMarked(GraphView &view, NodeId node, Change change) {
    view.setAnimated(false);
    view.fit();
    const QRect box = view.rectOf(node).toAlignedRect().adjusted(-3, -3, 3, 3);
    const QColor wanted = Theme::of(view.palette()).change(change);
    const QImage image = view.grab().toImage();
    int hits = 0;
    for (int y = box.top(); y <= box.bottom(); ++y)
      for (int x = box.left(); x <= box.right(); ++x)
        hits += image.valid(x, y) && image.pixelColor(x, y) == wanted;
    return hits > box.height();
  }
  static NodeId find(const GraphView &view, const QString &title) {
    for (const NodeData &node : view.scene().nodes)
      if (node.title.contains(title))
        return node.id;
    return noNode;
  }
};

} // namespace

class WindowSidesTest : public QObject {
  Q_OBJECT
private slots:
  void bothGraphsAreMarked() {
    SidesBench bench;
    bench.show(2);
    QTest::keyClick(&bench.graph.view(), Qt::Key_D, Qt::ControlModifier);
    bench.sides.twoGraphs()->setChecked(true);
    bench.rest();
    QVERIFY(bench.side().view().isVisible() && bench.graph.view().isVisible());
    // The input on the left: one op goes away, the other two are others in what is on the right.
    SidesBench::choose(bench.sides.graphBar()->leftBox(), 0);
    bench.rest();
    GraphView &left = bench.side().view(), &right = bench.graph.view();
    QCOMPARE(left.scene().snapshot, 0);
    QCOMPARE(right.scene().snapshot, bench.text.snapshot());
    QCOMPARE(bench.side().title().count(Change::Removed), 1);
    QCOMPARE(bench.side().title().count(Change::Changed), 3); // the return has another operand
    QCOMPARE(bench.side().mainTitle().count(Change::Added), 2);
    QCOMPARE(bench.side().mainTitle().count(Change::Changed), 1);
    QVERIFY(bench.side().title().text().contains(u"The input"_s));
    const NodeId dead = SidesBench::find(left, u"exp"_s), sum = SidesBench::find(left, u"add"_s);
    QVERIFY(dead != noNode && sum != noNode);
    QVERIFY(SidesBench::isMarked(left, dead, Change::Removed));
    QVERIFY(SidesBench::isMarked(left, sum, Change::Changed));
    QVERIFY(!SidesBench::isMarked(left, sum, Change::Removed));
    const NodeId generic = bench.side().scenes().partnerOf(sum);
    QVERIFY(generic != noNode);
    QVERIFY(SidesBench::isMarked(right, generic, Change::Added));
    QVERIFY(SidesBench::isMarked(right, SidesBench::find(right, u"return"_s), Change::Changed));
    // In dark as well.
    applyThemeMode(ThemeMode::Dark);
    QVERIFY(SidesBench::isMarked(left, dead, Change::Removed));
    QVERIFY(SidesBench::isMarked(right, generic, Change::Added));
    applyThemeMode(ThemeMode::Light);
    // One selected on either side is selected on the other.
    QTest::mouseClick(&left, Qt::LeftButton, {}, left.rectOf(sum).center().toPoint());
    bench.rest();
    QCOMPARE(right.currentNode(), generic);
    QTest::mouseClick(&left, Qt::LeftButton, {}, left.rectOf(dead).center().toPoint());
    bench.rest();
    QCOMPARE(right.currentNode(), noNode);
    QCOMPARE(left.currentNode(), dead);
    QTest::mouseClick(&right, Qt::LeftButton, {}, right.rectOf(generic).center().toPoint());
    bench.rest();
    QCOMPARE(left.currentNode(), sum);
  }

  void marksFollowTheStepsAndGo() {
    SidesBench bench;
    bench.show(1);
    bench.sides.twoGraphs()->trigger();
    bench.rest();
    GraphView &left = bench.side().view(), &right = bench.graph.view();
    // Its own step: what was before it is on the left.
    QCOMPARE(left.scene().snapshot, bench.steps.model().snapshotAt(0));
    QCOMPARE(bench.side().title().count(Change::Removed), 1);
    QCOMPARE(bench.side().title().count(Change::Changed), 0);
    bench.show(2);
    QCOMPARE(left.scene().snapshot, bench.steps.model().snapshotAt(1));
    QCOMPARE(bench.side().title().count(Change::Removed), 0);
    QCOMPARE(bench.side().title().count(Change::Changed), 3);
    QVERIFY(SidesBench::isMarked(left, SidesBench::find(left, u"add"_s), Change::Changed));
    bench.show(3);
    QVERIFY(bench.side().scenes().marked().isEmpty() && bench.graph.scenes().marked().isEmpty());
    QVERIFY(!SidesBench::isMarked(left, left.scene().nodes.first().id, Change::Changed));
    // The later one on the left: what went away is new from there.
    SidesBench::choose(bench.sides.graphBar()->leftBox(), 2);
    bench.show(0);
    QCOMPARE(left.scene().snapshot, bench.steps.model().snapshotAt(2));
    QCOMPARE(bench.side().mainTitle().count(Change::Added), 3); // the named ops are, too
    QVERIFY(SidesBench::isMarked(right, SidesBench::find(right, u"exp"_s), Change::Added));
    // A step with itself.
    bench.show(2);
    QVERIFY(bench.side().scenes().marked().isEmpty() && bench.graph.scenes().marked().isEmpty());
    // Closed: the marks are those of the step alone, as they were before.
    bench.show(0);
    bench.sides.graphBar()->findChild<QToolButton *>(u"closeSides"_s)->click();
    bench.rest();
    QVERIFY(!left.isVisible() && !bench.sides.graphBar()->isVisible() && !bench.sides.twoGraphs()->isChecked());
    QVERIFY(left.scene().nodes.isEmpty());
    QCOMPARE(bench.sides.pinned(), -1);
    QVERIFY(bench.graph.scenes().marked().isEmpty());
    QVERIFY(!SidesBench::isMarked(right, SidesBench::find(right, u"exp"_s), Change::Added));
    // Another recording has other steps; a pinned one is none of them.
    bench.sides.twoGraphs()->trigger();
    bench.sides.pin(bench.steps.model().snapshotAt(2));
    bench.rest();
    bench.record(u"builtin.module(canonicalize)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().size(), 1, patience);
    bench.show(1);
    QCOMPARE(left.scene().snapshot, bench.steps.model().snapshotAt(0));
    QCOMPARE(bench.side().title().count(Change::Removed), 1);
  }

  void whatIsDifferentIsOnScreen() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"bert_attention.mlir"_s));
    auto &sides = bench.window.controller<SidesController>();
    bench.steps.select(3);
    sides.twoGraphs()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    for (auto [view, scenes] : {std::pair{&sides.sideGraph()->view(), &sides.sideGraph()->scenes()},
                                std::pair{&bench.graph.view(), &bench.graph.scenes()}}) {
      int seen = 0;
      for (const NodeData &node : view->scene().nodes)
        seen += scenes->marked().contains(node.id) && view->sight().intersects(node.rect);
      QVERIFY(seen > 0);
    }
  }

  void bothAreDrawnAlike() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"bert_attention.mlir"_s));
    auto &sides = bench.window.controller<SidesController>();
    bench.steps.select(bench.rows() - 1);
    sides.twoGraphs()->trigger();
    sides.pin(bench.steps.model().snapshotAt(bench.rows() - 1));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.graph.actions().levelDispatches->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(sides.sideGraph()->scenes().options().dispatches);
    const auto closed = [](const GraphView &view) {
      return std::count_if(view.scene().nodes.begin(), view.scene().nodes.end(),
                           [](const NodeData &node) { return node.collapsed; });
    };
    GraphView &left = sides.sideGraph()->view(), &right = bench.graph.view();
    const auto before = closed(right);
    QVERIFY(before > 0);
    QCOMPARE(closed(left), before);
    // Opened on the left, open on the right.
    const auto box = std::find_if(left.scene().nodes.begin(), left.scene().nodes.end(),
                                  [](const NodeData &node) { return node.collapsed; });
    emit left.clusterToggled(box->id, false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(closed(left) < before);
    QCOMPARE(closed(right), closed(left));
  }

  void textsOfAnyTwoAreRight() {
    SidesBench bench;
    bench.window.showView(View::Diff);
    const auto lines = [&](int row) {
      bench.show(row);
      TextSource &source = *bench.text.view().source();
      QStringList list;
      for (int i = 0; i < source.lineCount(); ++i) {
        if (!source.line(i))
          QTest::qWait(50);
        list.append(source.line(i).value_or(QString()));
      }
      return list;
    };
    QList<QStringList> texts;
    for (int row = 0; row < bench.rows(); ++row)
      texts.append(lines(row));
    for (int first = 0; first < bench.rows(); ++first)
      for (int second = 0; second < bench.rows(); ++second) {
        bench.show(second);
        bench.sides.pin(bench.steps.model().snapshotAt(first));
        bench.rest();
        // Every line is told once on its side, in order, and what is told to be the same is.
        int left = 0, right = 0;
        for (const DiffRowData &row : bench.text.diff().diff().rows)
          for (int i = 0; i < row.count; ++i) {
            if (row.left >= 0)
              QCOMPARE(row.left + i, left++);
            if (row.right >= 0)
              QCOMPARE(row.right + i, right++);
            if (first == second)
              QCOMPARE(row.kind, DiffRowData::Kind::Same);
            if (row.kind == DiffRowData::Kind::Added || row.kind == DiffRowData::Kind::Removed)
              QVERIFY((row.left < 0) != (row.right < 0));
          }
        QCOMPARE(left, texts[first].size());
        QCOMPARE(right, texts[second].size());
        const DiffData &diff = bench.text.diff().diff();
        QCOMPARE(diff.added + diff.removed + diff.changed > 0, texts[first] != texts[second]);
        QCOMPARE(int(texts[first].size()) - diff.removed, int(texts[second].size()) - diff.added);
      }
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowSidesTest)
#include "WindowSidesTest.moc"
