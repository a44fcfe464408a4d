// Results of kernel bundles in the window: made by the real commands on the host, shown by the real engine process.
#include "app/gui/bundles/BundleResultsController.h"
#include "app/gui/bundles/BundleResultsPanel.h"
#include "tests/views/window/WindowBench.h"
#include "views/common/SceneData.h"
#include "views/graph/GraphView.h"
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QTableView>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// Runs a program to its end. False: it failed; what it said is printed.
bool runProgram(const QString &program, const QStringList &arguments) {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(program, arguments);
  const bool isDone = process.waitForFinished(patience) && process.exitStatus() == QProcess::NormalExit;
  const bool isOk = isDone && process.exitCode() == 0;
  if (!isOk)
    qWarning().noquote() << program << arguments << process.readAll();
  return isOk;
}

struct BundleBench : WindowBench {
  BundleResultsController &bundles = window.controller<BundleResultsController>();
  BundleResultsPanel &panel = bundles.panel();
  BundleResultsModel &model = bundles.model();
  QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
  QAbstractItemModelTester sortedTester{panel.table()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest};

  void openResults(const QString &path) {
    bundles.openResults(path);
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  QAbstractItemModel &rows() { return *panel.table()->model(); }
  QString text(int row, int column) { return rows().index(row, column).data().toString(); }
  QStringList titles() {
    QStringList list;
    for (int column = 0; column < rows().columnCount(); ++column)
      list.append(rows().headerData(column, Qt::Horizontal).toString());
    return list;
  }
  /// The column that has this title.
  int column(const QString &title) { return int(titles().indexOf(title)); }
  /// What is marked in the graph of an op: itself, or the closed box around it.
  NodeId drawn(NodeId op) { return graph.view().scene().hiddenOps.value(op, op); }
};

} // namespace

class WindowBundleTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    module_ = sample(u"matmul_transpose_bias.mlir"_s);
    QVERIFY(runProgram(engineOfTests().first(), {u"bundle"_s, module_, u"-o"_s, path(u"bundle"_s)}));
    QVERIFY(runProgram(QStringLiteral(FUSELAGE_LAUNCH), {u"--repeat"_s, u"3"_s, u"--format"_s, u"json"_s, u"-o"_s,
                                                         path(u"host.json"_s), path(u"bundle"_s)}));
    QFile file(path(u"host.json"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    results_ = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(results_["kernels"_L1].toArray().size(), 2);
  }

  void withoutResultsThePanelSaysHowToGetThem() {
    BundleBench bench;
    bench.bundles.raise();
    QVERIFY(!bench.panel.openButton()->isEnabled()); // there is no module for them
    bench.bundles.openResults(path(u"host.json"_s));
    QVERIFY2(bench.panel.message().startsWith(u"First open the module"_s), qPrintable(bench.panel.message()));
    bench.open(module_);
    QVERIFY(bench.panel.message().isEmpty());
    QVERIFY(bench.panel.openButton()->isEnabled());
    QVERIFY(!bench.panel.closeButton()->isVisible());
    QCOMPARE(bench.rows().rowCount(), 0);
    bench.window.grab(); // the hint paints
  }

  void resultsOfTheCommandsArePlacedAndTintTheGraph() {
    BundleBench bench;
    bench.open(module_);
    bench.openResults(path(u"host.json"_s));
    QVERIFY2(bench.panel.message().isEmpty(), qPrintable(bench.panel.message()));
    QCOMPARE(bench.rows().rowCount(), 2);
    QCOMPARE(bench.titles(), QStringList({u"Dispatch"_s, u"Place"_s, u"Median"_s, u"Min"_s, u"Check"_s,
                                          u"Max error"_s})); // no baseline was measured
    for (int row = 0; row < 2; ++row) {
      QVERIFY2(bench.text(row, BundleResultsModel::Place).startsWith(u"matmul_transpose_bias.mlir:"_s),
               qPrintable(bench.text(row, BundleResultsModel::Place)));
      QCOMPARE(bench.text(row, bench.column(u"Check"_s)), u"agrees"_s);
      QVERIFY(bench.text(row, bench.column(u"Median"_s)).endsWith(u"s"_s));
    }
    const QString facts = bench.panel.facts();
    const QJsonObject bundle = results_["bundle"_L1].toObject();
    for (const QString &fact : {bundle["device_name"_L1].toString(), bundle["measured"_L1].toString(), u"host.json"_s,
                                u"2 of 2 dispatches agree"_s, u" together"_s})
      QVERIFY2(facts.contains(fact), qPrintable(facts + u" lacks "_s + fact));
    QVERIFY(!facts.contains(u"not placed"_s));
    // The same dispatches as a run tints, by the same numbers.
    const HeatData heat = bench.graph.view().heat();
    QVERIFY2(heat.title.contains(bundle["device_name"_L1].toString()), qPrintable(heat.title));
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.run.kernels().rowCount() > 0, patience);
    const HeatData ran = bench.graph.view().heat();
    QCOMPARE(ran.title, u"median time"_s); // the latest
    QCOMPARE(QSet<int>(heat.dispatches.keyBegin(), heat.dispatches.keyEnd()),
             QSet<int>(ran.dispatches.keyBegin(), ran.dispatches.keyEnd()));
    QVERIFY(!heat.dispatches.isEmpty());
    // Another step shows what the run tinted, and closing the results takes nothing from it.
    bench.steps.select(bench.rows().rowCount());
    bench.settle();
    QCOMPARE(bench.graph.view().heat().title, u"median time"_s);
    bench.panel.closeButton()->click();
    QCOMPARE(bench.rows().rowCount(), 0);
    QCOMPARE(bench.graph.view().heat().title, u"median time"_s);
  }

  void rowsAndOpsSelectEachOtherInEveryStep() {
    BundleBench bench;
    bench.open(module_);
    bench.openResults(path(u"host.json"_s));
    QVERIFY(bench.steps.model().rowCount() > 2);
    for (const int step : {0, bench.steps.model().rowCount() / 2, 1}) {
      bench.steps.select(step);
      bench.settle();
      for (int row = 0; row < 2; ++row) {
        const QList<qint64> ops = bench.model.opsOf(row);
        QVERIFY2(!ops.isEmpty(), qPrintable(u"in step %1"_s.arg(step)));
        bench.panel.table()->setCurrentIndex(bench.rows().index(1 - row, 0));
        bench.panel.table()->setCurrentIndex(bench.rows().index(row, 0));
        bench.settle();
        QCOMPARE(bench.WindowBench::text.selected(), ops.first());
        QCOMPARE(bench.graph.view().currentNode(), bench.drawn(ops.first()));
        bench.panel.setCurrentRow(-1);
        bench.WindowBench::text.select(bench.model.opsOf(1 - row).first(), true);
        bench.settle();
        QCOMPARE(bench.panel.currentRow(), 1 - row);
      }
    }
    // An op of no dispatch has no row.
    bench.steps.select(0);
    bench.settle();
    QCOMPARE(bench.model.rowOf(0), -1); // the module
    bench.panel.setCurrentRow(0);
    bench.WindowBench::text.select(0, false);
    bench.settle();
    QCOMPARE(bench.panel.currentRow(), -1);
  }

  void severalFilesStandSideBySide() {
    QJsonObject other = renamed(u"Another GPU"_s);
    QJsonArray kernels = other["kernels"_L1].toArray();
    QJsonObject first = kernels[0].toObject();
    for (const char *time : {"min_us", "median_us", "p95_us"})
      first[QLatin1StringView(time)] = 2 * results_["kernels"_L1].toArray()[0].toObject()["median_us"_L1].toDouble();
    first["baselines"_L1] = QJsonArray{QJsonObject{{u"kind"_s, u"library"_s},
                                                   {u"name"_s, u"cuBLAS"_s},
                                                   {u"what"_s, u"sgemm"_s},
                                                   {u"us"_s, 5.0},
                                                   {u"launches"_s, 3}}};
    QJsonObject second = first; // the dispatch has two kernels there
    QJsonObject wrong = kernels[1].toObject();
    wrong["verdict"_L1] = u"wrong"_s;
    wrong["why"_L1] = u"all are off"_s;
    wrong["median_us"_L1] = wrong["min_us"_L1] = wrong["p95_us"_L1] = -1;
    other["kernels"_L1] = QJsonArray{first, second, wrong};
    const QString otherPath = write(u"other.json"_s, other);

    BundleBench bench;
    bench.open(module_);
    bench.openResults(path(u"host.json"_s));
    bench.openResults(otherPath);
    bench.openResults(otherPath); // read again, and not twice
    QCOMPARE(bench.model.files().size(), 2);
    QCOMPARE(bench.rows().rowCount(), 2);
    const QString host = bench.model.nameOf(0);
    QCOMPARE(bench.model.nameOf(1), u"Another GPU"_s);
    const auto column = [&](const char *title) { return bench.column(QLatin1StringView(title) + u" 2"_s); };
    QCOMPARE(bench.titles().mid(2, 4), QStringList({u"Median 1"_s, u"Median 2"_s, u"Ratio 2"_s, u"Min 1"_s}));
    QVERIFY(bench.column(u"Baseline 1"_s) < 0);
    QVERIFY(bench.panel.facts().startsWith(u"1: "_s + host) && bench.panel.facts().contains(u"\n2: Another GPU"_s));
    QCOMPARE(bench.text(0, column("Ratio")), u"4\u00d7"_s); // two kernels, each twice as long
    QVERIFY(bench.text(0, column("Min")).startsWith(u"\u2265 "_s));
    QVERIFY(bench.text(0, column("Baseline")).startsWith(u"5"_s));
    QCOMPARE(bench.text(1, column("Median")), QString()); // unknown
    QCOMPARE(bench.text(1, column("Ratio")), QString());
    QCOMPARE(bench.text(1, column("Baseline")), QString());
    QCOMPARE(bench.text(1, column("Check")), u"differs"_s);
    QVERIFY(bench.rows().index(1, column("Check")).data(Qt::ToolTipRole).toString().contains(u"all are off"_s));
    QVERIFY2(bench.panel.facts().contains(u": \u2265 "_s) && bench.panel.facts().contains(u"1 of 2 dispatches agree"_s),
             qPrintable(bench.panel.facts()));
    // The one that was opened last tints the graph, until the other is chosen.
    QVERIFY(bench.graph.view().heat().title.endsWith(u"Another GPU"_s));
    bench.panel.setCurrentFile(0);
    QVERIFY(bench.graph.view().heat().title.endsWith(host));
    // Sorted by value: what is unknown comes first.
    bench.panel.table()->sortByColumn(column("Median"), Qt::AscendingOrder);
    QCOMPARE(bench.text(0, column("Check")), u"differs"_s);
    bench.panel.closeButton()->click();
    QCOMPARE(bench.model.files().size(), 1);
    QVERIFY(bench.column(u"Median"_s) >= 0);
    QVERIFY(bench.graph.view().heat().title.endsWith(u"Another GPU"_s));
  }

  void whatTheFilesSayIsNoRichText() {
    BundleBench bench;
    bench.open(module_);
    bench.openResults(write(u"tags.json"_s, renamed(u"<h1>GPU</h1>"_s)));
    const QString device = u"&lt;h1&gt;GPU&lt;/h1&gt;"_s;
    QVERIFY(bench.rows().index(0, bench.column(u"Median"_s)).data(Qt::ToolTipRole).toString().contains(device));
    QVERIFY(
        bench.rows().headerData(bench.column(u"Check"_s), Qt::Horizontal, Qt::ToolTipRole).toString().contains(device));
    QVERIFY(bench.panel.facts().startsWith(u"<h1>GPU</h1>"_s));
    for (const QLabel *label : bench.panel.findChildren<QLabel *>())
      QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(u"GPU"_s));
  }

  void devicesOfOneNameAreToldApartByTheirFiles() {
    BundleBench bench;
    bench.open(module_);
    bench.openResults(path(u"host.json"_s));
    bench.openResults(write(u"again.json"_s, results_));
    QVERIFY(bench.model.nameOf(0).endsWith(u" (host)"_s) && bench.model.nameOf(1).endsWith(u" (again)"_s));
  }

  void resultsOfAnotherModuleAreRefusedWithAReason() {
    BundleBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.openResults(path(u"host.json"_s));
    QCOMPARE(bench.model.files().size(), 0);
    const QString message = bench.panel.message();
    for (const char *part : {"host.json is not shown: ", "'matmul_transpose_bias.mlir' with the checksum",
                             "softmax.mlir", "fuselage bundle", "fuselage-launch --format json"})
      QVERIFY2(message.contains(QLatin1StringView(part)), qPrintable(message));
    QVERIFY(bench.graph.view().heat().isEmpty());
    // Without a checksum, as of `fuselage run`, names and places decide.
    QJsonObject bare = results_;
    bare.remove("bundle"_L1);
    bench.openResults(write(u"bare.json"_s, bare));
    QVERIFY2(
        bench.panel.message().contains(u"the results are of @linear, whose dispatches cannot be formed in 'softmax"_s),
        qPrintable(bench.panel.message()));
    bare["function"_L1] = u"softmax"_s;
    bench.openResults(write(u"bare.json"_s, bare));
    QVERIFY2(bench.panel.message().contains(u"none of the 2 rows of the results belongs to 'softmax.mlir'"_s),
             qPrintable(bench.panel.message()));
    // Damaged, and nothing of the kind.
    QJsonArray kernels = results_["kernels"_L1].toArray();
    QJsonObject first = kernels[0].toObject();
    first["median_us"_L1] = u"soon"_s;
    kernels[0] = first;
    bare["kernels"_L1] = kernels;
    bench.openResults(write(u"damaged.json"_s, bare));
    QVERIFY2(bench.panel.message().contains(u"kernels[0].median_us must be a number"_s),
             qPrintable(bench.panel.message()));
    bench.openResults(sample(u"softmax.mlir"_s));
    QVERIFY2(bench.panel.message().contains(u"holds no results of a run"_s), qPrintable(bench.panel.message()));
    bench.window.grab();
    // What is right takes the message away.
    bench.open(module_);
    bench.openResults(path(u"host.json"_s));
    QVERIFY(bench.panel.message().isEmpty());
    QCOMPARE(bench.model.files().size(), 1);
  }

  void aRowThatDoesNotFitIsListedAsNotPlaced() {
    QJsonObject partly = results_;
    QJsonArray kernels = results_["kernels"_L1].toArray();
    QJsonObject first = kernels[0].toObject();
    first["dispatch"_L1] = u"main_dispatch_7_unknown"_s;
    kernels[0] = first;
    partly["kernels"_L1] = kernels;
    BundleBench bench;
    bench.open(module_);
    bench.openResults(write(u"partly.json"_s, partly));
    QCOMPARE(bench.rows().rowCount(), 2);
    QCOMPARE(bench.text(0, BundleResultsModel::Place), u"not placed"_s);
    const QString why = bench.rows().index(0, BundleResultsModel::Place).data(Qt::ToolTipRole).toString();
    QVERIFY2(why.contains(u"the module has no dispatch @main_dispatch_7_unknown"_s), qPrintable(why));
    QVERIFY2(bench.panel.facts().contains(u"1 not placed: the module has no dispatch"_s),
             qPrintable(bench.panel.facts()));
    QCOMPARE(bench.graph.view().heat().dispatches.size(), 1);
    const NodeId before = bench.WindowBench::text.selected();
    bench.panel.table()->setCurrentIndex(bench.rows().index(0, 0)); // leads nowhere
    bench.settle();
    QCOMPARE(bench.WindowBench::text.selected(), before);
  }

  void fusingChangesWhatResultsBelongTo() {
    BundleBench bench;
    bench.open(module_);
    bench.openResults(path(u"host.json"_s));
    bench.session.fuse({.what = FuseRequest::What::All});
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.undoLevels() == 1, patience);
    // The product reads the untransposed matrix now: its dispatch has other ops, and the transpose has none.
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.panel.facts().contains(u"belongs to"_s) || bench.panel.facts().contains(u"not placed"_s), patience);
    QVERIFY(bench.graph.view().heat().dispatches.size() < 2);
    QCOMPARE(bench.model.files().size(), 1); // it stays open
    bench.session.undoFusion();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.undoLevels() == 0, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.panel.facts().endsWith(u"2 of 2 dispatches agree"_s), patience);
    QCOMPARE(bench.graph.view().heat().dispatches.size(), 2);
  }

  void droppedResultsAreOpenedAndDroppedModulesToo() {
    BundleBench bench;
    bench.open(module_);
    drop(bench, path(u"host.json"_s));
    bench.settle();
    QCOMPARE(bench.model.files().size(), 1);
    QVERIFY(bench.panel.isVisible());
    QCOMPARE(bench.session.document().path, module_);
    drop(bench, sample(u"softmax.mlir"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.document().path.endsWith(u"softmax.mlir"_s),
                             patience);
    QCOMPARE(bench.model.files().size(), 0);
  }

  void resultsComeBackWithTheirDocumentAndTheEngine() {
    BundleBench bench;
    bench.open(module_);
    bench.openResults(path(u"host.json"_s));
    bench.open(sample(u"softmax.mlir"_s));
    QCOMPARE(bench.model.files().size(), 0);
    QVERIFY(bench.graph.view().heat().isEmpty());
    bench.open(module_);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows().rowCount(), 2, patience);
    bench.killEngine();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.lastCrash() && bench.window.isSettled(), patience);
    QCOMPARE(bench.rows().rowCount(), 2);
    QVERIFY(!bench.model.opsOf(0).isEmpty());
  }

  void theCommandIsInTheMenus() {
    BundleBench bench;
    bench.open(module_);
    QStringList texts;
    for (const QAction *action : bench.window.findChildren<QAction *>())
      texts.append(QString(action->text()).remove(u'&'));
    QVERIFY(texts.contains(u"Open Bundle Results\u2026"_s));
    QVERIFY(texts.contains(u"Bundle Results"_s)); // among the panels
  }

private:
  QString path(const QString &name) const { return folder_.filePath(name); }
  QString write(const QString &name, const QJsonObject &results) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(results).toJson()) <= 0)
      qFatal("cannot write into the scratch folder");
    return file.fileName();
  }
  /// As if another device had run the bundle.
  QJsonObject renamed(const QString &device) const {
    QJsonObject other = results_, bundle = results_["bundle"_L1].toObject();
    bundle["device_name"_L1] = device;
    other["bundle"_L1] = bundle;
    return other;
  }
  static void drop(BundleBench &bench, const QString &path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&bench.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&bench.window, &event);
  }

  QTemporaryDir folder_;
  QString module_;
  QJsonObject results_;
};

FUSELAGE_WINDOW_TEST_MAIN(WindowBundleTest)
#include "WindowBundleTest.moc"
