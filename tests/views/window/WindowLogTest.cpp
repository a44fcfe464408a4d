// Logs and folders of dumps in the window.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include <QDir>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// A log of five passes: on a module, on its functions (one changes nothing), one that failed, and one
/// that dumped something that is no IR.
static QByteArray dumpLog() {
  const QByteArray f =
      "func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = arith.addf %arg0, %arg0 : tensor<4xf32>\n"
      "  %1 = arith.addf %arg0, %arg0 : tensor<4xf32>\n  %2 = arith.mulf %0, %1 : tensor<4xf32>\n  return %2 : "
      "tensor<4xf32>\n}\n";
  const QByteArray merged =
      "func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = arith.addf %arg0, %arg0 : tensor<4xf32>\n"
      "  %1 = arith.mulf %0, %0 : tensor<4xf32>\n  return %1 : tensor<4xf32>\n}\n";
  const QByteArray g = "func.func @g(%arg0: f32) -> f32 {\n  return %arg0 : f32\n}\n";
  QByteArray log = "// -----// IR Dump After Canonicalizer (canonicalize) //----- //\nmodule {\n";
  for (const QByteArray &line : (f + g).trimmed().split('\n'))
    log += "  " + line + '\n';
  return log + "}\n\n\n// -----// IR Dump After CSE (cse) //----- //\n" + merged +
         "\n// -----// IR Dump After CSE (cse) //----- //\n" + g +
         "\na.mlir:3:1: error: no good\n// -----// IR Dump After Foo Failed (foo) //----- //\n" + g +
         "\n// -----// IR Dump After Emit (emit) //----- //\n; ModuleID = 'x'\ndefine void @f() {\n  ret void\n}\n";
}

class WindowLogTest : public QObject {
  Q_OBJECT
private slots:
  void aLogIsARecording() {
    WindowBench bench;
    bench.open(bench.write(u"build.log"_s, dumpLog()));
    QVERIFY(bench.session.showsLog());
    QCOMPARE(bench.rows(), 6);
    QCOMPARE(bench.steps.model().index(2, StepModel::Name).data().toString(), u"cse  @f"_s);
    QCOMPARE(bench.steps.model().index(3, StepModel::Delta).data().toString(), u"same"_s);
    QCOMPARE(bench.steps.model().index(4, StepModel::Delta).data().toString(), u"failed"_s);
    QVERIFY(bench.steps.panel().list()->isColumnHidden(StepModel::Time));
    QVERIFY(bench.problems.model().toText().contains(u"no good"_s));
    QVERIFY(bench.window.windowTitle().contains(u"build.log"_s));

    // Steps, diffs and graphs as of a recording; a function is compared with itself.
    bench.window.showView(View::Diff);
    bench.steps.select(2);
    QTRY_COMPARE_WITH_TIMEOUT(bench.text.diff().diff().removed, 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.window.showView(View::Graph);
    QVERIFY(!bench.graph.view().scene().nodes.isEmpty());
    QCOMPARE(*bench.text.view().source()->line(0), u"func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {"_s);
    bench.steps.panel().list()->setFocus();
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_J);
    QCOMPARE(bench.steps.panel().currentRow(), 3);
    bench.steps.panel().setHideUnchanged(true);
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_K);
    QCOMPARE(bench.steps.panel().currentRow(), 2);
    bench.steps.panel().filterEdit()->setText(u"@g"_s);
    QCOMPARE(bench.steps.panel().list()->model()->rowCount(), 2); // the log, and the pass that failed
    bench.steps.panel().filterEdit()->clear();
    bench.steps.panel().setHideUnchanged(false);

    // What is no IR still has its text.
    bench.steps.select(5);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(bench.text.view().source()->line(1).value_or(QString()), u"define void @f() {"_s,
                              patience);
  }

  /// The rows that are on screen first have one digit.
  void numbersOfManyStepsAreReadWhole() {
    WindowBench bench;
    QByteArray log;
    for (int pass = 0; pass < 1200; ++pass)
      log += "// -----// IR Dump After Pass (pass) //----- //\nfunc.func @f() {\n  %c = arith.constant " +
             QByteArray::number(pass) + " : i32\n  return\n}\n\n";
    bench.open(bench.write(u"many.log"_s, log));
    QTreeView *list = bench.steps.panel().list();
    QCOMPARE(bench.rows(), 1201);
    bench.steps.select(1100);
    const QModelIndex index = list->currentIndex().siblingAtColumn(StepModel::Index);
    QCOMPARE(index.data().toString(), u"1099"_s);
    QVERIFY(list->visualRect(index).width() >= list->fontMetrics().horizontalAdvance(u"1099"_s) + 4);
  }

  void recordsFromAStepOfALog() {
    WindowBench bench;
    bench.open(bench.write(u"build.log"_s, dumpLog()));
    bench.steps.select(1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.pipeline.panel().edit()->setPlainText(u"builtin.module(func.func(cse))"_s);
    emit bench.steps.panel().recordFromRequested(1);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.showsLog() && bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 2);
    QVERIFY(bench.steps.model().stepAt(1)->changed);
    QVERIFY(bench.steps.model().index(0, StepModel::Name).data().toString().contains(u"canonicalize"_s));
    // A restarted engine gets back there.
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 2);
    emit bench.pipeline.panel().originRequested();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.showsLog() && bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 6);
  }

  void aKilledEngineBringsALogBack() {
    WindowBench bench;
    bench.open(bench.write(u"build.log"_s, dumpLog()));
    bench.steps.select(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.session.showsLog());
    QCOMPARE(bench.rows(), 6);
    QCOMPARE(bench.steps.panel().currentRow(), 2);
  }

  void aFolderOfDumpsIsDropped() {
    WindowBench bench;
    QVERIFY(QDir(bench.scratch.path()).mkpath(u"tree/builtin_module_no-symbol-name"_s));
    bench.write(u"tree/builtin_module_no-symbol-name/0_cse.mlir"_s,
                "// -----// IR Dump After CSE (cse) //----- //\nmodule {\n}\n\n");
    bench.write(u"tree/builtin_module_no-symbol-name/1_inline.mlir"_s,
                "// -----// IR Dump After Inliner (inline) //----- //\nmodule {\n}\n\n");
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(bench.scratch.filePath(u"tree"_s))});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&bench.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&bench.window, &drop);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.showsLog() && bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 3);
    QVERIFY(bench.window.windowTitle().contains(u"tree"_s));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowLogTest)
#include "WindowLogTest.moc"
