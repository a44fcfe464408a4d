// The Mesh panel: parts of a value by device, collectives with badges in the graph, and steps without a mesh.
#include "app/gui/mesh/MeshController.h"
#include "app/gui/mesh/MeshPanel.h"
#include "app/gui/mesh/MeshView.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include <QAbstractItemModelTester>
#include <QTableView>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
struct MeshBench : WindowBench {
  MeshController &mesh = window.controller<MeshController>();
  QAbstractItemModelTester tester{&mesh.model()};

  MeshBench() { window.resize(1280, 800); }
  QString cell(int row, int column) const { return mesh.model().index(row, column).data().toString(); }
  int rowNamed(const QString &name) const {
    for (int row = 0; row < mesh.model().rowCount(); ++row)
      if (cell(row, MeshModel::Name) == name)
        return row;
    return -1;
  }
  int collectiveRow(const QString &kind) const {
    for (int row = 0; row < mesh.model().rowCount(); ++row)
      if (mesh.model().collectiveAt(row) && cell(row, MeshModel::What) == kind)
        return row;
    return -1;
  }
};
} // namespace

class WindowMeshTest : public QObject {
  Q_OBJECT
private slots:
  void partsAreColoredByDevice() {
    MeshBench bench;
    bench.open(sample(u"foreign/sharded_mlp.mlir"_s));
    bench.window.show();
    bench.mesh.raise();
    QTRY_VERIFY_WITH_TIMEOUT(bench.mesh.model().rowCount() > 0, patience);
    QCOMPARE(bench.mesh.panel().view().drawing().cells.size(), size_t(8));
    QCOMPARE(bench.mesh.panel().view().drawing().cells[5].part, -1);

    const int row = bench.rowNamed(u"%w1"_s);
    QVERIFY(row >= 0);
    QCOMPARE(bench.cell(row, MeshModel::Over), u"1: model"_s);
    QCOMPARE(bench.cell(row, MeshModel::PerDevice), u"64\u00d764"_s);
    bench.mesh.panel().setCurrentRow(row);
    QCOMPARE(bench.mesh.panel().view().drawing().cells[6].part, 2);
    QCOMPARE(bench.mesh.panel().view().drawing().cells[6].range, std::string("[0:64, 128:192]"));
    QVERIFY2(bench.mesh.panel().details().contains(u"All devices along data have the same."_s),
             qPrintable(bench.mesh.panel().details()));
  }

  void collectivesHaveBadgesAndMoves() {
    MeshBench bench;
    bench.open(sample(u"foreign/sharded_mlp.mlir"_s));
    bench.window.show();
    bench.mesh.raise();
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.view().meshMarks().size(), 2, patience);
    QCOMPARE(bench.graph.view().meshMarks().first().text, u"all-reduce over model of 4: 6 KiB"_s);
    const int row = bench.collectiveRow(u"all-reduce (add)"_s);
    QVERIFY(row >= 0);
    auto *table = bench.mesh.panel().findChild<QTableView *>();
    table->setFocus();
    table->setCurrentIndex(bench.mesh.model().index(row, 0));
    QCOMPARE(bench.text.selected(), bench.mesh.model().collectiveAt(row)->op);
    QVERIFY(bench.mesh.panel().details().contains(u"2*(n-1)/n of 4 KiB, n = 4"_s));
    // Devices that exchange data have one color: those along "model".
    const std::vector<picture::MeshCell> &cells = bench.mesh.panel().view().drawing().cells;
    QCOMPARE(cells[0].part, cells[3].part);
    QVERIFY(cells[0].part != cells[4].part);
    // An op that is selected elsewhere selects its row.
    table->clearSelection();
    table->setCurrentIndex({});
    const int other = bench.collectiveRow(u"all-reduce (max)"_s);
    bench.text.select(bench.mesh.model().collectiveAt(other)->op, true);
    QTRY_COMPARE_WITH_TIMEOUT(bench.mesh.panel().currentRow(), other, patience);
    bench.mesh.panel().setCurrentRow(row);
    const QString details = bench.mesh.panel().details();
    QVERIFY2(details.contains(u"It may be moved after %scaled linalg.generic, with the same result"_s),
             qPrintable(details));

    // Without the panel nobody marks anything; another document has no mesh.
    bench.open(sample(u"softmax.mlir"_s));
    QTRY_COMPARE_WITH_TIMEOUT(bench.mesh.model().rowCount(), 0, patience);
    QVERIFY(bench.graph.view().meshMarks().isEmpty());
    QVERIFY(bench.mesh.panel().view().drawing().cells.empty());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowMeshTest)
#include "WindowMeshTest.moc"
