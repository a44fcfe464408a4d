// The graph of the window: selection, levels, clusters, search, export.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/text/TextView.h"
#include "views/widgets/SearchBar.h"
#include <QLineEdit>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowGraphTest : public QObject {
  Q_OBJECT
private slots:
  void selectionTiesGraphTextAndDetails() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const SceneData scene = bench.graph.view().scene();
    const auto node = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                   [](const NodeData &data) { return data.kind == NodeData::Kind::Compute; });
    QVERIFY(node != scene.nodes.end());
    bench.graph.view().reveal(node->id);
    const QPoint place = bench.graph.view().rectOf(node->id).center().toPoint();
    QTest::mouseClick(&bench.graph.view(), Qt::LeftButton, {}, place);
    QCOMPARE(bench.graph.view().currentNode(), node->id);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.text.details().isEmpty(), patience);
    const QString op = bench.text.details().index(0, DetailsModel::Value).data().toString();
    QVERIFY2(op.contains(u'.'), qPrintable(op));
    const auto line = bench.text.view().source()->line(bench.text.view().currentLine());
    QVERIFY(line.has_value());
    QVERIFY2(line->contains(op), qPrintable(*line));

    // And back: another line of the text selects another node.
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.text.view().setFocus();
    const NodeId before = bench.graph.view().currentNode();
    for (int i = 0; i < 30 && bench.graph.view().currentNode() == before; ++i) {
      QTest::keyClick(&bench.text.view(), Qt::Key_Down);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    }
    QVERIFY(bench.graph.view().currentNode() != before);
  }

  void levelsAndClustersAskForOtherScenes() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const qsizetype ops = bench.graph.view().scene().nodes.size();
    bench.graph.actions().levelDispatches->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.graph.view().scene().nodes.size() < ops);
    const SceneData scene = bench.graph.view().scene();
    for (const NodeData &node : scene.nodes)
      if (node.collapsed) {
        emit bench.graph.view().clusterToggled(node.id, false);
        break;
      }
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().nodes.size() > scene.nodes.size(), patience);
    bench.graph.actions().levelOps->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.view().scene().nodes.size(), ops, patience);
    bench.graph.actions().foldConstants->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.graph.view().scene().nodes.size() >= ops);
  }

  void repeatedLayersFoldAndUnfold() {
    WindowBench bench;
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
      for (const NodeData &node : bench.graph.view().scene().nodes)
        if (node.count > 0)
          return &node;
      return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(others(), patience);
    QVERIFY(bench.graph.view().scene().nodes.size() < 10);
    QVERIFY(others()->count >= layers - 2);
    const NodeId id = others()->id;
    emit bench.graph.view().clusterToggled(id, false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().nodes.size() > layers - 3, patience);
    emit bench.graph.view().clusterToggled(id, true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().nodes.size() < 10, patience);
  }

  void searchesGraphAndText() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.search.findAction()->trigger();
    QVERIFY(bench.search.bar().isVisible());
    QTest::keyClicks(bench.search.bar().edit(), u"generic|reduce|linalg"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().matchCount() > 0, patience);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().currentNode() != noNode, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.text.details().isEmpty(), patience);
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Escape);
    QVERIFY(!bench.search.bar().isVisible());
    QCOMPARE(bench.graph.view().matchCount(), 0);
  }

  void collapsingAndExpandingComesBackToTheSamePicture() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.steps.select(2); // arranged by the picture before
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const auto places = [&] {
      QMap<NodeId, QRectF> map;
      for (const NodeData &node : bench.graph.view().scene().nodes)
        map.insert(node.id, node.rect);
      return map;
    };
    const auto colours = [&] { return bench.graph.view().scene().dispatchHues; };
    const QMap<NodeId, QRectF> before = places();
    const QList<int> hues = colours();
    QVERIFY(!hues.isEmpty());
    NodeId dispatch = noNode;
    for (const ClusterData &cluster : bench.graph.view().scene().clusters)
      if (cluster.kind == ClusterData::Kind::Dispatch)
        dispatch = cluster.id;
    QVERIFY(dispatch != noNode);
    emit bench.graph.view().clusterToggled(dispatch, true);
    QTRY_VERIFY_WITH_TIMEOUT(places().size() < before.size(), patience);
    emit bench.graph.view().clusterToggled(dispatch, false);
    QTRY_VERIFY_WITH_TIMEOUT(places().size() == before.size(), patience);
    QCOMPARE(places(), before);
    QCOMPARE(colours(), hues);
    bench.steps.select(1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.steps.select(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(places(), before);
  }

  void exportsWhatIsOnScreen() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const QString path = bench.scratch.filePath(u"graph.svg"_s);
    QString written;
    bench.session.client().call<protocol::WrittenFile>(
        u"graph/export"_s, {{u"snapshot"_s, 0}, {u"level"_s, u"ops"_s}, {u"layout"_s, u"layered"_s}, {u"foldConstants"_s, true}, {u"path"_s, path}},
        this, [&](const protocol::WrittenFile &file) { written = file.path; });
    QTRY_VERIFY_WITH_TIMEOUT(!written.isEmpty(), patience);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    QVERIFY(svg.contains("<svg"));
    // As the window: verdicts with their legend, and labels of all nodes in sight.
    QVERIFY(svg.contains("id=\"legend\"") && svg.contains("stroke-dasharray"));
    for (const NodeData &node : bench.graph.view().scene().nodes)
      QVERIFY2(svg.contains(node.title.toUtf8()), qPrintable(node.title));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowGraphTest)
#include "WindowGraphTest.moc"
