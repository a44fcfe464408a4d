// A schedule in the window: run, stepped by keyboard and mouse, its handles, its failures.
#include "app/gui/schedule/ScheduleController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/SchedulePanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include "views/widgets/StepChip.h"
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

using namespace fuselage;
using namespace Qt::StringLiterals;

static const QByteArray payload =
    "func.func private @use(f32, index)\nfunc.func @nest(%values: memref<64x32xf32>, %n: index) {\n"
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c64 = arith.constant 64 : index\n"
    "  %c32 = arith.constant 32 : index\n  scf.for %j = %c0 to %c32 step %c1 {\n    %h = arith.muli %n, %n : index\n"
    "    scf.for %i = %c0 to %c64 step %c1 {\n      %v = memref.load %values[%i, %j] : memref<64x32xf32>\n"
    "      func.call @use(%v, %h) : (f32, index) -> ()\n    }\n  }\n  return\n}\n";

static QByteArray script(const QByteArray &body) {
  return "module attributes {transform.with_named_sequence} {\n"
         "transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n" +
         body + "transform.yield\n}\n}\n";
}

static const QByteArray interchange =
    "%load = transform.structured.match ops{[\"memref.load\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
    "%outer = transform.get_parent_op %load {op_name = \"scf.for\", nth_parent = 2} : (!transform.any_op) -> "
    "!transform.any_op\n"
    "%o, %i = transform.fuselage.interchange_loops %outer : (!transform.any_op) -> (!transform.any_op, "
    "!transform.any_op)\n";

static const QByteArray twoNames =
    "%load = transform.structured.match ops{[\"memref.load\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
    "transform.annotate %load \"first\" : !transform.any_op\ntransform.annotate %load \"second\" : !transform.any_op\n";

static QString linesOf(const TextView &view) {
  QString text;
  for (int line = 0; line < view.source()->lineCount(); ++line)
    text += view.source()->line(line).value_or(QString()) + u'\n';
  return text;
}

