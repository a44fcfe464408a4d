// Tuning in the window: a space with its sliders, a search that fills table and plots, journals.
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/tiles/TileController.h"
#include "app/gui/tuning/TuneJournals.h"
#include "app/gui/tuning/TuningController.h"
#include "tests/views/window/WindowBench.h"
#include "views/charts/KnobMap.h"
#include "views/charts/RooflineView.h"
#include "views/charts/TrialPlot.h"
#include "views/common/Theme.h"
#include "views/graph/GraphView.h"
#include "views/panels/SchedulePanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/tiles/TileCanvas.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tuning/KnobList.h"
#include "views/tuning/TrialDialog.h"
#include "views/tuning/TrialViews.h"
#include "views/tuning/TuningPanel.h"
#include "views/widgets/Banner.h"
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

static const QByteArray product =
    "func.func @f(%a: tensor<48x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48x48xf32>) -> tensor<48x48xf32> {\n"
    "  %mm = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x48xf32>) outs(%c : tensor<48x48xf32>) -> "
    "tensor<48x48xf32>\n"
    "  return %mm : tensor<48x48xf32>\n}\n";

static const QByteArray twoProducts =
    "func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>, %d: tensor<48x16xf32>, %e: "
    "tensor<64x16xf32>) -> tensor<64x16xf32> {\n"
    "  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%c : tensor<64x48xf32>) -> "
    "tensor<64x48xf32>\n"
    "  %1 = linalg.matmul ins(%0, %d : tensor<64x48xf32>, tensor<48x16xf32>) outs(%e : tensor<64x16xf32>) -> "
    "tensor<64x16xf32>\n"
    "  return %1 : tensor<64x16xf32>\n}\n";

/// Tiles of the product; `most` results in one.
static QByteArray knobs(const QByteArray &most = "1024") {
  return "module attributes {transform.with_named_sequence} {\n"
         "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n"
         "    %rows = transform.tune.knob<\"rows\"> = 16 from options = {lower_bound = 8, divides = \"arg0.0\"} -> "
         "!transform.param<i64>\n"
         "    %columns = transform.tune.knob<\"columns\"> = 8 from options = [8, 16, 48] -> !transform.param<i64>\n"
         "    transform.smt.constrain_params(%rows, %columns) : (!transform.param<i64>, !transform.param<i64>) -> () "
         "{\n"
         "    ^bb0(%r: !smt.int, %c: !smt.int):\n"
         "      %area = smt.int.mul %r, %c\n"
         "      %most = smt.int.constant " +
         most +
         "\n"
         "      %fits = smt.int.cmp le %area, %most\n"
         "      smt.assert %fits\n    }\n"
         "    %mm = transform.structured.match ops{[\"linalg.matmul\"]} in %root : (!transform.any_op) -> "
         "!transform.any_op\n"
         "    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [%rows, %columns] : (!transform.any_op, "
         "!transform.param<i64>, "
         "!transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)\n"
         "    transform.yield\n  }\n}\n";
}

/// A window with a payload and a schedule open, and the panel in front. Its journal is its own.
struct TuningBench : WindowBench {
  TuningBench(const QString &payload, const QString &schedule) {
    open(payload);
    QVERIFY(scripts().open(schedule));
    tuning().raise();
    QTRY_VERIFY_WITH_TIMEOUT(panel().knobs().hasSpace(), patience);
  }
  explicit TuningBench(const QByteArray &schedule = knobs()) : TuningBench(sampleOf(product), sampleOf(schedule)) {}
  static QString sampleOf(const QByteArray &text) {
    static QTemporaryDir folder;
    static int number = 0;
    QFile file(folder.filePath(u"%1.mlir"_s.arg(++number)));
    [&] { QVERIFY(file.open(QFile::WriteOnly) && file.write(text) == text.size()); }();
    return file.fileName();
  }
  TuningController &tuning() { return window.controller<TuningController>(); }
  ScriptController &scripts() { return window.controller<ScriptController>(); }
  ScheduleController &schedule() { return window.controller<ScheduleController>(); }
  TuningPanel &panel() { return tuning().panel(); }
  KnobRow &knob(const QString &name) { return *panel().knobs().row(name); }
  /// To a value, as by the keyboard.
  void move(const QString &name, const QString &value) {
    knob(name).slider()->setValue(int(knob(name).knob().values.indexOf(value)));
    QTRY_VERIFY_WITH_TIMEOUT(tuning().isSettled() && knob(name).knob().value == value, patience);
  }
  void tune(int trials, const QString &strategy) {
    panel().setBudget(trials, false);
    panel().setStrategy(strategy);
    QTest::mouseClick(panel().tuneButton(), Qt::LeftButton);
  }
  void awaitTuned() { QTRY_VERIFY_WITH_TIMEOUT(tuning().isSettled(), patience); }
};

