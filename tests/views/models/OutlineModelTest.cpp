// The outline and the comparison as models, and their panels by keyboard.
#include "views/models/OutlineModel.h"
#include "tests/support/Draws.h"
#include "views/models/CompareModel.h"
#include "views/panels/ComparePanel.h"
#include "views/panels/OutlinePanel.h"
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <numeric>

using namespace fuselage;
using namespace Qt::StringLiterals;
using Kind = protocol::OutlineKind;

static constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

static protocol::OutlineRow row(int id, int parent, Kind kind, const QString &name, qint64 node, qint64 bytes,
                                int missed, const QString &loc = {}) {
  protocol::OutlineRow result;
  result.id = id;
  result.parent = parent;
  result.kind = kind;
  result.name = name;
  result.label = name.section(u'.', -1);
  result.node = node;
  result.ops = 1;
  result.dispatches = kind == Kind::Op ? 0 : 1;
  result.bytes = bytes;
  result.missed = missed;
  result.loc = loc;
  return result;
}

/// A function of two layers; the second has two dispatches from one place.
static protocol::Outline outline() {
  protocol::Outline result;
  result.rows = {row(0, -1, Kind::Function, u"main"_s, 1, 700, 3),
                 row(1, 0, Kind::Layer, u"encoder.layer.0"_s, -1, 100, 2),
                 row(2, 1, Kind::Dispatch, u"matmul_a"_s, 5, 100, 0, u"m.mlir:5:1"_s),
                 row(3, 2, Kind::Op, u"matmul 8x8"_s, 5, -1, 0),
                 row(4, 0, Kind::Layer, u"encoder.layer.1"_s, -1, 600, 1),
                 row(5, 4, Kind::Dispatch, u"matmul_b"_s, 9, 500, 0, u"m.mlir:9:1"_s),
                 row(6, 4, Kind::Dispatch, u"softmax"_s, 11, 100, 0, u"m.mlir:9:1"_s)};
  return result;
}

static protocol::Kernel kernel(const QString &loc, double us) {
  protocol::Kernel result;
  result.loc = loc;
  result.medianUs = us;
  return result;
}

static QStringList visibleNames(const QTreeView &tree) {
  QStringList names;
  for (QModelIndex index = tree.model()->index(0, 0); index.isValid(); index = tree.indexBelow(index))
    names.append(index.data().toString());
  return names;
}

static protocol::DispatchComparison comparison() {
  protocol::DispatchComparison result;
  const auto dispatch = [](int index, qint64 op, const QString &name, qint64 bytes, const QString &loc) {
    protocol::ComparedDispatch made;
    made.index = index;
    made.op = op;
    made.name = name;
    made.bytes = bytes;
    made.loc = loc;
    made.ops = {name + u" 8x8"_s};
    return made;
  };
  result.a.name = u"ours"_s;
  result.a.dispatches = {dispatch(0, 10, u"matmul"_s, 100, u"m:1"_s), dispatch(1, 20, u"softmax"_s, 50, u"m:2"_s)};
  result.b.name = u"theirs"_s;
  result.b.dispatches = {dispatch(0, 1, u"mm"_s, 100, {}), dispatch(1, 2, u"max"_s, 60, {}),
                         dispatch(2, 3, u"exp"_s, 70, {})};
  const auto row = [](protocol::DispatchRelation relation, QList<int> a, QList<int> b) {
    protocol::ComparedRow made;
    made.relation = relation;
    made.a = std::move(a);
    made.b = std::move(b);
    return made;
  };
  result.rows = {row(protocol::DispatchRelation::Same, {0}, {0}),
                 row(protocol::DispatchRelation::Merged, {1}, {1, 2, 99})};
  result.counts = {{u"same"_s, 1}, {u"merged"_s, 1}};
  return result;
}

