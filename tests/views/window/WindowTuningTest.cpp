// Tuning in the window: a space with its sliders, and a search that fills table and plots.
#include "app/gui/tiles/TileController.h"
#include "tests/views/window/TuningBench.h"
#include "views/charts/KnobMap.h"
#include "views/charts/RooflineView.h"
#include "views/charts/TrialPlot.h"
#include "views/graph/GraphView.h"
#include "views/panels/SchedulePanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/tiles/TileCanvas.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tuning/TrialDialog.h"
#include "views/tuning/TrialViews.h"
#include "views/widgets/Banner.h"
#include "views/widgets/StepChip.h"
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

static const QByteArray twoProducts =
    "func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>, %d: tensor<48x16xf32>, %e: "
    "tensor<64x16xf32>) -> tensor<64x16xf32> {\n"
    "  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%c : tensor<64x48xf32>) -> "
    "tensor<64x48xf32>\n"
    "  %1 = linalg.matmul ins(%0, %d : tensor<64x48xf32>, tensor<48x16xf32>) outs(%e : tensor<64x16xf32>) -> "
    "tensor<64x16xf32>\n"
    "  return %1 : tensor<64x16xf32>\n}\n";

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
    QVERIFY(!roofline.peaks.empty());
    QCOMPARE(roofline.now[0].flops, 2.0 * 48 * 48 * 32);
    QVERIFY(roofline.now[0].us > 0 && roofline.before[0].us > 0);
    QVERIFY2(bench.panel().message().contains(u" peak, by default "_s), qPrintable(bench.panel().message()));

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
    const StepChip &chip = bench.window.shell().centre().placeChip();
    QVERIFY(chip.isVisible());
    panel.setFollows(false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().snapshot == 0 && tuning.isSettled() && bench.graph.isSettled(),
                             patience);
    QVERIFY(!chip.isVisible());
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

private:
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