class WindowTuningTest : public QObject {
  Q_OBJECT
private slots:
  void listsTheSpaceOfTheSample() {
    TuningBench bench(sample(u"schedules/batch_matmul_payload.mlir"_s), sample(u"schedules/batch_matmul_knobs.mlir"_s));
    QCOMPARE(bench.panel().knobs().count()->text().section(u'\n', 0, 0), u"371 points"_s);
    QCOMPARE(bench.panel().knobs().space().knobs.size(), 3);
    const protocol::TuneKnob &depth = bench.knob(u"depth"_s).knob();
    QCOMPARE(depth.values.join(u' '), u"1 2 4 8 16 32"_s);
    QCOMPARE(depth.value, u"16"_s);
    QCOMPARE(bench.knob(u"rows"_s).slider()->maximum(), 7); // 16, 32, .. 128
    QVERIFY(bench.panel().knobs().conditions()->text().contains(u"&lt;= 1024"_s));
    QVERIFY(bench.panel().tuneButton()->isEnabled());
  }

  void nothingInfeasibleCanBeSet() {
    TuningBench bench;
    QCOMPARE(bench.panel().knobs().count()->text(), u"13 points"_s);
    bench.move(u"columns"_s, u"48"_s);
    QVERIFY(!bench.knob(u"rows"_s).slider()->fits(4)); // 48 by 48 is too much
    QVERIFY(bench.knob(u"rows"_s).slider()->fits(0));
    bench.move(u"rows"_s, u"48"_s); // columns follow
    QCOMPARE(bench.knob(u"columns"_s).knob().value, u"16"_s);
    QVERIFY(bench.panel().knobs().prediction()->text().contains(u"Followed: columns"_s));
    // What is kept does not: values that would need it are gone.
    QTest::mouseClick(bench.knob(u"columns"_s).fixButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.panel().knobs().count()->text(), u"5 points"_s, patience);
    QVERIFY(!bench.knob(u"columns"_s).slider()->isEnabled());
  }