/// A function of layers of a few forms, each of some dispatches; what belongs to a form is drawn once.
static protocol::Outline randomOutline(std::mt19937 &random) {
  struct Form {
    QList<qint64> bytes; ///< by dispatch; -1: unknown
    int missed;
  };
  QList<Form> forms(1 + random() % 3);
  for (Form &form : forms) {
    form.missed = int(random() % 4);
    for (unsigned dispatch = 0, count = 1 + random() % 4; dispatch < count; ++dispatch)
      form.bytes.append(random() % 9 == 0 ? -1 : qint64(random() % 3) * 1'000'000'007);
  }
  protocol::Outline result;
  result.rows = {row(0, -1, Kind::Function, u"main"_s, 1, 0, 0)};
  int form = 0;
  for (unsigned layer = 0, count = random() % 14; layer < count; ++layer) {
    if (random() % 3 == 0) // most layers are as the one before
      form = int(random() % forms.size());
    const int id = int(result.rows.size());
    const QString name = u"layer.%1"_s.arg(layer);
    result.rows.append(row(id, 0, Kind::Layer, name, -1, 0, forms[form].missed));
    result.rows[id].form = form;
    result.rows[id].dispatches = int(forms[form].bytes.size());
    for (const qint64 bytes : forms[form].bytes) {
      const int dispatch = int(result.rows.size());
      result.rows.append(row(dispatch, id, Kind::Dispatch, u"d"_s, 10 * dispatch, bytes, 0, u"m:%1"_s.arg(dispatch)));
      result.rows[dispatch].form = 100 + int(bytes % 1000);
      qint64 &sum = result.rows[id].bytes;
      sum = sum < 0 || bytes < 0 ? -1 : sum + bytes;
    }
  }
  return result;
}

static QList<protocol::Kernel> timesOf(const protocol::Outline &outline, std::mt19937 &random) {
  QList<protocol::Kernel> kernels;
  for (const protocol::OutlineRow &each : outline.rows)
    if (each.kind == Kind::Dispatch && random() % 5)
      kernels.append(kernel(each.loc, double(random() % 1000)));
  return kernels;
}

/// The rows of the flat list below an index, from the top.
static void listRows(const OutlineModel &model, const QModelIndex &around, qsizetype listed, QList<int> &rows) {
  for (int place = 0; place < model.rowCount(around); ++place) {
    const QModelIndex index = model.index(place, 0, around);
    if (const int row = index.data(OutlineModel::RowRole).toInt(); row < listed)
      rows.append(row);
    listRows(model, index, listed, rows);
  }
}

static void checkGroup(const OutlineModel &model, int group) {
  const protocol::OutlineRow &sum = model.outline().rows[group];
  const QModelIndex around = model.indexOf(group);
  QCOMPARE(qsizetype(model.rowCount(around)), model.countOf(group));
  QVERIFY(model.countOf(group) > 2);
  qint64 bytes = 0, missed = 0, dispatches = 0, ops = 0;
  double time = -1;
  for (int place = 0; place < model.rowCount(around); ++place) {
    const int member = model.index(place, 0, around).data(OutlineModel::RowRole).toInt();
    const protocol::OutlineRow &each = model.outline().rows[member];
    QCOMPARE(each.parent, group);
    QCOMPARE(each.form, sum.form);
    bytes = bytes < 0 || each.bytes < 0 ? -1 : bytes + each.bytes;
    missed += each.missed;
    dispatches += each.dispatches;
    ops += each.ops;
    if (const double took = model.timeOf(member); took >= 0)
      time = std::max(time, 0.0) + took;
  }
  QCOMPARE(sum.bytes, bytes);
  QCOMPARE(qint64(sum.missed), missed);
  QCOMPARE(qint64(sum.dispatches), dispatches);
  QCOMPARE(qint64(sum.ops), ops);
  QCOMPARE(model.timeOf(group), time);
}

class OutlineModelTest : public QObject {
  Q_OBJECT
private slots:
  void isATree() {
    OutlineModel model;
    QAbstractItemModelTester tester(&model, strict);
    OutlineFilter filter;
    QAbstractItemModelTester filterTester(&filter, strict);
    filter.setSourceModel(&model);
    model.setOutline(outline());
    QCOMPARE(model.rowCount(), 1);
    const QModelIndex main = model.index(0, 0);
    QCOMPARE(model.rowCount(main), 2);
    const QModelIndex layer = model.index(1, 0, main);
    QCOMPARE(layer.data().toString(), u"1"_s);
    QCOMPARE(layer.data(Qt::AccessibleTextRole).toString(), u"layer 1"_s);
    QCOMPARE(model.rowCount(layer), 2);
    QCOMPARE(model.parent(model.index(1, 3, layer)), layer);
    QCOMPARE(model.index(0, OutlineModel::Bytes, main).data().toString(), u"100 B"_s);
    // The op itself, where it is listed; else its dispatch.
    QCOMPARE(model.rowOf(5), 3);
    QCOMPARE(model.rowOf(11), 6);
    QCOMPARE(model.rowOf(77), -1);
    model.setOutline({});
    QCOMPARE(model.rowCount(), 0);
  }

