// A script in the editor: written, saved, checked, stopped at, by keyboard and mouse.
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "tests/views/window/WindowBench.h"
#include "views/editor/ScriptCompletion.h"
#include "views/editor/ScriptEdit.h"
#include "views/editor/ScriptEditor.h"
#include "views/panels/ProblemsPanel.h"
#include "views/panels/SchedulePanel.h"
#include "views/widgets/Banner.h"
#include "views/widgets/Breadcrumb.h"
#include "views/widgets/SearchBar.h"
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

static const QByteArray payload =
    "func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
    "  %e = tensor.empty() : tensor<8x8xf32>\n"
    "  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    "  %y = linalg.abs ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    "  return %y : tensor<8x8xf32>\n}\n";

/// Line 5 marks each op that line 3 finds.
static const QByteArray loop = "module attributes {transform.with_named_sequence} {\n"
                               "  transform.named_sequence @__transform_main(%root: !transform.any_op) {\n"
                               "    %all = transform.structured.match ops{[\"linalg.exp\", \"linalg.abs\"]} in %root : "
                               "(!transform.any_op) -> !transform.any_op\n"
                               "    transform.foreach %all : !transform.any_op {\n    ^bb0(%one: !transform.any_op):\n"
                               "      transform.annotate %one \"seen\" : !transform.any_op\n    }\n"
                               "    transform.yield\n  }\n}\n";

struct EditorBench : WindowBench {
  ScriptController &scripts = window.controller<ScriptController>();
  ScheduleController &schedule = window.controller<ScheduleController>();
  ScriptEdit &edit = scripts.edit();

  EditorBench() {
    open(write(u"payload.mlir"_s, payload));
    window.activateWindow();
    window.showView(View::Schedule);
    edit.setFocus();
  }
  void openScript(const QByteArray &text) {
    QVERIFY(scripts.open(write(u"script.mlir"_s, text)));
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  int line() { // where the schedule stands
    const protocol::ScheduleStep *step = schedule.steps().stepAt(schedule.panel().position());
    return step ? step->line : 0;
  }
  void caret(int line) { edit.goToLine(line, INT_MAX); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&edit, key, modifiers); }
  void runByContinue() {
    key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(schedule.steps().rowCount() > 0 && schedule.isSettled(), patience);
    settle();
  }
};

/// Presses a button of the next message box.
static void answer(QMessageBox::StandardButton button) {
  auto *timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, qApp, [timer, button] {
    auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
    if (!box)
      return;
    timer->stop();
    timer->deleteLater();
    QTest::mouseClick(box->button(button), Qt::LeftButton);
  });
  timer->start(10);
}

