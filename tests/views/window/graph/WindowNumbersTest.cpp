// Numbers on the boxes of the graph, and the user's own.
#include "app/gui/graph/NumberTable.h"
#include "app/gui/graph/NumbersController.h"
#include "tests/views/window/LayeredModel.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include <QActionGroup>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowNumbersTest : public QObject {
  Q_OBJECT

  static QAction *actionOf(WindowBench &bench, const QString &text) {
    for (QAction *action : bench.window.findChildren<QAction *>())
      if (action->actionGroup() && action->text().remove(u'&') == text)
        return action;
    return nullptr;
  }

private slots:
  void tablesAreRead_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("csv") << QByteArray("op,time,\"big, small\"\n%max,1.5,3\n\"softmax.mlir:13\",2,\n");
    QTest::newRow("tabs") << QByteArray("op\ttime\tbig, small\n%max\t1.5\t3\nsoftmax.mlir:13\t2\t\n");
    QTest::newRow("objects") << QByteArray(
        R"({"%max": {"time": 1.5, "big, small": 3}, "softmax.mlir:13": {"time": 2}})");
    QTest::newRow("list") << QByteArray(
        R"([{"op": "%max", "time": 1.5, "big, small": 3}, {"loc": "softmax.mlir:13", "time": 2}])");
    QTest::newRow("Model Explorer") << QByteArray(
        R"({"main": {"results": {"%max": {"time": 1.5, "big, small": 3}, "softmax.mlir:13": {"time": 2}}}})");
  }

  void tablesAreRead() {
    QFETCH(QByteArray, text);
    const NumberTable table = NumberTable::read(text);
    QVERIFY2(table.problem.isEmpty(), qPrintable(table.problem));
    QCOMPARE(table.rows.size(), 2);
    const qsizetype time = table.columns.indexOf(u"time"_s), other = table.columns.indexOf(u"big, small"_s);
    QVERIFY(time >= 0 && other >= 0);
    for (const NumberTable::Row &row : table.rows) {
      QCOMPARE(row.values[time], row.key == u"%max"_s ? 1.5 : 2);
      QCOMPARE(std::isnan(row.values[other]), row.key != u"%max"_s);
    }
  }

  void whatIsNoTableSaysWhy() {
    for (const QByteArray &text : {QByteArray(), QByteArray("a\nb\n"), QByteArray("{\"a\": "), QByteArray("[1, 2]")})
      QVERIFY(!NumberTable::read(text).problem.isEmpty());
  }

  void boxesHaveSums() {
    WindowBench bench;
    bench.open(bench.write(u"model.mlir"_s, layeredModel(20)));
    const GraphView &view = bench.graph.view();
    QAction *bytes = actionOf(bench, u"Bytes"_s);
    QVERIFY(bytes && bytes->isCheckable());
    bytes->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!view.heat().isEmpty() && !view.painter().boxNumbers().isEmpty(), 30'000);
    QVERIFY(bytes->isChecked());
    QCOMPARE(view.heat().title, u"bytes read and written"_s);
    bool hasBox = false;
    for (const NodeData &node : view.scene().nodes)
      if (node.collapsed && view.painter().boxNumbers().contains(node.id))
        hasBox |= view.painter().boxNumbers()[node.id].contains(u'B');
    QVERIFY(hasBox);
    for (const NodeData &node : view.scene().nodes)
      if (node.kind == NodeData::Kind::Argument)
        QVERIFY(!view.heat().nodes.contains(node.id));
    actionOf(bench, u"FLOPs"_s)->trigger();
    QCOMPARE(view.heat().title, u"FLOPs"_s);
    actionOf(bench, u"Missed Fusions"_s)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(view.heat().title, u"missed fusions"_s, 30'000);
    actionOf(bench, u"Run Times"_s)->trigger();
    QVERIFY(view.heat().isEmpty());
  }

  void theUsersNumbersAreShown() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    auto &numbers = bench.window.controller<NumbersController>();
    numbers.open(bench.write(u"own.csv"_s, "op,error\n%max,0.5\n32,7\n%nowhere,1\n"));
    const GraphView &view = bench.graph.view();
    QTRY_COMPARE_WITH_TIMEOUT(view.heat().nodes.size(), 2, 30'000);
    QCOMPARE(view.heat().title, u"error"_s);
    QCOMPARE(view.heat().nodes.value(bench.graph.find(u"reduce max"_s)), 0.5);
    QVERIFY(actionOf(bench, u"error"_s)->isChecked());
    // They follow into the next step.
    bench.steps.select(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && view.heat().title == u"error"_s, 30'000);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowNumbersTest)
#include "WindowNumbersTest.moc"
