// Drives the real window with the real engine process.
#include "app/gui/MainWindow.h"
#include "app/gui/Settings.h"
#include "views/graph/GraphView.h"
#include "views/panels/Banner.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/SearchBar.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include <QAbstractButton>
#include <QApplication>
#include <QCompleter>
#include <QDir>
#include <QDropEvent>
#include <QFontInfo>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <csignal>
#include <unistd.h>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// The slowest machine that should still pass.
static constexpr int patience = 240'000;

static QString sample(const QString &name) { return QStringLiteral(FUSELAGE_SAMPLES) + u'/' + name; }

/// A log of five passes: on a module, on its functions (one changes nothing), one that failed, and one
/// that dumped something that is no IR.
static QByteArray dumpLog() {
  const QByteArray f = "func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = arith.addf %arg0, %arg0 : tensor<4xf32>\n"
                       "  %1 = arith.addf %arg0, %arg0 : tensor<4xf32>\n  %2 = arith.mulf %0, %1 : tensor<4xf32>\n  return %2 : tensor<4xf32>\n}\n";
  const QByteArray merged = "func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = arith.addf %arg0, %arg0 : tensor<4xf32>\n"
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

/// An engine, a window, and settings that belong to one test.
struct Bench {
  QTemporaryDir scratch;
  Settings settings{scratch.filePath(u"settings.ini"_s)};
  EngineSession session{{QStringLiteral(FUSELAGE_ENGINE), u"serve"_s}};
  MainWindow window{session, settings};

  Bench() {
    window.graph().setAnimated(false);
    window.show();
    session.start();
  }
  void open(const QString &path) {
    window.openFile(path);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience);
  }
  /// Writes a file into the scratch folder; returns its path.
  QString write(const QString &name, const QByteArray &text) const {
    QFile file(scratch.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
      qFatal("cannot write into the scratch folder");
    return file.fileName();
  }
  int rows() const { return const_cast<Bench *>(this)->window.stepModel().rowCount(); }
  void record(const QString &pipeline) {
    session.record({.pipeline = pipeline, .schedule = {}, .target = {}});
  }
};

class WindowTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() {
    qputenv("FUSELAGE_TEST_PASSES", "1");
    QVERIFY2(QFileInfo(QStringLiteral(FUSELAGE_ENGINE)).isExecutable(), "build the target fuselage first");
    QVERIFY(QFontInfo(QApplication::font()).pixelSize() > 0);
  }

  void opensAndRecordsASample() {
    Bench bench;
    QVERIFY(!bench.session.hasDocument());
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    QVERIFY(!bench.window.graph().scene().nodes.isEmpty());
    QVERIFY(bench.window.text().source() && bench.window.text().source()->lineCount() > 3);
    QVERIFY(bench.rows() > 5);
    QVERIFY(bench.window.windowTitle().contains(u"matmul_transpose_bias"_s));
    QCOMPARE(bench.settings.recentFiles().size(), 1);
    QCOMPARE(bench.window.problems().errorCount(), 0);
  }

  void repeatedLayersFoldAndUnfold() {
    Bench bench;
    QByteArray text = "func.func @f(%x0: f32) -> f32 {\n";
    constexpr int layers = 150;
    for (int l = 0; l < layers; ++l) {
      int op = 0;
      for (const char *name : {"exp", "absf", "tanh", "sqrt"}) {
        const QByteArray from = op == 0 ? "%x" + QByteArray::number(l) : "%t" + QByteArray::number(l) + '_' + QByteArray::number(op - 1);
        const QByteArray to = op == 3 ? "%x" + QByteArray::number(l + 1) : "%t" + QByteArray::number(l) + '_' + QByteArray::number(op);
        text += "  " + to + " = math." + name + ' ' + from + " : f32\n";
        ++op;
      }
    }
    text += "  return %x" + QByteArray::number(layers) + " : f32\n}\n";
    bench.open(bench.write(u"layers.mlir"_s, text));
    auto others = [&]() -> const NodeData * {
      for (const NodeData &node : bench.window.graph().scene().nodes)
        if (node.count > 0)
          return &node;
      return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(others(), patience);
    QVERIFY(bench.window.graph().scene().nodes.size() < 10);
    QVERIFY(others()->count >= layers - 2);
    const NodeId id = others()->id;
    emit bench.window.graph().clusterToggled(id, false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.graph().scene().nodes.size() > layers - 3, patience);
    emit bench.window.graph().clusterToggled(id, true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.graph().scene().nodes.size() < 10, patience);
  }

  void openingCanBeCancelled() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const QString before = bench.session.document().path;
    QByteArray text = "func.func @f(%x0: f32) -> f32 {\n";
    constexpr int ops = 60000;
    for (int i = 0; i < ops; ++i)
      text += "  %x" + QByteArray::number(i + 1) + " = arith.addf %x" + QByteArray::number(i) + ", %x0 : f32\n";
    text += "  return %x" + QByteArray::number(ops) + " : f32\n}\n";
    bench.window.openFile(bench.write(u"big.mlir"_s, text));
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.state(), EngineSession::State::Opening, patience);
    QTest::keyClick(&bench.window.graph(), Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.session.document().path, before);
    QVERIFY(!bench.window.graph().scene().nodes.isEmpty());
  }

  void selectionTiesGraphTextAndDetails() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const SceneData scene = bench.window.graph().scene();
    const auto node = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                   [](const NodeData &data) { return data.kind == NodeData::Kind::Compute; });
    QVERIFY(node != scene.nodes.end());
    bench.window.graph().reveal(node->id);
    const QPoint place = bench.window.graph().rectOf(node->id).center().toPoint();
    QTest::mouseClick(&bench.window.graph(), Qt::LeftButton, {}, place);
    QCOMPARE(bench.window.graph().currentNode(), node->id);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.window.details().isEmpty(), patience);
    const QString op = bench.window.details().index(0, DetailsModel::Value).data().toString();
    QVERIFY2(op.contains(u'.'), qPrintable(op));
    const auto line = bench.window.text().source()->line(bench.window.text().currentLine());
    QVERIFY(line.has_value());
    QVERIFY2(line->contains(op), qPrintable(*line));

    // And back: another line of the text selects another node.
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.window.text().setFocus();
    const NodeId before = bench.window.graph().currentNode();
    for (int i = 0; i < 30 && bench.window.graph().currentNode() == before; ++i) {
      QTest::keyClick(&bench.window.text(), Qt::Key_Down);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    }
    QVERIFY(bench.window.graph().currentNode() != before);
  }

  void stepsByKeyAndShowsTheDiff() {
    Bench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.window.steps().list()->setFocus();
    QCOMPARE(bench.window.steps().currentRow(), 0);
    QTest::keyClick(bench.window.steps().list(), Qt::Key_J);
    QCOMPARE(bench.window.steps().currentRow(), 1);
    QTest::keyClick(bench.window.steps().list(), Qt::Key_J);
    QTest::keyClick(bench.window.steps().list(), Qt::Key_K);
    QCOMPARE(bench.window.steps().currentRow(), 1);
    QTest::keyClick(bench.window.steps().list(), Qt::Key_Down);
    QCOMPARE(bench.window.steps().currentRow(), 2);
    bench.window.showView(MainWindow::DiffTab);
    int changed = 0;
    for (int row = 1; row < bench.rows() && !changed; ++row)
      if (bench.window.stepModel().stepAt(row)->changed)
        changed = row;
    QVERIFY(changed > 0);
    bench.window.selectStep(changed);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.diff().changeCount() > 0, patience);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.graph().scene().snapshot, changed, patience);
    bench.window.selectStep(0);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.diff().changeCount(), 0, patience);
  }

  void levelsAndClustersAskForOtherScenes() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const qsizetype ops = bench.window.graph().scene().nodes.size();
    bench.window.actions().levelDispatches->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.window.graph().scene().nodes.size() < ops);
    const SceneData scene = bench.window.graph().scene();
    for (const NodeData &node : scene.nodes)
      if (node.collapsed) {
        emit bench.window.graph().clusterToggled(node.id, false);
        break;
      }
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.graph().scene().nodes.size() > scene.nodes.size(), patience);
    bench.window.actions().levelOps->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.graph().scene().nodes.size(), ops, patience);
    bench.window.actions().foldConstants->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.window.graph().scene().nodes.size() >= ops);
  }

  void searchesGraphAndText() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.window.actions().find->trigger();
    QVERIFY(bench.window.searchBar().isVisible());
    QTest::keyClicks(bench.window.searchBar().edit(), u"generic|reduce|linalg"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.graph().matchCount() > 0, patience);
    QTest::keyClick(bench.window.searchBar().edit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.graph().currentNode() != noNode, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.window.details().isEmpty(), patience);
    QTest::keyClick(bench.window.searchBar().edit(), Qt::Key_Escape);
    QVERIFY(!bench.window.searchBar().isVisible());
    QCOMPARE(bench.window.graph().matchCount(), 0);
  }

  void runsOnTheHostDevice() { runOn(u"host"_s); }

  void runsOnVulkan() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bool hasVulkan = false, isAnswered = false;
    bench.session.client().call<protocol::Devices>(u"devices/list"_s, {}, this, [&](const protocol::Devices &devices) {
      isAnswered = true;
      for (const protocol::Device &device : devices.devices)
        hasVulkan |= device.id == "vulkan:0"_L1;
    });
    QTRY_VERIFY_WITH_TIMEOUT(isAnswered, patience);
    if (!hasVulkan)
      QSKIP("no Vulkan device here");
    runOn(u"vulkan:0"_s);
  }

  void exportsWhatIsOnScreen() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const QString path = bench.scratch.filePath(u"graph.svg"_s);
    QString written;
    bench.session.client().call<protocol::WrittenFile>(
        u"graph/export"_s, {{u"snapshot"_s, 0}, {u"level"_s, u"ops"_s}, {u"layout"_s, u"layered"_s}, {u"foldConstants"_s, true}, {u"path"_s, path}},
        this, [&](const protocol::WrittenFile &file) { written = file.path; });
    QTRY_VERIFY_WITH_TIMEOUT(!written.isEmpty(), patience);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("<svg"));
  }

  void aBadFileKeepsWhatIsOpen() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const qsizetype nodes = bench.window.graph().scene().nodes.size();
    QFile bad(bench.scratch.filePath(u"bad.mlir"_s));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("\nthis is no MLIR {\n");
    bad.close();
    bench.open(bad.fileName());
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.problems().errorCount() > 0, patience);
    QVERIFY(bench.window.problems().toText().contains(u"bad.mlir:2"_s));
    QCOMPARE(bench.window.graph().scene().nodes.size(), nodes);
    QVERIFY(bench.window.windowTitle().contains(u"softmax"_s));
    QVERIFY(bench.rows() > 1);
    bench.open(u"/no/such/file.mlir"_s);
    QVERIFY(bench.window.windowTitle().contains(u"softmax"_s));
  }

  void aFileWithAnErrorShowsTheRest() {
    Bench bench;
    QFile broken(bench.scratch.filePath(u"broken.mlir"_s));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("func.func @f(%a: f32) -> f32 {\n  %0 = arith.addf %a, %a : nonsense\n  %1 = math.exp %a : f32\n"
                 "  return %1 : f32\n}\n");
    broken.close();
    bench.open(broken.fileName());
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.graph().scene().nodes.size() > 1, patience);
    QVERIFY(bench.window.problems().errorCount() > 0);
    QVERIFY(bench.window.problems().toText().contains(u"broken.mlir:2"_s));
    QVERIFY(bench.window.windowTitle().contains(u"broken"_s));
  }

  void aTypoInAPipelineIsExplained() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const int rows = bench.rows();
    bench.record(u"builtin.module(canonicalise)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.problems().errorCount() > 0, patience);
    QVERIFY2(bench.window.problems().toText().contains(u"canonicalize"_s), qPrintable(bench.window.problems().toText()));
    QCOMPARE(bench.rows(), rows);
  }

  void completesPassNames() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.window.actions().editPipeline->trigger();
    PipelineEdit *edit = bench.window.pipelinePanel().edit();
    QTRY_VERIFY_WITH_TIMEOUT(edit->completer()->model()->rowCount() > 50, patience);
    edit->setPlainText(u"builtin.module(cse)"_s);
    QTest::keyClick(edit, Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 2);
  }

  void killedEngineComesBack() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const int rows = bench.rows();
    bench.window.selectStep(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const qsizetype nodes = bench.window.graph().scene().nodes.size();
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    ::kill(pid_t(bench.session.client().processId()), SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.banner().isVisible(), patience);
    QVERIFY2(bench.window.banner().text().contains(u"SIGKILL"_s), qPrintable(bench.window.banner().text()));
    QCOMPARE(bench.window.graph().scene().nodes.size(), nodes); // all of it stays on screen
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), rows);
    QCOMPARE(bench.window.steps().currentRow(), 2);
    bench.window.selectStep(1);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.graph().scene().snapshot, 1, patience);
  }

  void aCrashingPassIsNamed() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.record(u"builtin.module(cse,fuselage-test-crash,canonicalize)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const QString text = bench.window.banner().text();
    QVERIFY2(text.contains(u"fuselage-test-crash"_s) && text.contains(u"SIGSEGV"_s), qPrintable(text));
    QCOMPARE(bench.rows(), 2); // the input and cse
    const QString path = bench.scratch.filePath(u"crash.mlir"_s);
    QString written, problem;
    bench.session.saveCrashReproducer(
        path, this, [&](const QString &file) { written = file; },
        [&](const protocol::Error &error) { problem = error.message; });
    QTRY_VERIFY_WITH_TIMEOUT(!written.isEmpty() || !problem.isEmpty(), patience);
    QCOMPARE(problem, QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("fuselage-test-crash"));
  }

  void aHangingPassIsStopped() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy started(&bench.session, &EngineSession::stepStarted);
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.record(u"builtin.module(cse,fuselage-test-hang)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!started.isEmpty() && started.last()[0].value<protocol::StepStarted>().pass == "fuselage-test-hang"_L1, patience);
    bench.window.actions().cancel->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY2(bench.window.banner().text().contains(u"fuselage-test-hang"_s), qPrintable(bench.window.banner().text()));
    QCOMPARE(bench.rows(), 2);
  }

  void aLogIsARecording() {
    Bench bench;
    bench.open(bench.write(u"build.log"_s, dumpLog()));
    QVERIFY(bench.session.showsLog());
    QCOMPARE(bench.rows(), 6);
    QCOMPARE(bench.window.stepModel().index(2, StepModel::Name).data().toString(), u"cse  @f"_s);
    QCOMPARE(bench.window.stepModel().index(3, StepModel::Delta).data().toString(), u"same"_s);
    QCOMPARE(bench.window.stepModel().index(4, StepModel::Delta).data().toString(), u"failed"_s);
    QVERIFY(bench.window.steps().list()->isColumnHidden(StepModel::Time));
    QVERIFY(bench.window.problems().toText().contains(u"no good"_s));
    QVERIFY(bench.window.windowTitle().contains(u"build.log"_s));

    // Steps, diffs and graphs as of a recording; a function is compared with itself.
    bench.window.showView(MainWindow::DiffTab);
    bench.window.selectStep(2);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.diff().diff().removed, 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.window.showView(MainWindow::GraphTab);
    QVERIFY(!bench.window.graph().scene().nodes.isEmpty());
    QCOMPARE(*bench.window.text().source()->line(0), u"func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {"_s);
    bench.window.steps().list()->setFocus();
    QTest::keyClick(bench.window.steps().list(), Qt::Key_J);
    QCOMPARE(bench.window.steps().currentRow(), 3);
    bench.window.steps().setHideUnchanged(true);
    QTest::keyClick(bench.window.steps().list(), Qt::Key_K);
    QCOMPARE(bench.window.steps().currentRow(), 2);
    bench.window.steps().filterEdit()->setText(u"@g"_s);
    QCOMPARE(bench.window.steps().list()->model()->rowCount(), 2); // the log, and the pass that failed
    bench.window.steps().filterEdit()->clear();
    bench.window.steps().setHideUnchanged(false);

    // What is no IR still has its text.
    bench.window.selectStep(5);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.text().source()->line(1).value_or(QString()), u"define void @f() {"_s, patience);
  }

  void recordsFromAStepOfALog() {
    Bench bench;
    bench.open(bench.write(u"build.log"_s, dumpLog()));
    bench.window.selectStep(1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.window.pipelinePanel().edit()->setPlainText(u"builtin.module(func.func(cse))"_s);
    emit bench.window.steps().recordFromRequested(1);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.showsLog() && bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 2);
    QVERIFY(bench.window.stepModel().stepAt(1)->changed);
    QVERIFY(bench.window.stepModel().index(0, StepModel::Name).data().toString().contains(u"canonicalize"_s));
    // A restarted engine gets back there.
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    ::kill(pid_t(bench.session.client().processId()), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 2);
    emit bench.window.pipelinePanel().originRequested();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.showsLog() && bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 6);
  }

  void aKilledEngineBringsALogBack() {
    Bench bench;
    bench.open(bench.write(u"build.log"_s, dumpLog()));
    bench.window.selectStep(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    ::kill(pid_t(bench.session.client().processId()), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.session.showsLog());
    QCOMPARE(bench.rows(), 6);
    QCOMPARE(bench.window.steps().currentRow(), 2);
  }

  void aFolderOfDumpsIsDropped() {
    Bench bench;
    QVERIFY(QDir(bench.scratch.path()).mkpath(u"tree/builtin_module_no-symbol-name"_s));
    bench.write(u"tree/builtin_module_no-symbol-name/0_cse.mlir"_s, "// -----// IR Dump After CSE (cse) //----- //\nmodule {\n}\n\n");
    bench.write(u"tree/builtin_module_no-symbol-name/1_inline.mlir"_s, "// -----// IR Dump After Inliner (inline) //----- //\nmodule {\n}\n\n");
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

  void survivesAnySize() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    for (const QSize size : {QSize(1, 1), QSize(300, 200), QSize(4000, 3000), QSize(1440, 900)}) {
      bench.window.resize(size);
      for (int view : {MainWindow::GraphTab, MainWindow::TextTab, MainWindow::DiffTab}) {
        bench.window.showView(MainWindow::View(view));
        QCoreApplication::processEvents();
        QVERIFY(!bench.window.grab().isNull());
      }
    }
  }

  void everythingIsReachedByKeyboard() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.window, patience));
    bench.window.graph().setFocus();
    QTest::keyClick(&bench.window, Qt::Key_J);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.steps().currentRow(), 1, patience);
    QTest::keyClick(&bench.window, Qt::Key_3, Qt::ControlModifier);
    QTRY_VERIFY(bench.window.diff().isVisible());
    QTest::keyClick(&bench.window, Qt::Key_1, Qt::ControlModifier);
    QTRY_VERIFY(bench.window.graph().isVisible());
    QTest::keyClick(&bench.window, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(bench.window.searchBar().edit()->hasFocus());
    QTest::keyClick(bench.window.searchBar().edit(), Qt::Key_Escape);
    QTest::keyClick(&bench.window, Qt::Key_P, Qt::ControlModifier);
    QTRY_VERIFY(bench.window.pipelinePanel().edit()->hasFocus());
    // Every control that takes the keyboard says what it is.
    for (const QWidget *widget : bench.window.findChildren<QWidget *>()) {
      const bool isOurs = (widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && !widget->inherits("QTabBar") &&
                          !widget->objectName().startsWith(u"qt_"_s) && !widget->parentWidget()->inherits("QAbstractSpinBox");
      const auto *button = qobject_cast<const QAbstractButton *>(widget);
      if (isOurs)
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                 qPrintable(u"%1 in %2"_s.arg(QLatin1String(widget->metaObject()->className()),
                                              QLatin1String(widget->parentWidget()->metaObject()->className()))));
    }
  }

  void neverBlocksWhileTheEngineWorks() {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.record(u"builtin.module(fuselage-test-hang)"_s);
    QSignalSpy started(&bench.session, &EngineSession::stepStarted);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() == EngineSession::State::Recording, patience);
    // The loop turns, whatever the engine does.
    int ticks = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { ++ticks; });
    timer.start(1);
    QTRY_VERIFY_WITH_TIMEOUT(ticks > 100, patience);
    QVERIFY(!bench.window.grab().isNull());
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.window.actions().cancel->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
  }

private:
  void runOn(const QString &device) {
    Bench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy failed(&bench.session, &EngineSession::runFailed);
    bench.window.runOn(device);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.kernels().rowCount() > 0 || !failed.isEmpty(), patience);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<protocol::Error>().message));
    for (int row = 0; row < bench.window.kernels().rowCount(); ++row)
      QVERIFY(bench.window.kernels().index(row, 0).data(KernelModel::OkRole).toBool());
    QVERIFY(bench.window.runPanel().isVisible());
    QCOMPARE(bench.window.runPanel().table()->model()->rowCount(), bench.window.kernels().rowCount());
  }
};

int main(int argc, char **argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QFont font(u"DejaVu Sans"_s, 10);
  QApplication::setFont(font);
  WindowTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "WindowTest.moc"