  void aParentThatIsNoneStandsAtTheTop() {
    OutlineModel model;
    QAbstractItemModelTester tester(&model, strict);
    protocol::Outline odd = outline();
    odd.rows[2].parent = 6;
    odd.rows[4].parent = -7;
    model.setOutline(odd);
    QCOMPARE(model.rowCount(), 3);
  }

  void equalSiblingsAreBelowOneRow() {
    protocol::Outline twelve;
    twelve.rows = {row(0, -1, Kind::Function, u"main"_s, 1, 0, 0)};
    for (int layer = 1; layer <= 12; ++layer) {
      const int id = int(twelve.rows.size());
      twelve.rows.append(row(id, 0, Kind::Layer, u"layer %1 of 12"_s.arg(layer), 10 * layer, 100, 2));
      twelve.rows.last().form = layer == 1 ? 4 : 5; // the first is another one
      twelve.rows.append(row(id + 1, id, Kind::Dispatch, u"matmul"_s, 10 * layer, 100, 0, u"m:%1:1"_s.arg(layer)));
      twelve.rows.last().form = 6;
    }
    OutlineModel model;
    QAbstractItemModelTester tester(&model, strict);
    OutlineFilter filter;
    QAbstractItemModelTester filterTester(&filter, strict);
    filter.setSourceModel(&model);
    model.setOutline(twelve);
    const QModelIndex main = model.index(0, 0);
    QCOMPARE(model.rowCount(main), 2);
    QCOMPARE(model.index(0, 0, main).data().toString(), u"layer 1 of 12"_s);
    const QModelIndex others = model.index(1, 0, main);
    QCOMPARE(others.data().toString(), u"layer 2 to 12  \u00d711"_s);
    QCOMPARE(model.rowCount(others), 11);
    const auto shown = [&](int column) { return others.siblingAtColumn(column).data().toString(); };
    QCOMPARE(shown(OutlineModel::Bytes), u"1.07 KiB"_s);
    QCOMPARE(shown(OutlineModel::Missed), u"22"_s);
    QCOMPARE(shown(OutlineModel::Dispatches), u"11"_s);
    QCOMPARE(others.siblingAtColumn(OutlineModel::Bytes).data(Qt::ToolTipRole).toString(), u"100 B in each of 11"_s);
    // The places are below it, and are found there.
    const QModelIndex place = model.index(10, 0, others);
    QCOMPARE(place.data().toString(), u"layer 12 of 12"_s);
    QCOMPARE(model.parent(place), others);
    QCOMPARE(model.parent(model.indexOf(model.rowOf(120))), others);
    model.setTimes({kernel(u"m:1:1"_s, 3), kernel(u"m:2:1"_s, 10), kernel(u"m:12:1"_s, 20)});
    QCOMPARE(model.timeOf(others.data(OutlineModel::RowRole).toInt()), 30.0);
    QCOMPARE(model.timeOf(0), 33.0);
    // Two are seen at a glance.
    twelve.rows.resize(7);
    twelve.rows[1].form = 1;
    model.setOutline(twelve);
    QCOMPARE(model.rowCount(model.index(0, 0)), 3);
  }

  /// What is below a row that stands for several is the flat list, and their sums.
  void groupsExpandToTheFlatList() {
    qsizetype groups = 0;
    for (unsigned draw = 0; draw < test::draws(500); ++draw) {
      std::mt19937 random = test::randomOf(draw, 37);
      const protocol::Outline flat = randomOutline(random);
      OutlineModel model;
      model.setOutline(flat);
      model.setTimes(timesOf(flat, random));
      QList<int> seen;
      listRows(model, {}, flat.rows.size(), seen);
      QList<int> all(flat.rows.size());
      std::iota(all.begin(), all.end(), 0);
      QCOMPARE(seen, all);
      for (int group = int(flat.rows.size()); group < model.outline().rows.size(); ++group, ++groups)
        checkGroup(model, group);
    }
    QVERIFY(groups > 500);
  }