/// A window with the payload open and a schedule in its panel.
struct ScheduleBench : WindowBench {
  explicit ScheduleBench(const QByteArray &body) {
    open(write(u"payload.mlir"_s, payload));
    controller().raise();
    panel().setPath(write(u"schedule.mlir"_s, script(body)));
  }
  ScheduleController &controller() { return window.controller<ScheduleController>(); }
  SchedulePanel &panel() { return controller().panel(); }
  ScheduleModel &steps() { return controller().steps(); }
  HandleModel &handles() { return controller().handles(); }
  void run() {
    QTest::mouseClick(panel().runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(steps().rowCount() > 0 && controller().isSettled(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(handles().rowCount() > 0, patience);
  }
  QString holds(const QString &name) {
    for (int row = 0; row < handles().rowCount(); ++row)
      if (handles().handleAt(row)->name == name)
        return handles().index(row, HandleModel::Holds).data().toString();
    return {};
  }
};

class WindowScheduleTest : public QObject {
  Q_OBJECT
private slots:
  void standsAtTheFailureAndSaysWhy() {
    ScheduleBench bench(interchange);
    QAbstractItemModelTester steps(&bench.steps()), handles(&bench.handles());
    bench.run();
    const protocol::ScheduleStep *step = bench.steps().stepAt(bench.panel().position());
    QVERIFY(step);
    QCOMPARE(QString(step->name), u"transform.fuselage.interchange_loops"_s);
    QVERIFY(bench.panel().summary()->text().contains(u"failed"_s));
    QVERIFY(bench.panel().summary()->text().contains(u"Line 5: the nest is not perfect"_s));
    QVERIFY(bench.steps()
                .index(bench.panel().position(), 0)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(u"the nest is not perfect"_s));
    QTRY_COMPARE(bench.holds(u"%outer"_s), u"1 op"_s);
  }

  void offersToNormalizeAndTryAgain() {
    ScheduleBench bench(interchange);
    bench.run();
    QVERIFY(bench.steps().trace().failed);
    QVERIFY(bench.panel().retryButton()->isVisible());
    QTest::mouseClick(bench.panel().retryButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.controller().isSettled() && bench.steps().rowCount() > 0, patience);
    QVERIFY(!bench.steps().trace().failed);
    QVERIFY(!bench.panel().retryButton()->isVisible());
  }

  void normalizesAndSaysWhere() {
    ScheduleBench bench(interchange);
    bench.panel().normalizeBox()->setChecked(true);
    bench.run();
    QVERIFY(!bench.steps().trace().failed);
    QVERIFY2(bench.panel().summary()->text().contains(u"Line 5: normalize to PerfectForNestForm"_s),
             qPrintable(bench.panel().summary()->text()));
    QTRY_COMPARE(bench.holds(u"%outer"_s), u"consumed by line 5"_s); // it stands at the end
  }

  void stepsByKeyboard() {
    ScheduleBench bench(
        "%all = transform.structured.match ops{[\"scf.for\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
        "transform.foreach %all : !transform.any_op {\n^bb0(%one: !transform.any_op):\n"
        "  transform.annotate %one \"seen\" : !transform.any_op\n}\n");
    bench.run();
    QTableView *table = bench.panel().steps();
    bench.panel().setPosition(0);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_F11); // into the entry
    QCOMPARE(bench.panel().position(), 1);
    QTest::keyClick(table, Qt::Key_F10); // over the match
    QCOMPARE(QString(bench.steps().stepAt(bench.panel().position())->name), u"transform.foreach"_s);
    QTest::keyClick(table, Qt::Key_F11);
    QCOMPARE(QString(bench.steps().stepAt(bench.panel().position())->name), u"transform.annotate"_s);
    QTRY_COMPARE(bench.holds(u"%one"_s), u"1 op"_s);
    QTest::keyClick(table, Qt::Key_F10, Qt::ShiftModifier);
    QCOMPARE(QString(bench.steps().stepAt(bench.panel().position())->name), u"transform.foreach"_s);
    QTest::keyClick(table, Qt::Key_F11);
    QTest::keyClick(table, Qt::Key_F11, Qt::ShiftModifier); // out: what is after the loop
    QVERIFY(bench.steps().stepAt(bench.panel().position())->end);
    QCOMPARE(bench.steps().stepAt(bench.panel().position())->depth, 1);
  }

  void aHandleLightsUpItsPayload() {
    ScheduleBench bench(
        "%all = transform.structured.match ops{[\"scf.for\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
        "transform.annotate %all \"seen\" : !transform.any_op\n");
    bench.run();
    for (int row = 0; row < bench.handles().rowCount(); ++row)
      if (bench.handles().handleAt(row)->name == u"%all"_s)
        bench.panel().handles()->setCurrentIndex(bench.handles().index(row, 0));
    QCOMPARE(bench.panel().text()->lineMarks().size(), 2);
    const int line = bench.panel().text()->lineMarks().first().line;
    QVERIFY(bench.panel().text()->source()->line(line)->contains(u"scf.for"_s));
  }

  void graphTextAndDiffFollow() {
    ScheduleBench bench(twoNames);
    bench.run();
    QVERIFY(bench.panel().followBox()->isChecked());
    GraphScenes &scenes = bench.graph.scenes();
    TextController &text = bench.text;
    const int input = 0;
    QTRY_VERIFY_WITH_TIMEOUT(scenes.isSettled() && scenes.snapshot() != input, patience);
    const StepChip &chip = bench.window.shell().centre().placeChip();
    QVERIFY(chip.isVisible());
    QVERIFY2(chip.text().contains(u"line 6"_s), qPrintable(chip.text()));
    QTRY_VERIFY_WITH_TIMEOUT(text.isSettled(), patience);
    QVERIFY(linesOf(text.view()).contains(u"second"_s));
    // One back: the second annotation is not there yet, and the diff is what the first one did.
    QTest::keyClick(bench.panel().steps(), Qt::Key_F10, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(bench.controller().isSettled() && text.isSettled(), patience);
    QVERIFY(!linesOf(text.view()).contains(u"second"_s));
    bench.window.shell().showView(View::Diff);
    QTRY_VERIFY_WITH_TIMEOUT(text.isSettled() && text.diff().changeCount() > 0, patience);
    // Off and on again; and back to the step by the list.
    QTest::mouseClick(bench.panel().followBox(), Qt::LeftButton);
    QCOMPARE(text.snapshot(), input);
    QVERIFY(!chip.isVisible());
    QTest::mouseClick(bench.panel().followBox(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.controller().isSettled() && text.snapshot() != input, patience);
  }

  void whatHoldsTheOpUnderTheMouse() {
    ScheduleBench bench(twoNames);
    bench.run();
    TextView *text = bench.panel().text();
    int line = 0;
    while (line < text->source()->lineCount() && !text->source()->line(line)->contains(u"memref.load"_s))
      ++line;
    emit text->lineHovered(line);
    QStringList holders;
    for (int row = 0; row < bench.handles().rowCount(); ++row)
      if (bench.handles().index(row, 0).data(HandleModel::PointedAtRole).toBool())
        holders.append(bench.handles().handleAt(row)->name);
    QCOMPARE(holders, QStringList{u"%load"_s}); // not %root, which is around it
    emit text->lineHovered(-1);
    for (int row = 0; row < bench.handles().rowCount(); ++row)
      QVERIFY(!bench.handles().index(row, 0).data(HandleModel::PointedAtRole).toBool());
    // And the other way round, in the graph.
    GraphView &graph = bench.graph.view();
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.scenes().isSettled(), patience);
    for (int row = 0; row < bench.handles().rowCount(); ++row)
      if (bench.handles().handleAt(row)->name == u"%load"_s)
        bench.panel().handles()->setCurrentIndex(bench.handles().index(row, 0));
    QCOMPARE(graph.selectedNodes().size(), 1);
  }

  void anEngineThatDiesTakesThePlacesWithIt() {
    ScheduleBench bench(twoNames);
    bench.run();
    GraphController &graph = bench.graph;
    QTRY_VERIFY_WITH_TIMEOUT(graph.scenes().snapshot() != 0, patience);
    bench.killEngine();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() != EngineSession::State::Ready, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() == EngineSession::State::Ready && graph.isSettled(), patience);
    QCOMPARE(graph.scenes().snapshot(), 0);
    QCOMPARE(bench.steps().rowCount(), 0);
  }

  void pathsAreShortBelowTheFolderOfTheWindow() {
    ScheduleBench bench(twoNames);
    const QString before = QDir::currentPath(), path = bench.panel().path();
    QVERIFY(QDir::setCurrent(bench.scratch.path()));
    bench.panel().setPath(path);
    QCOMPARE(bench.panel().pathEdit()->text(), u"schedule.mlir"_s);
    QCOMPARE(bench.panel().path(), path);
    QDir::setCurrent(before);
    bench.panel().setPath(u"there/on/the/engine.mlir"_s);
    QCOMPARE(bench.panel().path(), u"there/on/the/engine.mlir"_s);
  }

  void aScriptThatCannotRunIsAProblem() {
    ScheduleBench bench("%x = = 1\n");
    QTest::mouseClick(bench.panel().runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.controller().isSettled(), patience);
    QCOMPARE(bench.steps().rowCount(), 0);
    QVERIFY(bench.panel().runButton()->isEnabled());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowScheduleTest)
#include "WindowScheduleTest.moc"
