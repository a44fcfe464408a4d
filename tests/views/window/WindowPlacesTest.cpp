// Edges that are the same but for where they are: from the table to the graph and back, acting on all of them and on
// one, and taking both back; and edges that the graph has no line for.
#include "app/gui/notes/NotesController.h"
#include "tests/support/LayeredModel.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/StepsPanel.h"
#include <QAbstractProxyModel>
#include <QCheckBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// A model of eight equal layers, whose reshapes keep ops apart.
struct PlacesBench : WindowBench {
  NotesController &notes = window.controller<NotesController>();
  FusionPanel &panel = fusion.panel();
  FusionModel &model = fusion.model();
  QSignalSpy fused{&session, &EngineSession::fused};

  PlacesBench() {
    open(write(u"layers.mlir"_s, QByteArray::fromStdString(test::layeredModel({.layers = 8, .also = 4}))));
    fusion.showDearest();
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  /// Of the reshapes those that are not fused with what reads them.
  QList<int> reshapes() const {
    QList<int> rows;
    for (int row = 0; row < model.rowCount(); ++row)
      if (const protocol::FusionEdge *edge = model.edgeAt(row);
          edge->missed && edge->fromOp == "tensor.expand_shape"_L1 && edge->toOp == "linalg.exp"_L1)
        rows.append(row);
    return rows;
  }
  /// As a click on the table does it.
  void clickRowOf(int edge) {
    const QAbstractItemModel *rows = panel.table()->model();
    panel.setCurrentRow(-1);
    for (int row = 0; row < rows->rowCount(); ++row) {
      panel.table()->setCurrentIndex(rows->index(row, 0));
      if (model.placesOf(panel.currentRow()).contains(edge))
        break;
    }
    panel.table()->setFocus();
    settle();
  }
  void pick(int edge) {
    emit panel.evidence()->anchorClicked(QUrl(u"place:%1"_s.arg(edge)));
    settle();
  }
  int lineOf(const protocol::FusionEdge &edge) const {
    const SceneData scene = graph.view().scene();
    for (int i = 0; i < scene.edges.size(); ++i)
      if (scene.edges[i].uses.contains(EdgeUse{.from = edge.from, .to = edge.to, .operand = edge.operand}))
        return i;
    return -1;
  }
  /// Triggers it and waits for the report on what came out.
  void fuse(QAction *action) {
    fused.clear();
    QVERIFY(action->isEnabled());
    action->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(fused.size(), 1, patience);
    settle();
    QTRY_COMPARE_WITH_TIMEOUT(model.report().snapshot, steps.panel().currentRow(), patience);
  }
  void moveInHistory(QAction *action, int row) {
    QVERIFY(action->isEnabled());
    action->trigger();
    settle();
    QTRY_COMPARE_WITH_TIMEOUT(steps.panel().currentRow(), row, patience);
    QTRY_COMPARE_WITH_TIMEOUT(model.report().snapshot, row, patience);
  }
  protocol::FuseResult result() const { return fused.last()[0].value<protocol::FuseResult>(); }
};

} // namespace

class WindowPlacesTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() {
    QVERIFY(home_.isValid());
    qputenv("XDG_DATA_HOME", home_.path().toUtf8());
  }

  /// A row of ops that work on weights alone, which the graph folds away, leads to what reads them, and says so.
  void aRowOfAWeightLeadsToItsReader() {
    WindowBench bench;
    bench.open(bench.write(u"weight.mlir"_s, R"(
func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x16xf32> {fuselage.parameter = "w"}) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x4x4xf32>
  %r = tensor.expand_shape %w [[0], [1, 2]] output_shape [32, 4, 4] : tensor<32x16xf32> into tensor<32x4x4xf32>
  %t = linalg.transpose ins(%r : tensor<32x4x4xf32>) outs(%empty : tensor<32x4x4xf32>) permutation = [0, 2, 1]
  %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<32x4x4xf32> into tensor<32x16xf32>
  %big = tensor.empty() : tensor<32x16xf32>
  %e = linalg.exp ins(%c : tensor<32x16xf32>) outs(%big : tensor<32x16xf32>) -> tensor<32x16xf32>
  %init = tensor.empty() : tensor<64x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<64x16xf32>) -> tensor<64x16xf32>
  %m = linalg.matmul ins(%x, %e : tensor<64x32xf32>, tensor<32x16xf32>) outs(%fill : tensor<64x16xf32>)
      -> tensor<64x16xf32>
  return %m : tensor<64x16xf32>
}
)"));
    bench.fusion.showDearest();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTableView *table = bench.fusion.panel().table();
    bench.fusion.panel().setCurrentRow(-1);
    const auto indexOf = [&](QLatin1String from) {
      for (int row = 0; row < table->model()->rowCount(); ++row) {
        const auto *rows = qobject_cast<const QAbstractProxyModel *>(table->model());
        const protocol::FusionEdge *edge =
            bench.fusion.model().edgeAt(rows->mapToSource(table->model()->index(row, 0)).row());
        if (edge && edge->fromOp == from)
          return table->model()->index(row, FusionModel::Producer);
      }
      return QModelIndex();
    };
    const QModelIndex weight = indexOf("tensor.collapse_shape"_L1);
    QVERIFY(weight.isValid());
    table->scrollTo(weight);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(weight).center());
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const QString text = bench.fusion.panel().evidence()->toPlainText();
    QVERIFY2(text.contains(u"The graph has no box for"_s) && text.contains(u"is selected there"_s), qPrintable(text));
    QCOMPARE(bench.graph.view().selectedNodes().size(), 1);
    const protocol::FusionEdge *reads = bench.fusion.model().edgeAt(bench.fusion.panel().currentRow());
    QVERIFY(reads && bench.graph.view().selectedNodes().first() != reads->to);
  }

  void onePlaceIsFusedAndTakenBack() {
    PlacesBench bench;
    const QList<int> places = bench.reshapes();
    QCOMPARE(places.size(), 8);
    bench.clickRowOf(places[4]);
    QVERIFY(bench.panel.isGroupSelected());
    QCOMPARE(bench.fusion.actions().fuseEdge->text().remove(u'&'), u"Fuse This Edge"_s);
    QCOMPARE(bench.fusion.actions().fusePlaces->text().remove(u'&'), u"Fuse All 8 Places"_s);
    QVERIFY2(bench.fusion.actions().fusePlaces->toolTip().contains(u"on the whole function"_s),
             qPrintable(bench.fusion.actions().fusePlaces->toolTip()));

    // From the table to the graph and back.
    bench.pick(places[4]);
    QVERIFY(!bench.panel.isGroupSelected());
    QTRY_VERIFY_WITH_TIMEOUT(bench.lineOf(*bench.model.edgeAt(places[4])) >= 0, patience);
    const int line = bench.lineOf(*bench.model.edgeAt(places[4]));
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.view().currentEdge(), line, patience);
    bench.panel.setCurrentRow(-1);
    emit bench.graph.view().edgeSelected(line);
    QCOMPARE(bench.panel.currentRow(), places[4]);

    const QString consumer = bench.model.edgeAt(places[4])->toLoc;
    bench.fuse(bench.fusion.actions().fuseEdge);
    QVERIFY2(bench.result().fused, qPrintable(bench.result().reasons.join(u'\n')));
    QVERIFY2(bench.result().pipeline.contains(u"fuselage-fuse-at{"_s), qPrintable(bench.result().pipeline));
    QCOMPARE(bench.rows(), 2);
    const protocol::Step *step = bench.steps.model().stepAt(1);
    QVERIFY(step && step->fusion && step->fusion->checked && step->fusion->ok);
    // Of the eight the other seven are left.
    const QList<int> left = bench.reshapes();
    QCOMPARE(left.size(), 7);
    for (const int row : left)
      QVERIFY(bench.model.edgeAt(row)->toLoc != consumer);

    bench.moveInHistory(bench.fusion.actions().undo, 0);
    QCOMPARE(bench.reshapes().size(), 8);
    bench.moveInHistory(bench.fusion.actions().redo, 1);
    QCOMPARE(bench.reshapes().size(), 7);
    // What is left is fused as a row, in the same session.
    bench.clickRowOf(bench.reshapes().first());
    bench.fuse(bench.fusion.actions().fusePlaces);
    QCOMPARE(bench.reshapes().size(), 0);
  }

  void aGroupIsFusedAndTakenBack() {
    PlacesBench bench;
    bench.clickRowOf(bench.reshapes().first());
    QTest::keyClick(bench.panel.table(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.fused.size(), 1, patience);
    bench.settle();
    QTRY_COMPARE_WITH_TIMEOUT(bench.model.report().snapshot, bench.steps.panel().currentRow(), patience);
    QVERIFY(!bench.result().pipeline.contains(u"fuselage-fuse-at"_s));
    QCOMPARE(bench.reshapes().size(), 0);
    bench.moveInHistory(bench.fusion.actions().undo, 0);
    QCOMPARE(bench.reshapes().size(), 8);
  }

  void keysGoFromGroupToGroupAndFromPlaceToPlace() {
    PlacesBench bench;
    const FusionController::Actions &actions = bench.fusion.actions();
    const auto group = [&] { return bench.model.edgeAt(bench.panel.currentRow())->group; };
    for (const bool each : {false, true}) {
      bench.panel.eachBox()->setChecked(each);
      bench.panel.setCurrentRow(-1);
      actions.nextMissed->trigger();
      QSet<int> groups{group()};
      for (;;) {
        const int before = group();
        actions.nextMissed->trigger();
        if (group() == before)
          break;
        QVERIFY(!groups.contains(group()));
        groups.insert(group());
      }
      QSet<int> all;
      for (const protocol::FusionEdge &edge : bench.model.report().edges)
        if (edge.missed)
          all.insert(edge.group);
      QCOMPARE(groups, all);
    }
    bench.panel.eachBox()->setChecked(false);
    const QList<int> places = bench.reshapes();
    bench.clickRowOf(places.first());
    for (int i = 1; i < places.size(); ++i) {
      actions.nextPlace->trigger();
      QCOMPARE(bench.panel.currentRow(), places[i]);
    }
    actions.nextPlace->trigger(); // it is the last one
    QCOMPARE(bench.panel.currentRow(), places.last());
    actions.previousPlace->trigger();
    QCOMPARE(bench.panel.currentRow(), places[places.size() - 2]);
    bench.settle();
  }

  void notesAreOnAGroupOrOnAPlace() {
    PlacesBench bench;
    const QList<int> places = bench.reshapes();
    const auto notedPlaces = [&](const QString &words) {
      int noted = 0;
      for (const int row : places) {
        bench.panel.setCurrentRow(row);
        noted += bench.panel.evidence()->toPlainText().contains(words);
      }
      return noted;
    };
    bench.clickRowOf(places.first());
    bench.notes.toggleAction()->trigger();
    bench.settle();
    QCOMPARE(bench.notes.model().rowCount(), 1);
    QVERIFY(bench.notes.model().notes()[0].group);
    QVERIFY2(bench.notes.model().notes()[0].label.contains(u"all 8 places"_s),
             qPrintable(bench.notes.model().notes()[0].label));
    QCOMPARE(notedPlaces(u"Note on all 8 places"_s), 8);

    bench.clickRowOf(places.first());
    bench.pick(places[3]);
    bench.panel.table()->setFocus();
    bench.notes.toggleAction()->trigger();
    bench.settle();
    QCOMPARE(bench.notes.model().rowCount(), 2);
    QVERIFY(!bench.notes.model().notes()[1].group);
    QCOMPARE(notedPlaces(u"Note on this place"_s), 1);
    QCOMPARE(notedPlaces(u"Note on all 8 places"_s), 8);

    // Read again from the file, and taken away by the same keys.
    const QString path = bench.session.document().path;
    bench.open(path);
    bench.fusion.showDearest();
    bench.settle();
    QCOMPARE(bench.notes.model().rowCount(), 2);
    QCOMPARE(notedPlaces(u"Note on all 8 places"_s), 8);
    bench.clickRowOf(places.first());
    bench.notes.toggleAction()->trigger();
    bench.settle();
    QCOMPARE(bench.notes.model().rowCount(), 1);
    QCOMPARE(notedPlaces(u"Note on all 8 places"_s), 0);
    QCOMPARE(notedPlaces(u"Note on this place"_s), 1);
  }

private:
  QTemporaryDir home_;
};

FUSELAGE_WINDOW_TEST_MAIN(WindowPlacesTest)
#include "WindowPlacesTest.moc"