  void timesAddUp() {
    OutlineModel model;
    model.setOutline(outline());
    QVERIFY(!model.hasTimes());
    QCOMPARE(model.index(0, OutlineModel::Time).data().toString(), QString());
    model.setTimes({kernel(u"m.mlir:5:1"_s, 3), kernel(u"m.mlir:9:1"_s, 10), kernel(u"m.mlir:9:1"_s, 20),
                    kernel(u"m.mlir:9:1"_s, 5), kernel(u"m.mlir:99:1"_s, 100)});
    QVERIFY(model.hasTimes());
    QCOMPARE(model.timeOf(2), 3.0);
    QCOMPARE(model.timeOf(5), 10.0);
    QCOMPARE(model.timeOf(6), 25.0); // the rest from that place
    QCOMPARE(model.timeOf(4), 35.0);
    QCOMPARE(model.timeOf(0), 38.0);
    QVERIFY(model.timeOf(3) < 0);
    model.setTimes({});
    QVERIFY(!model.hasTimes());
  }

  void sortsByAnyColumnAndFilters() {
    OutlineModel model;
    OutlinePanel panel(&model);
    panel.resize(700, 400);
    panel.show();
    model.setOutline(outline());
    panel.restoreOpen();
    QCOMPARE(visibleNames(*panel.tree()), (QStringList{u"main"_s, u"0"_s, u"1"_s}));
    panel.tree()->sortByColumn(OutlineModel::Bytes, Qt::DescendingOrder);
    QCOMPARE(visibleNames(*panel.tree()), (QStringList{u"main"_s, u"1"_s, u"0"_s}));
    panel.tree()->sortByColumn(OutlineModel::Missed, Qt::DescendingOrder);
    QCOMPARE(visibleNames(*panel.tree()), (QStringList{u"main"_s, u"0"_s, u"1"_s}));
    panel.tree()->sortByColumn(OutlineModel::Name, Qt::AscendingOrder);
    panel.filterEdit()->setText(u"layer.1 ENCODER"_s);
    QCOMPARE(visibleNames(*panel.tree()), (QStringList{u"main"_s, u"1"_s, u"matmul_b"_s, u"softmax"_s}));
    panel.filterEdit()->setText(u"softmax"_s);
    QCOMPARE(visibleNames(*panel.tree()), (QStringList{u"main"_s, u"1"_s, u"softmax"_s}));
    panel.filterEdit()->clear();
    QCOMPARE(visibleNames(*panel.tree()), (QStringList{u"main"_s, u"0"_s, u"1"_s}));
  }

  void isLedByTheKeyboard() {
    OutlineModel model;
    OutlinePanel panel(&model);
    panel.resize(700, 400);
    panel.show();
    model.setOutline(outline());
    panel.restoreOpen();
    QSignalSpy selected(&panel, &OutlinePanel::rowSelected), activated(&panel, &OutlinePanel::rowActivated),
        expanded(&panel, &OutlinePanel::rowExpanded);
    QTreeView *tree = panel.tree();
    tree->setFocus();
    QTest::keyClick(tree, Qt::Key_Home);
    QTest::keyClick(tree, Qt::Key_Down);
    QTest::keyClick(tree, Qt::Key_Right);
    QTest::keyClick(tree, Qt::Key_Down);
    QCOMPARE(panel.currentRow(), 2);
    QVERIFY(!selected.isEmpty());
    QCOMPARE(selected.last().first().toInt(), 2);
    QTest::keyClick(tree, Qt::Key_Return);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated.last().first().toInt(), 2);
    // Letters find what begins so.
    QTest::keyClicks(tree, u"main"_s);
    QCOMPARE(panel.currentRow(), 0);
    const QPoint place = tree->visualRect(tree->currentIndex()).center();
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(expanded.size(), 1);
    QCOMPARE(expanded.last().first().toInt(), 0);
    // What is selected elsewhere is no intention of the user's here.
    selected.clear();
    panel.setCurrentRow(5);
    QCOMPARE(panel.currentRow(), 5);
    QCOMPARE(selected.size(), 0);
  }

