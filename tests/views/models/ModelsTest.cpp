#include "app/bridge/MessageReader.h"
#include "views/models/DetailsModel.h"
#include "views/models/Format.h"
#include "views/models/HistoryModel.h"
#include "views/models/KernelModel.h"
#include "views/models/ProblemsModel.h"
#include "views/models/ReasonWords.h"
#include "views/models/StepModel.h"
#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QTest>

using namespace fuselage;
using namespace Qt::StringLiterals;

static constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

static protocol::Step step(int index, bool changed, bool failed = false) {
  protocol::Step result;
  result.index = index;
  result.name = u"step %1"_s.arg(index);
  result.pass = u"pass-%1"_s.arg(index);
  result.pipeline = u"builtin.module(pass-%1)"_s.arg(index);
  result.milliseconds = 0.5;
  result.before = index;
  result.after = index + 1;
  result.changed = changed;
  result.failed = failed;
  if (changed)
    result.opDelta = {{u"linalg.fill"_s, -2}, {u"scf.forall"_s, 3}};
  return result;
}

static protocol::StepStarted started(int index) {
  protocol::StepStarted result;
  result.index = index;
  result.total = 3;
  result.name = u"step %1"_s.arg(index);
  return result;
}

class ModelsTest : public QObject {
  Q_OBJECT
private slots:
  /// The same code is another reason in another family.
  void reasonsHaveTitles() {
    QCOMPARE(reasonWords(QStringLiteral("MULTI_USE")), QStringLiteral("Several users"));
    QCOMPARE(reasonWords(QStringLiteral("UNKNOWN_OP")), QStringLiteral("Op is not known"));
    QCOMPARE(reasonWords(QStringLiteral("UNKNOWN_OP"), ReasonFamily::Buffers),
             QStringLiteral("Op is not known to bufferization"));
    QCOMPARE(reasonWords(QStringLiteral("NOBODY_NAMED_IT")), QStringLiteral("Nobody named it"));
  }

  void stepsAreFilteredByFunctionAndByOp() {
    StepModel model;
    model.setDocument(u"x.log"_s);
    QList<protocol::Step> steps{step(0, true), step(1, true), step(2, false), step(3, true)};
    steps[0].scope = u"func.func @f"_s;
    steps[1].scope = u"func.func @g"_s;
    steps[3].opDelta = {{u"linalg.fill"_s, 0}, {u"arith.addi"_s, 1}};
    model.setSteps(steps);
    StepFilter filter;
    QAbstractItemModelTester tester(&filter, strict);
    filter.setSourceModel(&model);
    const auto shown = [&filter](const QString &words) {
      filter.setWords(words);
      QStringList names;
      for (int row = 1; row < filter.rowCount(); ++row)
        names.append(filter.index(row, StepModel::Name).data().toString());
      return names.join(u", "_s);
    };
    QCOMPARE(shown(u"@g"_s), u"step 1  @g"_s);
    QCOMPARE(shown(u"op:linalg.fill"_s), u"step 0  @f, step 1  @g"_s);
    QCOMPARE(shown(u"op:linalg.fill @f"_s), u"step 0  @f"_s);
    QCOMPARE(shown(u"op:arith"_s), u"step 3"_s);
    filter.setTouched(u"arith"_s, {2});
    QCOMPARE(shown(u"op:arith"_s), u"step 2, step 3"_s);
    QCOMPARE(shown(u"op:"_s).count(u"step"_s), 4);
    QCOMPARE(filter.touchedNames(), QStringList());
    QCOMPARE(StepFilter::completions(model.steps()),
             QStringList({u"@f"_s, u"@g"_s, u"op:arith.addi"_s, u"op:linalg.fill"_s, u"op:scf.forall"_s}));
    QCOMPARE(model.index(1, StepModel::Name).data(StepModel::AnchorRole).toString(), u"@f"_s);
    QCOMPARE(model.index(0, StepModel::Name).data(StepModel::AnchorRole).toString(), QString());
  }