  void theScheduleFollowsTheKnobs() {
    TuningBench bench;
    bench.move(u"rows"_s, u"24"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.schedule().steps().rowCount() > 0 && bench.schedule().isSettled(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.schedule().steps().trace().explicitText.contains(u"knob<\"rows\"> = 24"_s),
                             patience);
    bench.panel().setFollows(false);
    bench.move(u"rows"_s, u"12"_s);
    QVERIFY(bench.schedule().steps().trace().explicitText.contains(u"knob<\"rows\"> = 24"_s));
  }

  /// The tile of the knobs, and the explorer where it can be seen; and how long all of it takes.
  void tilesGraphAndTextFollowTheKnobs() {
    TuningBench bench(sample(u"schedules/batch_matmul_payload.mlir"_s), sample(u"schedules/batch_matmul_knobs.mlir"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.tuning().isSettled() && !bench.panel().tile().cards().isEmpty(), patience);
    QVERIFY(bench.panel().knobs().prediction()->text().startsWith(u"1,280 tiles"_s));
    auto &explorer = bench.window.controller<TileController>();
    for (const QString &value : {u"32"_s, u"128"_s, u"16"_s, u"64"_s}) {
      KnobRow &rows = bench.knob(u"rows"_s);
      rows.slider()->setValue(int(rows.knob().values.indexOf(value)));
      QTRY_VERIFY_WITH_TIMEOUT(bench.tuning().lastMilliseconds() > 0, patience);
      qInfo("rows = %s: text, graph, tile and cost on screen after %.0f ms", qPrintable(value),
            bench.tuning().lastMilliseconds());
      QTRY_VERIFY_WITH_TIMEOUT(bench.tuning().isSettled() && bench.schedule().isSettled(), patience);
      QCOMPARE(bench.knob(u"rows"_s).knob().value, value);
      const QList<TileCard> &cards = bench.panel().tile().cards();
      const auto result = std::find_if(cards.begin(), cards.end(),
                                       [](const TileCard &card) { return card.section.startsWith(u"Result"_s); });
      QVERIFY(result != cards.end());
      const qint64 columns = bench.knob(u"columns"_s).knob().value.toLongLong();
      QCOMPARE(result->footprint.elements, std::min<qint64>(80, value.toLongLong()) * columns);
    }
    explorer.raise();
    QTRY_VERIFY_WITH_TIMEOUT(explorer.panel().hasDomain() && explorer.isSettled(), patience);
    QCOMPARE(explorer.panel().question().sizes,
             QList<qint64>({1, 64, bench.knob(u"columns"_s).knob().value.toLongLong(), 16}));
  }

  void saysWhichConditionsClash() {
    TuningBench bench(knobs("63"));
    QVERIFY2(bench.panel().knobs().problem()->text().contains(u"rows * columns <= 63"_s),
             qPrintable(bench.panel().knobs().problem()->text()));
    QVERIFY(!bench.panel().tuneButton()->isEnabled());
  }

  void tunesAndFillsTableAndPlots() {
    TuningBench bench;
    QAbstractItemModelTester tester(&bench.tuning().trials());
    bench.tune(6, u"random"_s);
    QVERIFY(!bench.tuning().isSettled());
    bench.awaitTuned();
    TrialModel &trials = bench.tuning().trials();
    QCOMPARE(trials.rowCount(), 6);
    QVERIFY(trials.best() >= 0);
    QVERIFY2(bench.panel().message().startsWith(u"Best: "_s), qPrintable(bench.panel().message()));
    QVERIFY(bench.panel().progressText()->text().startsWith(u"6 of 6 trials"_s));
    TrialViews &views = bench.panel().trials();
    QCOMPARE(views.table()->model()->rowCount(), 6);
    QVERIFY(views.progressPlot()->accessibleDescription().startsWith(u"6 trials, the best"_s));
    QCOMPARE(views.knobBox()->count(), 2);

    // Where the best lies, and the baseline: one dispatch, the same work in two times.
    const message::RooflineChart &roofline = bench.panel().roofline().chart();
    QCOMPARE(roofline.now.size(), 1u);
    QCOMPARE(roofline.before.size(), 1u);
    QVERIFY(!roofline.roofs.empty());
    QCOMPARE(roofline.now[0].flops, 2.0 * 48 * 48 * 32);
    QVERIFY(roofline.now[0].us > 0 && roofline.before[0].us > 0);
    QVERIFY2(bench.panel().message().contains(u" roof, by default "_s), qPrintable(bench.panel().message()));

    // A dot is chosen, and the table shows the same trial.
    const QPoint dot = views.progressPlot()->positionOf(2).toPoint();
    QTest::mouseClick(views.progressPlot(), Qt::LeftButton, {}, dot);
    QCOMPARE(views.progressPlot()->current(), views.current());
    QVERIFY(views.current() >= 0);
    // The map has a cell for each pair that was tried.
    int cells = 0;
    for (int column = 0; column < 5; ++column)
      for (int row = 0; row < 5; ++row)
        cells += views.map()->trialOf(column, row) >= 0;
    QCOMPARE(cells, 6);
    // It shows the same trial as current.
    for (int row = 0; row < trials.rowCount(); ++row) {
      views.table()->selectRow(row);
      QCOMPARE(views.map()->current(), row);
      QCOMPARE(views.current(), row);
    }

    views.filter()->setText(u"rows=16"_s);
    const int left = views.table()->model()->rowCount();
    QVERIFY(left >= 1 && left < 6); // the baseline is one of them
    views.filter()->clear();

    // The window's trials as a table for others.
    QCOMPARE(trials.csv().count('\n'), 7);
    QVERIFY(trials.csv().startsWith("number,columns,rows,status,speed,"));
  }

  void opensATrialBesideTheBaseline() {
    TuningBench bench;
    bench.tune(3, u"exhaustive"_s);
    bench.awaitTuned();
    int other = -1; // than the baseline
    for (int row = 0; row < bench.tuning().trials().rowCount(); ++row)
      if (pointText(bench.tuning().trials().trials().at(row).parameters) != u"columns=8 rows=16"_s)
        other = row;
    QVERIFY(other >= 0);
    bench.tuning().openTrial(other);
    TrialDialog *dialog = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((dialog = bench.window.window()->findChild<TrialDialog *>()), patience);
    QVERIFY(dialog->summary()->text().contains(u"as fast as the baseline"_s) ||
            dialog->summary()->text().contains(u"cut short"_s));
    QVERIFY(dialog->diff()->diff().changed > 0);
    QVERIFY(dialog->text().contains(u"transform.tune.knob"_s));
    emit dialog->applyRequested(bench.tuning().trials().trials().at(other).parameters);
    dialog->close();
    QTRY_COMPARE_WITH_TIMEOUT(pointText(bench.panel().knobs().values()),
                              pointText(bench.tuning().trials().trials().at(other).parameters), patience);
  }

  void pausesAndIsCancelled() {
    TuningBench bench;
    bench.panel().setBudget(600, true);
    bench.panel().setStrategy(u"exhaustive"_s);
    QTest::mouseClick(bench.panel().tuneButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.panel().state() == TuningPanel::State::Running, patience);
    QTest::mouseClick(bench.panel().pauseButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.panel().state() == TuningPanel::State::Paused || bench.tuning().isSettled(),
                             patience);
    QTest::mouseClick(bench.panel().cancelButton(), Qt::LeftButton);
    bench.awaitTuned();
    QVERIFY(bench.panel().tuneButton()->isEnabled());
    QVERIFY(bench.tuning().trials().rowCount() <= 13);
  }

  void tunesASelectedDispatch() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    auto &tuning = bench.window.controller<TuningController>();
    tuning.panel().setSubject(TuningPanel::Subject::Dispatch);
    tuning.raise();
    QVERIFY(!tuning.panel().knobs().hasSpace());
    bench.text.select(bench.graph.find(u"matmul"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(tuning.panel().knobs().hasSpace(), patience);
    QVERIFY(tuning.panel().knobs().row(u"task_rows"_s));
    QVERIFY(!tuning.panel().knobs().row(u"rows"_s)->fixButton()->isVisibleTo(&tuning.panel()));
    tuning.panel().setDevice(u"vulkan:0"_s);
    QTRY_VERIFY_WITH_TIMEOUT(tuning.panel().knobs().row(u"tile_0"_s), patience);
    KnobRow *tile = tuning.panel().knobs().row(u"tile_0"_s);
    tile->slider()->setValue(int(tile->knob().values.indexOf(u"32"_s)));
    // All sizes are asked for, or none; what they cost is known before anything runs.
    QTRY_VERIFY_WITH_TIMEOUT(tuning.panel().knobs().prediction()->text().contains(u"workgroups"_s), patience);
    QVERIFY(tuning.panel().knobs().values().value(u"step"_s) != u"0"_s);
  }

  /// Without a schedule: the dispatch alone, as the pipeline tiles it, in text, diff and graph, and its tile.
  void graphAndTextFollowTheSizesOfADispatch() {
    WindowBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    auto &tuning = bench.window.controller<TuningController>();
    TuningPanel &panel = tuning.panel();
    panel.setSubject(TuningPanel::Subject::Dispatch);
    panel.setDevice(u"vulkan:0"_s);
    tuning.raise();
    bench.text.select(bench.graph.find(u"batch_matmul"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(panel.knobs().row(u"tile_1"_s) && tuning.isSettled(), patience);
    QCOMPARE(bench.graph.view().scene().snapshot, 0);
    const auto move = [&](const QString &knob, const QString &value) {
      panel.knobs().row(knob)->slider()->setValue(int(panel.knobs().row(knob)->knob().values.indexOf(value)));
      QTRY_VERIFY_WITH_TIMEOUT(tuning.lastMilliseconds() > 0 && tuning.isSettled() && bench.text.isSettled() &&
                                   bench.graph.isSettled(),
                               patience);
      qInfo("%s = %s: text, graph, tile and cost on screen after %.0f ms", qPrintable(knob), qPrintable(value),
            tuning.lastMilliseconds());
    };
    for (const QString &value : {u"16"_s, u"64"_s}) {
      move(u"tile_1"_s, value);
      QVERIFY(bench.graph.view().scene().snapshot >= 1 << 24);
      bench.window.showView(View::Text);
      const QString tile = u"tensor<1x%1x%2xf32>"_s.arg(value, panel.knobs().values().value(u"tile_2"_s));
      QTRY_VERIFY2_WITH_TIMEOUT(textOf(bench.text.view()).contains(u"scf.forall"_s) &&
                                    textOf(bench.text.view()).contains(tile),
                                qPrintable(tile), patience);
      QCOMPARE(textOf(bench.text.view()).count(u"func.func"_s), 1); // nothing but the dispatch
      bench.window.showView(View::Diff);
      QTRY_VERIFY_WITH_TIMEOUT(bench.text.diff().diff().added > 0, patience);
      bench.window.showView(View::Graph);
      QVERIFY(panel.knobs().prediction()->text().contains(u"workgroups"_s));
      QVERIFY(!panel.tile().cards().isEmpty());
    }
    // The knobs stay while the dispatch alone is looked at, and when the user goes back.
    QVERIFY(bench.banner.isVisible());
    panel.setFollows(false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().snapshot == 0 && tuning.isSettled() && bench.graph.isSettled(),
                             patience);
    QVERIFY(!bench.banner.isVisible());
    QCOMPARE(panel.knobs().values().value(u"tile_1"_s), u"64"_s);
    // On the host the attribute says what is asked.
    panel.setFollows(true);
    panel.setDevice(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(panel.knobs().row(u"rows"_s) && tuning.isSettled(), patience);
    move(u"rows"_s, u"4"_s);
    bench.window.showView(View::Text);
    QTRY_VERIFY_WITH_TIMEOUT(textOf(bench.text.view()).contains(u"host = array<i64: 4, "_s), patience);
    QTRY_VERIFY_WITH_TIMEOUT(panel.tile().cards().value(0).lines.join(u' ').contains(u"in registers: "_s), patience);
    QVERIFY(panel.knobs().prediction()->text().contains(u"tasks"_s));
  }

  void tunesAllDispatches() {
    WindowBench bench;
    bench.open(TuningBench::sampleOf(twoProducts));
    auto &tuning = bench.window.controller<TuningController>();
    TuningPanel &panel = tuning.panel();
    panel.setSubject(TuningPanel::Subject::All);
    tuning.raise();
    QTRY_VERIFY_WITH_TIMEOUT(panel.tuneButton()->isEnabled(), patience);
    panel.setBudget(6, false);
    panel.setStrategy(u"random"_s);
    QTest::mouseClick(panel.tuneButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(panel.plan().items.size() == 2, patience);
    QTRY_VERIFY_WITH_TIMEOUT(tuning.isSettled(), patience);
    const protocol::TunePlan &plan = panel.plan();
    QCOMPARE(plan.trials, 6);
    int trials = 0;
    for (const protocol::TuneItem &item : plan.items) {
      QVERIFY(item.outcome.has_value());
      QVERIFY(item.trials >= 2 && item.baselineUs > 0 && item.bestUs > 0);
      trials += item.trials;
    }
    QCOMPARE(trials, 6);
    QVERIFY2(panel.message().contains(u" of 2 dispatches are faster"_s), qPrintable(panel.message()));
    QCOMPARE(panel.roofline().chart().now.size(), 2u);
    // A row shows the trials of its dispatch.
    for (int row : {0, 1}) {
      panel.items()->selectRow(row);
      QCOMPARE(tuning.trials().rowCount(), plan.items[row].trials);
    }
  }

  void eachDispatchMayHaveTheBudget() {
    WindowBench bench;
    bench.open(TuningBench::sampleOf(twoProducts));
    auto &tuning = bench.window.controller<TuningController>();
    TuningPanel &panel = tuning.panel();
    panel.setBudgetOfEach(true);
    QVERIFY(!panel.isBudgetOfEach()); // there is one thing to tune
    panel.setSubject(TuningPanel::Subject::All);
    QVERIFY(panel.isBudgetOfEach());
    tuning.raise();
    QTRY_VERIFY_WITH_TIMEOUT(panel.tuneButton()->isEnabled(), patience);
    panel.setBudget(3, false);
    panel.setStrategy(u"random"_s);
    QTest::mouseClick(panel.tuneButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(panel.plan().items.size() == 2, patience);
    QTRY_VERIFY_WITH_TIMEOUT(tuning.isSettled(), patience);
    QCOMPARE(panel.plan().trials, 6);
    for (const protocol::TuneItem &item : panel.plan().items)
      QCOMPARE(item.trials, 3);
    QVERIFY2(panel.progressText()->text().contains(u"6 of 6 trials"_s), qPrintable(panel.progressText()->text()));
  }

  /// Page by page, with numbers that are those of all trials, and dots that say that there are fewer.
  void aLongJournalComesInPages() {
    TuningBench bench;
    constexpr int many = 3 * TuneJournals::pageSize + 700, best = 6001;
    bench.tuning().showJournal(journalOf(bench, many, best));
    TrialModel &model = bench.tuning().trials();
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QTRY_VERIFY_WITH_TIMEOUT(model.rowCount() == many && bench.tuning().isSettled(), patience);
    QCOMPARE(inserted.count(), 4);
    for (const QVariantList &page : inserted)
      QVERIFY(page[2].toInt() - page[1].toInt() < TuneJournals::pageSize);
    QVERIFY2(bench.panel().message().endsWith(u", 8,200 trials"_s), qPrintable(bench.panel().message()));
    QCOMPARE(model.best(), best - 1);
    const protocol::TuneTrial trial = model.trials().at(best - 1);
    QCOMPARE(trial.number, best);
    QCOMPARE(trial.medianUs, 50.0);
    QCOMPARE(speedOf(trial), 2.0);
    QCOMPARE(pointText(trial.parameters), u"columns=%1 rows=%2"_s.arg(best % 16).arg(best));

    TrialViews &views = bench.panel().trials();
    QAbstractItemModel &rows = *views.table()->model();
    views.filter()->setText(u"columns=3 failed"_s);
    int failed = 0;
    for (int number = 1; number <= many; ++number)
      failed += number % 7 == 0 && QString::number(number % 16).startsWith(u'3');
    QCOMPARE(rows.rowCount(), failed);
    views.filter()->clear();
    QCOMPARE(rows.rowCount(), many);
    rows.sort(TrialModel::Speed, Qt::DescendingOrder);
    QCOMPARE(rows.index(0, TrialModel::Number).data().toInt(), best);
    rows.sort(TrialModel::Point, Qt::AscendingOrder); // numbers by their size
    QCOMPARE(rows.index(0, TrialModel::Point).data().toString(), u"columns=0 rows=16"_s);
    QCOMPARE(rows.index(1, TrialModel::Point).data().toString(), u"columns=0 rows=32"_s);
    QCOMPARE(rows.index(6, TrialModel::Point).data().toString(), u"columns=0 rows=112"_s);

    TrialPlot &plot = *views.progressPlot();
    views.setCurrentWidget(&plot);
    const QImage picture = plot.grab().toImage();
    QVERIFY(!picture.isNull());
    QVERIFY2(plot.dots() > 100 && plot.dots() < many, qPrintable(QString::number(plot.dots())));
    QVERIFY(plot.accessibleDescription().startsWith(u"8,200 trials,"_s));
    // The best stands out where it belongs, whatever was left out around it.
    const QColor there = picture.pixelColor((plot.positionOf(best - 1) * picture.devicePixelRatio()).toPoint());
    QCOMPARE(there, Theme::of(plot.palette()).success);
    QCOMPARE(model.csv().count('\n'), many + 1);
  }

  /// Not those of the space that is open.
  void aJournalHasKnobsOfItsOwn() {
    TuningBench bench(sample(u"schedules/batch_matmul_payload.mlir"_s), sample(u"schedules/batch_matmul_knobs.mlir"_s));
    TrialViews &views = bench.panel().trials();
    QCOMPARE(views.knobBox()->count(), 3);
    bench.tuning().showJournal(journalOf(bench, 20, 5));
    QTRY_VERIFY_WITH_TIMEOUT(bench.tuning().trials().rowCount() == 20 && bench.tuning().isSettled(), patience);
    QCOMPARE(views.knobBox()->count(), 2);
    QCOMPARE(views.knobBox()->itemText(0), u"columns"_s);
    int cells = 0;
    for (int column = 0; column < 16; ++column)
      for (int row = 0; row < 20; ++row)
        cells += views.map()->trialOf(column, row) >= 0;
    QCOMPARE(cells, 20);
  }

  void aJournalIsShownWithoutRunning() {
    TuningBench bench;
    bench.tune(3, u"random"_s);
    bench.awaitTuned();
    const int made = bench.tuning().trials().rowCount();
    bench.tuning().trials().setTrials({});
    bench.tuning().showJournal({}); // the window's own
    QTRY_VERIFY_WITH_TIMEOUT(bench.tuning().trials().rowCount() >= made, patience);
    QVERIFY(bench.panel().message().startsWith(u"From the journal "_s));
    bench.tuning().showJournal(bench.scratch.filePath(u"none.jsonl"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.panel().message().contains(u"there is no journal at"_s), patience);
  }

private:
  /// Of `many` trials, each with rows of its own: every seventh failed, and one is twice as fast.
  static QString journalOf(const WindowBench &bench, int many, int best) {
    QByteArray text;
    for (int number = 1; number <= many; ++number) {
      const bool isFailed = number % 7 == 0 && number != best;
      const double us = number == best ? 50 : 110 + number % 90;
      const QJsonObject trial{{u"format"_s, 1},
                              {u"module"_s, u"m"_s},
                              {u"dispatch"_s, u"d"_s},
                              {u"schedule"_s, u"s"_s},
                              {u"device"_s, u"a device"_s},
                              {u"driver"_s, u"1"_s},
                              {u"version"_s, u"1"_s},
                              {u"parameters"_s, QJsonObject{{u"rows"_s, QString::number(number)},
                                                            {u"columns"_s, QString::number(number % 16)}}},
                              {u"status"_s, isFailed ? u"failed"_s : u"ok"_s},
                              {u"why"_s, isFailed ? u"too large"_s : QString()},
                              {u"us"_s, isFailed ? QJsonArray() : QJsonArray{us}},
                              {u"baseline_us"_s, isFailed ? QJsonArray() : QJsonArray{100.0}},
                              {u"baseline_parameters"_s, QJsonObject()},
                              {u"kernel"_s, QString::number(number)},
                              {u"strategy"_s, u"random"_s},
                              {u"seconds"_s, 0.1},
                              {u"time"_s, 1}};
      text += QJsonDocument(trial).toJson(QJsonDocument::Compact) + '\n';
    }
    return bench.write(u"long.jsonl"_s, text);
  }
  static QString textOf(const TextView &view) {
    QStringList lines;
    for (int line = 0; line < view.source()->lineCount(); ++line)
      lines.append(view.source()->line(line).value_or(QString()));
    return lines.join(u'\n');
  }
  QTemporaryDir home_;

private slots:
  /// Journals are where the user's data is: each test has its own.
  void init() {
    static int number = 0;
    qputenv("XDG_DATA_HOME", home_.filePath(QString::number(++number)).toUtf8());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowTuningTest)
#include "WindowTuningTest.moc"