  void comparisonsAreATable() {
    CompareModel model;
    QAbstractItemModelTester tester(&model, strict);
    CompareFilter filter;
    QAbstractItemModelTester filterTester(&filter, strict);
    filter.setSourceModel(&model);
    model.setComparison(comparison());
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(1, CompareModel::NamesB).data().toString(), u"max + exp"_s); // there is no dispatch 99
    QCOMPARE(model.index(1, CompareModel::BytesB).data().toString(), u"130 B"_s);
    QCOMPARE(model.index(1, CompareModel::Relation).data().toString(), u"merged in A"_s);
    QCOMPARE(model.opsOf(1, false), QList<qint64>{20});
    QCOMPARE(model.opsOf(1, true), (QList<qint64>{2, 3}));
    model.setTimes({kernel(u"m:1"_s, 2), kernel(u"m:2"_s, 3)});
    QCOMPARE(model.totalTime(false), 5.0);
    QVERIFY(model.totalTime(true) < 0);
    filter.setShowsSame(false);
    QCOMPARE(filter.rowCount(), 1);
    filter.setShowsSame(true);
    filter.setWords(u"exp 8x8"_s);
    QCOMPARE(filter.rowCount(), 1);
    model.setComparison({});
    QCOMPARE(model.rowCount(), 0);
  }

  void equalDifferencesAreOneRow() {
    protocol::DispatchComparison twice = comparison();
    twice.rows.append(twice.rows[0]);
    twice.rows[0].group = twice.rows[2].group = 0;
    twice.rows[1].group = 1;
    CompareModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setComparison(twice);
    QVERIFY(model.hasGroups());
    QCOMPARE(model.rowCount(), 2);
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(shown(0, CompareModel::Places), u"\u00d72"_s);
    QCOMPARE(shown(0, CompareModel::BytesA), u"200 B"_s);
    QCOMPARE(shown(1, CompareModel::Places), QString());
    QVERIFY(model.index(0, CompareModel::BytesA).data(Qt::ToolTipRole).toString().contains(u"100 B"_s));
    QCOMPARE(model.opsOf(0, false), (QList<qint64>{10, 10}));
    model.setGrouped(false);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(shown(0, CompareModel::BytesA), u"100 B"_s);

    model.setGrouped(true);
    ComparePanel panel(&model);
    panel.showSummary();
    QVERIFY(!panel.eachBox()->isHidden() && !panel.table()->isColumnHidden(CompareModel::Places));
    panel.eachBox()->click();
    QCOMPARE(panel.table()->model()->rowCount(), 3);
    QVERIFY(panel.table()->isColumnHidden(CompareModel::Places));
  }

  void theComparePanelOffersStepsToolsAndFiles() {
    CompareModel model;
    ComparePanel panel(&model);
    panel.resize(900, 300);
    panel.show();
    QSignalSpy wantsFile(&panel, &ComparePanel::fileRequested), wants(&panel, &ComparePanel::compareRequested);
    QTest::mouseClick(panel.compareButton(), Qt::LeftButton);
    QCOMPARE(wantsFile.size(), 1);
    panel.setSteps({{u"The input"_s, 0}, {u"Step 3, cse"_s, 4}});
    panel.setTools({u"iree-compile --compile-to=flow"_s});
    panel.addFile(u"/tmp/x.log"_s);
    QCOMPARE(panel.request().path, u"/tmp/x.log"_s);
    panel.withBox()->setCurrentIndex(panel.withBox()->findText(u"Step 3, cse"_s));
    QCOMPARE(panel.request().snapshot, 4);
    // What is chosen stays chosen when there is more to choose from.
    panel.setTools({u"iree-compile --compile-to=flow"_s, u"mlir-opt"_s});
    QCOMPARE(panel.request().snapshot, 4);
    panel.withBox()->setCurrentIndex(panel.withBox()->findText(u"mlir-opt"_s));
    QCOMPARE(panel.request().tool, u"mlir-opt"_s);
    QTest::mouseClick(panel.compareButton(), Qt::LeftButton);
    QCOMPARE(wants.size(), 1);
    model.setComparison(comparison());
    panel.showSummary();
    QVERIFY(panel.summary()->text().contains(u"2 dispatches"_s));
    QVERIFY(panel.summary()->text().contains(u"1 merged in A"_s));
    QSignalSpy selected(&panel, &ComparePanel::rowSelected);
    panel.table()->setFocus();
    panel.table()->selectRow(0);
    QTest::keyClick(panel.table(), Qt::Key_Down);
    QCOMPARE(selected.last().first().toInt(), 1);
    panel.sameBox()->setChecked(false);
    QCOMPARE(panel.table()->model()->rowCount(), 1);
  }
};

QTEST_MAIN(OutlineModelTest)
#include "OutlineModelTest.moc"