  void historyIsATable() {
    HistoryModel model;
    QAbstractItemModelTester tester(&model, strict);
    protocol::History history;
    history.events = {
        {.step = -1, .change = protocol::HistoryChange::Present, .snapshot = 0, .line = 3, .text = u"%0 = a"_s},
        {.step = 1, .change = protocol::HistoryChange::Removed, .snapshot = 1, .line = 4, .text = u"%0 = b"_s}};
    model.setHistory(history, {u"cse"_s, u"inline"_s});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, HistoryModel::Step).data(), QVariant());
    QCOMPARE(model.index(1, HistoryModel::Name).data().toString(), u"inline"_s);
    QCOMPARE(model.index(1, HistoryModel::Change).data().toString(), u"removed"_s);
    QCOMPARE(model.at(1)->line, 4);
    QVERIFY(!model.at(2));
    // Rewrites of a step stand below it.
    history.events[1].rewrites = {{.rewrite = 12,
                                   .change = protocol::RewriteChange::Replaced,
                                   .kind = u"pattern"_s,
                                   .pattern = u"FoldX"_s,
                                   .op = u"arith.addf"_s,
                                   .count = 2}};
    model.setHistory(history, {u"cse"_s, u"inline"_s});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.eventCount(), 2);
    QVERIFY(!model.rewriteAt(1));
    QCOMPARE(model.rewriteAt(2)->rewrite, 12);
    QCOMPARE(model.at(2)->step, 1);
    QCOMPARE(model.index(2, HistoryModel::Step).data().toString(), u"1.12"_s);
    QCOMPARE(model.index(2, HistoryModel::Name).data().toString().trimmed(), u"FoldX"_s);
    QCOMPARE(model.index(2, HistoryModel::Change).data().toString(), u"replaced"_s);
    QCOMPARE(model.index(2, HistoryModel::Text).data().toString(), u"arith.addf \u00d72"_s);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void unknownAndInfiniteNumbersAreNotZero() {
    const auto kernelOf = [](const QJsonValue &error, const QJsonValue &time) {
      protocol::RunReport report;
      decode({{u"kernels"_s, QJsonArray{QJsonObject{{u"max_abs_error"_s, error}, {u"median_us"_s, time}}}}}, report);
      return report.kernels.first();
    };
    KernelModel model;
    model.setKernels({kernelOf(QJsonValue::Null, QJsonValue::Null), kernelOf(u"inf"_s, 12.5), kernelOf(0.0, 0.0)});
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(shown(0, KernelModel::AbsError), u"unknown"_s);
    QCOMPARE(shown(0, KernelModel::Median), u"\u2014"_s);
    QCOMPARE(shown(1, KernelModel::AbsError), u"infinite"_s);
    QCOMPARE(shown(1, KernelModel::Median), u"12.5 µs"_s);
    QCOMPARE(shown(2, KernelModel::AbsError), u"0"_s);
    protocol::Step step;
    decode(
        {{u"fusion"_s,
          QJsonObject{{u"checked"_s, true}, {u"max_abs_error"_s, u"inf"_s}, {u"max_rel_error"_s, QJsonValue::Null}}}},
        step);
    QCOMPARE(formatError(step.fusion->maxAbsError), u"infinite"_s);
    QCOMPARE(formatError(step.fusion->maxRelError), u"unknown"_s);
  }

  void aCrashedStepIsTheLastRowUntilTheNextOneRuns() {
    StepModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setCrashed({.name = u"cse"_s, .pipeline = {}, .reason = u"SIGSEGV"_s, .stack = {}});
    QCOMPARE(model.rowCount(), 0); // of no document
    model.setDocument(u"a.mlir"_s);
    model.setSteps({step(0, true)});
    model.setRunning(started(1));
    model.setCrashed({.name = u"cse"_s, .pipeline = {}, .reason = u"SIGSEGV"_s, .stack = {u"#0 0x1 f()"_s}});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(2, StepModel::Name).data().toString(), u"cse"_s);
    QCOMPARE(model.index(2, StepModel::Name).data(StepModel::StatusRole).toInt(), int(StepModel::Crashed));
    QVERIFY(!model.stepAt(2) && !model.crashedAt(1));
    QCOMPARE(model.crashedAt(2)->stack.size(), 1);
    QCOMPARE(model.snapshotAt(2), model.snapshotAt(1)); // its input
    model.setRunning(started(1));
    QVERIFY(!model.crashed());
    QCOMPARE(model.rowCount(), 3);
    model.append(step(1, false));
    QCOMPARE(model.index(2, StepModel::Name).data(StepModel::StatusRole).toInt(), int(StepModel::Unchanged));
  }

  void stepsGrowWhileTheyAreRecorded() {
    StepModel model;
    QAbstractItemModelTester tester(&model, strict);
    QCOMPARE(model.rowCount(), 0);
    model.setDocument(u"a.mlir"_s);
    QCOMPARE(model.rowCount(), 1);
    model.setRunning(started(0));
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(1, 0).data(StepModel::StatusRole).toInt(), int(StepModel::Running));
    model.append(step(0, true));
    model.setRunning(started(1));
    model.setRunning(started(1));
    model.append(step(1, false));
    QCOMPARE(model.rowCount(), 3);
    model.setSteps({step(0, true), step(1, false), step(2, true, true)});
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.index(1, StepModel::Delta).data().toString(), u"+3 \u22122"_s);
    QCOMPARE(model.index(3, StepModel::Delta).data().toString(), u"failed"_s);
    model.setSteps({step(0, true)});
    QCOMPARE(model.rowCount(), 2);
    model.setDocument({});
    QCOMPARE(model.rowCount(), 0);
  }

  void dumpedStepsHaveScopesAndNoTimes() {
    StepModel model;
    StepFilter filter;
    filter.setSourceModel(&model);
    QAbstractItemModelTester tester(&model, strict);
    protocol::Step first = step(0, true), second = step(1, true), third = step(2, false);
    first.before = -1;
    second.after = -1;
    first.scope = u"func.func @f"_s;
    third.scope = u"builtin.module"_s;
    third.before = third.after = 7;
    for (protocol::Step *dumped : {&first, &second, &third})
      dumped->milliseconds = -1;
    model.setDocument(u"a.log"_s);
    model.setSteps({first, second, third});
    QVERIFY(!model.hasTimes());
    QCOMPARE(model.index(1, StepModel::Name).data().toString(), u"step 0  @f"_s);
    QCOMPARE(model.index(3, StepModel::Name).data().toString(), u"step 2  builtin.module"_s);
    QCOMPARE(model.index(1, StepModel::Time).data().toString(), QString());
    QCOMPARE(model.index(1, StepModel::Delta).data().toString(), u"first"_s);
    QCOMPARE(model.index(2, StepModel::Delta).data().toString(), u"not dumped"_s);
    QCOMPARE(model.snapshotAt(0), 0);
    QCOMPARE(model.snapshotAt(1), 1);
    QCOMPARE(model.snapshotAt(2), 1); // what it started from
    QCOMPARE(model.snapshotAt(3), 7);
    filter.setWords(u"@f"_s);
    QCOMPARE(filter.rowCount(), 2);
    model.setSteps({step(0, true)});
    QVERIFY(model.hasTimes());
  }

  void filterHidesWhatChangedNothing() {
    StepModel model;
    StepFilter filter;
    filter.setSourceModel(&model);
    QAbstractItemModelTester tester(&filter, strict);
    model.setDocument(u"a.mlir"_s);
    model.setSteps({step(0, true), step(1, false), step(2, true)});
    QCOMPARE(filter.rowCount(), 4);
    filter.setHideUnchanged(true);
    QCOMPARE(filter.rowCount(), 3);
    filter.setWords(u"PASS-2"_s);
    QCOMPARE(filter.rowCount(), 2); // the document stays
    filter.setWords(u"nothing like it"_s);
    QCOMPARE(filter.rowCount(), 1);
    model.setRunning(started(3));
    QCOMPARE(filter.rowCount(), 2);
    filter.setWords({});
    filter.setHideUnchanged(false);
    QCOMPARE(filter.rowCount(), 5);
  }

  void kernelsSortByValue() {
    KernelModel model;
    QAbstractItemModelTester tester(&model, strict);
    protocol::Kernel fast;
    fast.dispatch = u"a"_s;
    fast.grid = {4, 2, 1};
    fast.block = {64, 1, 1};
    fast.medianUs = 9;
    fast.verdict = protocol::RunVerdict::Ok;
    protocol::Kernel slow = fast;
    slow.medianUs = 1200;
    slow.verdict = protocol::RunVerdict::Wrong;
    model.setKernels({slow, fast});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, KernelModel::Median).data().toString(), u"1.20 ms"_s);
    QVERIFY(model.index(1, KernelModel::Median).data(KernelModel::SortRole).toDouble() <
            model.index(0, KernelModel::Median).data(KernelModel::SortRole).toDouble());
    QCOMPARE(model.index(0, KernelModel::Gflops).data().toString(), u"\u2014"_s);
    QCOMPARE(model.index(0, KernelModel::Grid).data().toString(), u"4 \u00d7 2 \u00d7 1"_s);
    model.setKernels({});
    QCOMPARE(model.rowCount(), 0);
  }

  void problemsAreReplacedBySource() {
    ProblemsModel model;
    QAbstractItemModelTester tester(&model, strict);
    protocol::Diagnostic note{
        .severity = u"note"_s, .message = u"here"_s, .file = u"/x/a.mlir"_s, .line = 1, .column = 2, .notes = {}};
    protocol::Diagnostic error{.severity = u"error"_s,
                               .message = u"bad"_s,
                               .file = u"/x/a.mlir"_s,
                               .line = 3,
                               .column = 4,
                               .notes = {note, note}};
    protocol::Diagnostic warning{.severity = u"warning"_s, .message = u"hm"_s, .file = {}, .notes = {}};
    model.setDiagnostics(u"open"_s, {error});
    model.add(u"record"_s, warning, 2);
    QCOMPARE(model.rowCount(), 2);
    const QPersistentModelIndex noteIndex = model.index(1, 0, model.index(0, 0));
    QCOMPARE(noteIndex.data().toString(), u"here"_s);
    model.setDiagnostics(u"run"_s, {warning});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(noteIndex.data().toString(), u"here"_s);
    QCOMPARE(noteIndex.parent().row(), 1);
    QCOMPARE(model.errorCount(), 1);
    QCOMPARE(model.warningCount(), 2);
    QCOMPARE(model.index(1, ProblemsModel::Location).data().toString(), u"a.mlir:3:4"_s);
    QCOMPARE(model.index(2, 0).data(ProblemsModel::StepRole).toInt(), 2);
    QVERIFY(model.toText().contains(u"/x/a.mlir:3:4: error: bad\n/x/a.mlir:1:2: note: here\n"_s));
    model.setDiagnostics(u"open"_s, {warning});
    QCOMPARE(model.errorCount(), 0);
    model.clear(u"open"_s);
    model.clear(u"run"_s);
    QCOMPARE(model.rowCount(), 1);
  }

  void detailsAreATree() {
    DetailsModel model;
    QAbstractItemModelTester tester(&model, strict);
    QVERIFY(model.isEmpty());
    protocol::OpDetails details;
    details.id = 4;
    details.op = u"linalg.matmul"_s;
    details.first = 10;
    details.last = 12;
    details.flops = 2'000'000;
    details.bytesRead = 1024;
    details.bytesWritten = 1024;
    details.operands = {{.name = u"%0"_s, .type = u"tensor<4xf32>"_s, .from = 2, .group = {}}};
    details.results = {{.name = u"%1"_s, .type = u"tensor<4xf32>"_s, .bytes = 16}};
    details.maps = {u"(d0) -> (d0)"_s};
    details.attributes = {{.name = u"a"_s, .value = u"1"_s}};
    details.users = {5};
    details.userNames = {u"linalg.add %sum"_s};
    details.provenance = {{.snapshot = 0, .id = 1, .line = 7, .name = u"linalg.matmul %q_mm"_s}};
    model.setDetails(details);
    const auto cost = [&](int row) {
      return model.index(row, DetailsModel::Value, model.index(1, 0)).data().toString();
    };
    QCOMPARE(cost(1), u"1 KiB"_s);
    details.bytesAtMost = true; // a gather
    model.setDetails(details);
    QCOMPARE(cost(1), u"at most 1 KiB"_s);
    QVERIFY(cost(3).startsWith(u"at least"_s));
    details.bytesWritten = -1; // dynamic: what is unknown makes no intensity
    model.setDetails(details);
    QCOMPARE(model.rowCount(model.index(1, 0)), 3);
    details.bytesWritten = 1024;
    details.bytesAtMost = false;
    model.setDetails(details);
    QVERIFY(!model.isEmpty());
    QCOMPARE(model.index(0, DetailsModel::Value).data().toString(), u"linalg.matmul"_s);
    QList<qint64> links;
    for (int section = 0; section < model.rowCount(); ++section)
      for (int row = 0; row < model.rowCount(model.index(section, 0)); ++row)
        if (const QVariant op = model.index(row, 0, model.index(section, 0)).data(DetailsModel::OpRole); op.isValid())
          links.append(op.toLongLong());
    QCOMPARE(links, (QList<qint64>{4, 2, 5}));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void numbersAreForPeople() {
    QCOMPARE(formatBytes(0), u"0 B"_s);
    QCOMPARE(formatBytes(393216), u"384 KiB"_s);
    QCOMPARE(formatBytes(1536), u"1.50 KiB"_s);
    QCOMPARE(formatBytes(-1), u"unknown"_s);
    QCOMPARE(formatFlops(1'210'000'000), u"1.21 GFLOP"_s);
    QCOMPARE(formatMicroseconds(12.44), u"12.4 µs"_s);
    QCOMPARE(formatMicroseconds(3100), u"3.10 ms"_s);
    QCOMPARE(formatMilliseconds(1200), u"1.20 s"_s);
    QCOMPARE(formatSigned(3), u"+3"_s);
    QCOMPARE(formatRate(-1), u"\u2014"_s);
  }
};

QTEST_GUILESS_MAIN(ModelsTest)
#include "ModelsTest.moc"
