// Another compiler in the window: its passes while it works, as a step, and side by side with ours; the outline.
#include "app/gui/compare/CompareController.h"
#include "app/gui/outline/OutlineController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/ComparePanel.h"
#include "views/panels/OutlinePanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// A script in the scratch folder that plays a compiler.
static QString script(const WindowBench &bench, const QString &name, const QByteArray &body) {
  const QString path = bench.write(name, "#!/bin/sh\n" + body);
  QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

static const QByteArray dumpFunction =
    "dump() { echo \"// -----// IR Dump After $1 ($1) //----- //\" >&2\n"
    "printf 'module {\\n  func.func @f(%%a: tensor<4xf32>) -> tensor<4xf32> {\\n    %%c = arith.constant %s : i32\\n"
    "    return %%a : tensor<4xf32>\\n  }\\n}\\n\\n' $2 >&2; }\n";
static const QByteArray module =
    "module {\n  func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n    return %a : tensor<4xf32>\n  }\n}\n";

static const QByteArray torch =
    "module {\n  func.func @f(%a: !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[8,16],f32> {\n"
    "    %0 = torch.aten.relu %a : !torch.vtensor<[8,16],f32> -> !torch.vtensor<[8,16],f32>\n"
    "    return %0 : !torch.vtensor<[8,16],f32>\n  }\n}\n";
static const QByteArray lowered =
    "module {\n  func.func @f(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {\n    %e = tensor.empty() : tensor<8x16xf32>\n"
    "    %0 = linalg.add ins(%a, %a : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> "
    "tensor<8x16xf32>\n"
    "    return %0 : tensor<8x16xf32>\n  }\n}\n";

/// Puts a folder before PATH, for the engine of the next bench.
class PathGuard {
public:
  explicit PathGuard(const QString &folder, bool alone = false) : before_(qgetenv("PATH")) {
    qputenv("PATH", alone ? folder.toUtf8() : folder.toUtf8() + ':' + before_);
  }
  ~PathGuard() { qputenv("PATH", before_); }

private:
  QByteArray before_;
};

class WindowToolTest : public QObject {
  Q_OBJECT
private slots:
  void showsPassesWhileTheCompilerWorks() {
    WindowBench bench;
    bench.open(bench.write(u"m.mlir"_s, module));
    const QString go = bench.scratch.filePath(u"go"_s);
    const QString tool = script(bench, u"slow-opt"_s,
                                dumpFunction + "dump one 1\ndump two 2\ndump three 3\nwhile [ ! -e " + go.toUtf8() +
                                    " ]; do sleep 0.05; done\ndump four 4\n");
    bench.pipeline.editAction()->trigger();
    PipelinePanel &panel = bench.pipeline.panel();
    panel.toolBox()->setEditText(tool);
    QTest::mouseClick(panel.toolButton(), Qt::LeftButton);
    // The last dump may not be whole yet; what is there can be looked at.
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 3, patience);
    QVERIFY(bench.session.isToolRunning());
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().contains(u"slow-opt is running"_s), patience);
    bench.steps.select(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.view().source()->line(2).value_or(QString()).contains(u"constant 2"_s),
                             patience);
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 5, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.isToolRunning(), patience);
    QCOMPARE(bench.steps.currentRow(), 2);
    QVERIFY(!bench.banner.isVisible());
    // A temporary log is no file of the user's.
    QVERIFY(!bench.settings.recentFiles().value(0).endsWith(u".log"_s));
    // The file is the input of the first pass, and recording goes on from any.
    bench.steps.select(0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!bench.text.view().source()->line(2).value_or(QString()).contains(u"constant"_s));
    // Once more runs on the file, not on the log.
    QTest::mouseClick(panel.toolButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 5, patience);
    QCOMPARE(bench.session.document().source, bench.scratch.filePath(u"m.mlir"_s));
  }

  void stopsTheCompiler() {
    WindowBench bench;
    bench.open(bench.write(u"m.mlir"_s, module));
    const QString tool = script(bench, u"endless-opt"_s, dumpFunction + "dump one 1\ndump two 2\nsleep 1000\n");
    bench.pipeline.editAction()->trigger();
    PipelinePanel &panel = bench.pipeline.panel();
    panel.toolBox()->setEditText(tool);
    QTest::mouseClick(panel.toolButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 2, patience);
    QTRY_VERIFY_WITH_TIMEOUT(panel.toolButton()->text().contains(u"top Compiler"_s), patience);
    QTest::mouseClick(panel.toolButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.isToolRunning(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().contains(u"cancelled"_s), patience);
    QCOMPARE(bench.rows(), 3); // now the last dump counts, too
  }

  void saysWhyACompilerDidNotRun() {
    WindowBench bench;
    bench.open(bench.write(u"m.mlir"_s, module));
    bench.pipeline.editAction()->trigger();
    PipelinePanel &panel = bench.pipeline.panel();
    panel.toolBox()->setEditText(u"no-such-compiler --x"_s);
    QSignalSpy failed(&bench.session, &EngineSession::toolFailed);
    QTest::keyClick(panel.toolBox()->lineEdit(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY(failed.first().first().value<protocol::Error>().message.contains(u"not in a folder of PATH"_s));
    // What was open stays.
    QVERIFY(bench.session.document().path.endsWith(u"m.mlir"_s));
    QVERIFY(bench.problems.model().toText().contains(u"no-such-compiler"_s));
  }

  void offersTheCompilersThatAreHere() {
    QTemporaryDir folder;
    QFile tool(folder.filePath(u"iree-compile"_s));
    QVERIFY(tool.open(QIODevice::WriteOnly));
    tool.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    PathGuard path(folder.path());
    WindowBench bench;
    bench.open(bench.write(u"m.mlir"_s, module));
    bench.pipeline.editAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.pipeline.panel().toolBox()->findText(u"iree-compile"_s, Qt::MatchStartsWith) >= 0,
                             patience);
  }

  void lowersAModuleByACompiler() {
    QTemporaryDir folder;
    QFile tool(folder.filePath(u"iree-compile"_s));
    QVERIFY(tool.open(QIODevice::WriteOnly));
    tool.write("#!/bin/sh\ncat <<END\n" + lowered + "END\n");
    tool.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    tool.close();
    PathGuard path(folder.path());
    WindowBench bench;
    bench.open(bench.write(u"torch.mlir"_s, torch));
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.isVisible() && bench.banner.text().contains(u"The module is Torch"_s),
                             patience);
    const QList<QPushButton *> buttons = bench.banner.findChildren<QPushButton *>();
    const auto lower = std::find_if(buttons.begin(), buttons.end(), [](QPushButton *button) {
      return button->text().contains(u"Lower it by iree-compile"_s);
    });
    QVERIFY(lower != buttons.end());
    QTest::mouseClick(*lower, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.keptSteps(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.session.steps().first().name, u"iree-compile"_s);
    QVERIFY(bench.graph.find(u"add 8x16"_s) != noNode);
    // It can be taken back, as a fusion can.
    bench.session.undoFusion();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.keptSteps(), 0, patience);
  }

  void copiesWhatInstallsACompiler() {
    QTemporaryDir empty;
    PathGuard path(empty.path(), /*alone=*/true);
    WindowBench bench;
    bench.open(bench.write(u"torch.mlir"_s, torch));
    const auto copy = [&]() -> QPushButton * {
      for (QPushButton *button : bench.banner.findChildren<QPushButton *>())
        if (button->text() == u"Copy 'pip install iree-base-compiler'"_s)
          return button;
      return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.isVisible() && copy(), patience);
    QTest::mouseClick(copy(), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), u"pip install iree-base-compiler"_s);
  }

  void comparesTwoStepsAndAFile() {
    WindowBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    bench.record(u"builtin.module(canonicalize,cse,func.func(fuselage-form-dispatches{policy=conservative}))"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() == 4 && bench.window.isSettled(), patience);
    bench.steps.select(3);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    auto &compare = bench.window.controller<CompareController>();
    compare.raise();
    ComparePanel &panel = compare.panel();
    panel.withBox()->setCurrentIndex(panel.withBox()->findText(u"The input"_s));
    QTest::mouseClick(panel.compareButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && compare.model().rowCount() > 0, patience);
    QCOMPARE(compare.model().comparison().a.planned, false);
    QCOMPARE(compare.model().comparison().b.planned, true);
    QVERIFY(panel.summary()->isVisible());
    // A row leads to its dispatches in the graph.
    panel.table()->setFocus();
    panel.table()->selectRow(1);
    QTest::keyClick(panel.table(), Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.selected() != noNode, patience);
    // With itself, all is the same.
    compare.compareWithFile(sample(u"bert_attention.mlir"_s));
    bench.steps.select(0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTest::mouseClick(panel.compareButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && compare.model().rowCount() > 0, patience);
    const protocol::DispatchComparison &same = compare.model().comparison();
    QCOMPARE(same.counts.value(u"same"_s), int(same.rows.size()));
    QVERIFY(!same.a.dispatches.isEmpty());
  }

  void theGraphDoesNotWaitForTheOutline() {
    WindowBench bench;
    auto &outline = bench.window.controller<OutlineController>();
    outline.raise();
    int rowsBefore = -1;
    connect(&bench.graph.scenes(), &GraphScenes::shown, &bench.window, [&] {
      if (rowsBefore < 0)
        rowsBefore = outline.model().rowCount();
    });
    bench.open(sample(u"bert_attention.mlir"_s));
    QTRY_VERIFY_WITH_TIMEOUT(outline.model().rowCount() > 0, patience);
    QCOMPARE(rowsBefore, 0);
  }

  void theOutlineLeadsAndFollows() {
    WindowBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    auto &outline = bench.window.controller<OutlineController>();
    outline.raise();
    QTRY_VERIFY_WITH_TIMEOUT(outline.model().rowCount() > 0 && bench.window.isSettled(), patience);
    const protocol::Outline &rows = outline.model().outline();
    int op = -1, dispatch = -1;
    for (int row = 0; row < rows.rows.size(); ++row) {
      op = rows.rows[row].kind == protocol::OutlineKind::Op && op < 0 ? row : op;
      dispatch = rows.rows[row].kind == protocol::OutlineKind::Dispatch && dispatch < 0 ? row : dispatch;
    }
    QVERIFY(op >= 0 && dispatch >= 0);
    // By keyboard to an op: graph, text and details go there.
    outline.panel().filterEdit()->setText(rows.rows[op].label);
    QTest::keyClick(outline.panel().filterEdit(), Qt::Key_Return);
    QTreeView *tree = outline.panel().tree();
    for (int i = 0; i < 20 && outline.panel().currentRow() != op; ++i)
      QTest::keyClick(tree, Qt::Key_Down);
    QCOMPARE(outline.panel().currentRow(), op);
    QTRY_COMPARE_WITH_TIMEOUT(bench.text.selected(), rows.rows[op].node, patience);
    outline.panel().filterEdit()->clear();
    // What is selected in the graph is selected here.
    const NodeId softmax = bench.graph.view().scene().nodes.last().id;
    bench.graph.view().setFocus();
    bench.text.select(softmax, true);
    if (const int row = outline.model().rowOf(softmax); row >= 0)
      QTRY_COMPARE_WITH_TIMEOUT(outline.panel().currentRow(), row, patience);
    // A run gives it times.
    QVERIFY(!outline.model().hasTimes());
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(outline.model().hasTimes(), patience);
    QVERIFY(outline.model().timeOf(dispatch) > 0);
    // Another step has an outline of its own.
    bench.steps.select(bench.rows() > 3 ? 3 : bench.rows() - 1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(outline.model().outline().snapshot, bench.text.snapshot(), patience);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowToolTest)
#include "WindowToolTest.moc"
