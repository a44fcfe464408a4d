// Journals of tunings in the window.
#include "app/gui/tuning/TuneJournals.h"
#include "tests/views/window/TuningBench.h"
#include "views/charts/KnobMap.h"
#include "views/charts/TrialPlot.h"
#include "views/common/Theme.h"
#include "views/tuning/TrialViews.h"
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>

class WindowJournalTest : public QObject {
  Q_OBJECT
private slots:
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
  QTemporaryDir home_;

private slots:
  /// Journals are where the user's data is: each test has its own.
  void init() {
    static int number = 0;
    qputenv("XDG_DATA_HOME", home_.filePath(QString::number(++number)).toUtf8());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowJournalTest)
#include "WindowJournalTest.moc"