class WindowEditorTest : public QObject {
  Q_OBJECT
private slots:
  void aNewScriptIsWrittenSavedAndRead() {
    EditorBench bench;
    QTest::keyClick(&bench.window, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(bench.edit.text().contains(u"@__transform_main"_s));
    QVERIFY(!bench.edit.isModified());
    bench.settle();
    QCOMPARE(bench.scripts.editor().verdict()->text(), u"It can be run"_s);
    QTest::keyClicks(&bench.edit, u" // a remark"_s);
    QVERIFY(bench.edit.isModified());
    QVERIFY(bench.scripts.editor().title()->text().contains(u'\u2022'));
    answer(QMessageBox::Cancel);
    QVERIFY(!bench.scripts.open(bench.write(u"other.mlir"_s, loop)));
    QVERIFY(bench.edit.text().contains(u"a remark"_s));
    answer(QMessageBox::Cancel);
    QVERIFY(!bench.window.close());
    answer(QMessageBox::Discard);
    QVERIFY(bench.scripts.open(bench.scratch.filePath(u"other.mlir"_s)));
    QTest::keyClicks(&bench.edit, u"//"_s);
    bench.window.activateWindow();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isActiveWindow(), patience);
    QTest::keyClick(&bench.window, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!bench.edit.isModified());
    QFile file(bench.scratch.filePath(u"other.mlir"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "//" + loop);
    bench.write(u"other.mlir"_s, loop); // by another program
    bench.scripts.reload();
    QCOMPARE(bench.edit.text().toUtf8(), loop);
    bench.caret(8);
    QTest::keyClicks(&bench.edit, u" %nobody"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.edit.problems().isEmpty(), patience);
    answer(QMessageBox::Discard);
    bench.scripts.reload();
    bench.settle();
    QVERIFY(!bench.scripts.editor().problemList()->isVisible());
    QCOMPARE(bench.scripts.editor().verdict()->text(), u"It can be run"_s);
  }

  void whatIsWrongIsListedOnce() {
    EditorBench bench;
    auto &problems = bench.window.controller<ProblemsController>();
    QCOMPARE(problems.model().rowCount(), 0);
    bench.openScript(loop);
    bench.caret(8);
    QTest::keyClicks(&bench.edit, u" %nobody"_s);
    QTRY_COMPARE_WITH_TIMEOUT(problems.model().errorCount(), 1, patience);
    bench.settle();
    bench.key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(bench.schedule.isSettled(), patience);
    bench.settle();
    QCOMPARE(problems.model().errorCount(), 1);
    bench.window.showView(View::Graph);
    bench.caret(1);
    problems.raise();
    auto *tree = bench.window.findChild<ProblemsPanel *>()->findChild<QTreeView *>();
    tree->setCurrentIndex(problems.model().index(0, 0));
    QTest::keyClick(tree, Qt::Key_Return);
    QCOMPARE(bench.edit.currentLine(), 8);
    QVERIFY(bench.edit.isVisible() && bench.edit.hasFocus());
    bench.key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(problems.model().rowCount(), 0, patience);
  }

  void anotherTextIsOneEdit() {
    EditorBench bench;
    bench.openScript(loop);
    bench.edit.toggleBreakpoint(8);
    bench.caret(4);
    const int caret = bench.edit.textCursor().position();
    const QString before = bench.edit.text();
    QString after = before;
    after.insert(after.indexOf(u"    transform.yield"_s), u"    transform.print\n    transform.print\n"_s);
    bench.scripts.replaceText(after);
    QCOMPARE(bench.edit.text(), after);
    QCOMPARE(bench.edit.textCursor().position(), caret);
    QCOMPARE(bench.edit.breakpoints(), QList<int>{10});
    bench.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(bench.edit.text(), before);
    bench.key(Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(bench.edit.text(), after);
  }

  void keysIndentCommentAndClose() {
    EditorBench bench;
    bench.openScript("module {\n");
    bench.caret(1);
    bench.key(Qt::Key_Return);
    QTest::keyClicks(&bench.edit, u"a"_s);
    bench.key(Qt::Key_Tab);
    QTest::keyClicks(&bench.edit, u"{"_s);
    bench.key(Qt::Key_Return);
    QTest::keyClicks(&bench.edit, u"}"_s);
    QCOMPARE(bench.edit.text(), u"module {\n  a {\n  }\n"_s);
    bench.edit.selectAll();
    bench.key(Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(bench.edit.text(), u"// module {\n//   a {\n//   }\n"_s);
    bench.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(bench.edit.text(), u"module {\n  a {\n  }\n"_s);
    bench.edit.selectAll();
    bench.key(Qt::Key_Slash, Qt::ControlModifier);
    bench.key(Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(bench.edit.text(), u"module {\n  a {\n  }\n"_s);
    bench.key(Qt::Key_Tab);
    QCOMPARE(bench.edit.text(), u"  module {\n    a {\n    }\n"_s);
    bench.key(Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(bench.edit.text(), u"module {\n  a {\n  }\n"_s);
  }

  void problemsAppearWhileOneTypes() {
    EditorBench bench;
    bench.openScript(loop);
    QVERIFY(bench.edit.problems().isEmpty());
    bench.caret(8);
    QTest::keyClicks(&bench.edit, u" %nobody"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.edit.problems().isEmpty(), patience);
    bench.settle();
    QListWidget *list = bench.scripts.editor().problemList();
    QVERIFY(list->isVisible());
    QVERIFY2(list->item(0)->text().startsWith(u"Line 8: "_s), qPrintable(list->item(0)->text()));
    QCOMPARE(bench.edit.problems().first().line, 8);
    bench.caret(1);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QCOMPARE(bench.edit.currentLine(), 8);
    for (int i = 0; i < 8; ++i)
      bench.key(Qt::Key_Z, Qt::ControlModifier);
    while (bench.edit.text().toUtf8() != loop)
      bench.key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(bench.edit.problems().isEmpty(), patience);
    QVERIFY(!list->isVisible());
  }

  void whatOtherToolsKnowIsSaid() {
    EditorBench bench;
    QByteArray text = loop;
    text.replace("    transform.yield",
                 "    transform.iree.magic %root : (!transform.any_op) -> ()\n    transform.yield");
    bench.openScript(text);
    QCOMPARE(bench.edit.problems().size(), 1);
    QCOMPARE(bench.edit.problems().first().line, 8);
    QCOMPARE(QString(bench.edit.problems().first().severity), u"warning"_s);
    QCOMPARE(bench.scripts.editor().verdict()->text(), u"It can be run, with warnings"_s);
    bench.runByContinue(); // up to there
    QCOMPARE(bench.line(), 8);
  }

  void aDeadHandleIsMarkedBeforeItRuns() {
    EditorBench bench;
    QByteArray text = loop;
    text.replace("    transform.yield",
                 "    %g = transform.structured.generalize %all : (!transform.any_op) -> !transform.any_op\n"
                 "    transform.annotate %all \"gone\" : !transform.any_op\n    transform.yield");
    bench.openScript(text);
    QVERIFY(!bench.edit.problems().isEmpty());
    QCOMPARE(bench.edit.problems().first().line, 9);
    QCOMPARE(bench.scripts.editor().verdict()->text(), u"It will fail"_s);
    bench.runByContinue();
    QCOMPARE(bench.line(), 9); // and there it does
  }

  void completesWhileOneTypes() {
    EditorBench bench;
    bench.openScript(loop);
    bench.caret(7);
    const QString before = bench.edit.text();
    bench.key(Qt::Key_Return);
    ScriptCompletion *list = bench.edit.completion();
    QTest::keyClicks(&bench.edit, u"transform.structured.fuse_in"_s);
    QTRY_VERIFY_WITH_TIMEOUT(list->isOffering() && list->list()->count() == 1, patience);
    QCOMPARE(QString(list->current()->text), u"transform.structured.fuse_into_containing_op"_s);
    QVERIFY(list->current()->detail.contains(u"Fuse"_s));
    const QString typed = bench.edit.text();
    bench.key(Qt::Key_Tab);
    QVERIFY(!list->isOffering());
    QVERIFY(bench.edit.text().contains(u"    transform.structured.fuse_into_containing_op\n"_s));
    bench.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(bench.edit.text(), typed); // one step
    bench.key(Qt::Key_Y, Qt::ControlModifier);
    QTest::keyClicks(&bench.edit, u" %"_s);
    QTRY_VERIFY_WITH_TIMEOUT(list->isOffering(), patience);
    QCOMPARE(QString(list->current()->text), u"%all"_s); // the nearest
    QCOMPARE(QString(list->current()->detail), u"!transform.any_op"_s);
    bench.key(Qt::Key_Down);
    bench.key(Qt::Key_Return);
    QVERIFY(bench.edit.text().contains(u"fuse_into_containing_op %root\n"_s));
    bench.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(list->isOffering(), patience);
    bench.key(Qt::Key_Escape);
    QVERIFY(!list->isOffering());
    bench.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(list->isOffering(), patience);
    QTest::mouseClick(bench.edit.viewport(), Qt::LeftButton, {}, QPoint(20, 5)); // elsewhere
    QVERIFY(!list->isOffering());
  }

  void completesPassesAndPayloadOps() {
    EditorBench bench;
    bench.openScript(loop);
    bench.caret(7);
    bench.key(Qt::Key_Return);
    ScriptCompletion *list = bench.edit.completion();
    QTest::keyClicks(&bench.edit, u"%p = transform.apply_registered_pass \"canonicali"_s);
    QTRY_VERIFY_WITH_TIMEOUT(list->isOffering(), patience);
    QTest::mouseClick(list->list()->viewport(), Qt::LeftButton, {},
                      list->list()->visualItemRect(list->list()->item(0)).center());
    QVERIFY2(bench.edit.text().contains(u"apply_registered_pass \"canonicalize\"\n"_s), qPrintable(bench.edit.text()));
    bench.edit.setFocus();
    bench.key(Qt::Key_Return);
    QTest::keyClicks(&bench.edit, u"%m = transform.structured.match ops{[\"exp"_s);
    QTRY_VERIFY_WITH_TIMEOUT(list->isOffering(), patience);
    QCOMPARE(QString(list->current()->text), u"linalg.exp"_s);
    QCOMPARE(QString(list->current()->detail), u"1 in the module"_s);
    bench.settle();
  }

  void findsInTheScript() {
    EditorBench bench;
    bench.openScript(loop);
    QTest::keyClick(&bench.window, Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(bench.search.bar().edit(), u"any_op"_s);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QCOMPARE(bench.edit.textCursor().selectedText(), u"any_op"_s);
    QCOMPARE(bench.edit.currentLine(), 2);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QCOMPARE(bench.edit.currentLine(), 3);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(bench.edit.currentLine(), 2);
    QVERIFY(std::any_of(bench.search.bar().children().begin(), bench.search.bar().children().end(), [](QObject *child) {
      const auto *label = qobject_cast<QLabel *>(child);
      return label && label->text() == u"1 of 6"_s;
    }));
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Escape);
    QVERIFY(bench.edit.hasFocus());
    bench.settle();
  }

  void showsTheFormsThatHold() {
    EditorBench bench;
    bench.openScript(loop);
    const int width = bench.edit.gutter()->width();
    bench.runByContinue();
    QVERIFY(!bench.edit.formsAt(3).isEmpty());
    QVERIFY(bench.edit.gutter()->width() > width);
    bench.caret(2);
    bench.key(Qt::Key_Return);
    const QStringList forms = bench.edit.formsAt(4);
    QVERIFY(!forms.isEmpty()); // they move with their lines
    QVERIFY(bench.edit.formsAt(3).isEmpty());
    bench.settle();
  }

  void stopsAtBreakpoints() {
    EditorBench bench;
    bench.openScript(loop);
    bench.caret(6);
    bench.key(Qt::Key_F9);
    QCOMPARE(bench.edit.breakpoints(), QList<int>{6});
    bench.runByContinue();
    QCOMPARE(bench.line(), 6);
    QCOMPARE(bench.edit.stepLine(), 6);
    QCOMPARE(bench.schedule.panel().frames()->parts(),
             (QStringList{u"@__transform_main"_s, u"foreach, iteration 1"_s, u"annotate"_s}));
    bench.key(Qt::Key_F5);
    QCOMPARE(bench.line(), 6);
    QCOMPARE(bench.schedule.panel().frames()->parts().value(1), u"foreach, iteration 2"_s);
    bench.key(Qt::Key_F5, Qt::ShiftModifier);
    QCOMPARE(bench.schedule.panel().frames()->parts().value(1), u"foreach, iteration 1"_s);
    bench.key(Qt::Key_F9);
    bench.key(Qt::Key_F5);
    QCOMPARE(bench.schedule.panel().position(), bench.schedule.steps().rowCount() - 1);
    // By mouse in the margin.
    QTest::mouseClick(bench.edit.gutter(), Qt::LeftButton, {}, bench.edit.gutter()->breakpointPlace(3));
    QCOMPARE(bench.edit.breakpoints(), QList<int>{3});
    bench.key(Qt::Key_F5); // from the end it begins anew
    QCOMPARE(bench.line(), 3);
  }

  void theLineOfTheStepIsInSight() {
    EditorBench bench;
    bench.openScript(QByteArray(loop).prepend(QByteArray("// a remark\n").repeated(200)));
    bench.edit.toggleBreakpoint(206);
    bench.runByContinue();
    QCOMPARE(bench.edit.stepLine(), 206);
    const int y = bench.edit.gutter()->breakpointPlace(206).y();
    QVERIFY2(y > 0 && y < bench.edit.viewport()->height(), qPrintable(QString::number(y)));
    QCOMPARE(bench.edit.currentLine(), 1); // the caret stays
    bench.window.showView(View::Graph);
    bench.edit.setStepLine(3);
    bench.window.showView(View::Schedule);
    QVERIFY(bench.edit.gutter()->breakpointPlace(3).y() > 0);
  }

  void stepsAndRunsToALineFromTheEditor() {
    EditorBench bench;
    bench.openScript(loop);
    bench.caret(4);
    bench.key(Qt::Key_F10, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bench.line(), 4, patience);
    bench.settle();
    bench.key(Qt::Key_F11);
    QCOMPARE(bench.line(), 6);
    QCOMPARE(bench.edit.stepLine(), 6);
    bench.key(Qt::Key_F11, Qt::ShiftModifier);
    QCOMPARE(bench.line(), 8);
    bench.key(Qt::Key_F10, Qt::ShiftModifier);
    bench.caret(3);
    bench.key(Qt::Key_F10, Qt::ControlModifier); // it is after: the first time
    QCOMPARE(bench.line(), 3);
    bench.settle();
  }

  void unsavedTextRuns() {
    EditorBench bench;
    bench.openScript(loop);
    bench.caret(6);
    bench.key(Qt::Key_F9);
    bench.runByContinue();
    bench.caret(2);
    bench.key(Qt::Key_Return);
    QTest::keyClicks(&bench.edit, u"// one line more"_s);
    QCOMPARE(bench.edit.stepLine(), 7); // marks move with their lines
    bench.settle();
    bench.key(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(bench.line(), 7, patience);
    QCOMPARE(bench.edit.breakpoints(), QList<int>{7});
  }

  void aStepLeadsToItsLine() {
    EditorBench bench;
    bench.openScript(loop);
    bench.schedule.raise();
    bench.runByContinue();
    bench.window.showView(View::Graph);
    QTableView *table = bench.schedule.panel().steps();
    const QPoint place = table->visualRect(table->model()->index(1, 0)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place);
    QVERIFY(bench.edit.isVisible());
    QCOMPARE(bench.edit.currentLine(), 3);
    bench.settle();
  }

  void aCrashingTransformIsNamedAndTheWindowStays() {
    EditorBench bench;
    QByteArray text = loop;
    text.replace(
        "    transform.yield",
        "    %p = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
        "    transform.apply_registered_pass \"fuselage-test-crash\" to %p : (!transform.any_op) -> !transform.any_op\n"
        "    transform.yield");
    bench.openScript(text);
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.key(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QVERIFY2(bench.banner.text().contains(u"line 9"_s) && bench.banner.text().contains(u"SIGSEGV"_s),
             qPrintable(bench.banner.text()));
    QCOMPARE(bench.edit.text().toUtf8(), text);
    QVERIFY(!bench.edit.problems().isEmpty());
    QCOMPARE(bench.edit.problems().last().line, 9);
    // And it goes on.
    bench.caret(9);
    bench.key(Qt::Key_Slash, Qt::ControlModifier);
    bench.settle();
    bench.runByContinue();
    QVERIFY(!bench.schedule.steps().trace().failed);
  }

  void anEndlessTransformIsStopped() {
    EditorBench bench;
    QByteArray text = loop;
    text.replace(
        "    transform.yield",
        "    %p = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
        "    transform.apply_registered_pass \"fuselage-test-hang\" to %p : (!transform.any_op) -> !transform.any_op\n"
        "    transform.yield");
    bench.openScript(text);
    bench.schedule.raise();
    QSignalSpy news(&bench.session.client(), &EngineClient::notified),
        recovered(&bench.session, &EngineSession::recovered);
    bench.key(Qt::Key_F5);
    const auto isThere = [&] {
      return !news.isEmpty() && news.last()[1].toJsonObject()[u"name"_s].toString().startsWith("line 9"_L1);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isThere(), patience);
    QTest::mouseClick(bench.schedule.panel().runButton(), Qt::LeftButton); // it says Cancel
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QVERIFY2(bench.banner.text().contains(u"line 9"_s), qPrintable(bench.banner.text()));
    QCOMPARE(bench.edit.problems().last().line, 9);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowEditorTest)
#include "WindowEditorTest.moc"
