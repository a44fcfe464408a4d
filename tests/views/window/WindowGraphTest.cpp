// The graph of the window: selection, levels, clusters, search, export.
#include "core/protocol/methods/GraphMethods.h"
#include "tests/views/window/LayeredModel.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/text/TextView.h"
#include "views/widgets/Breadcrumb.h"
#include "views/widgets/SearchBar.h"
#include <QLineEdit>
#include <QToolButton>

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
        const QByteArray from =
            op == 0 ? "%x" + QByteArray::number(l) : "%t" + QByteArray::number(l) + '_' + QByteArray::number(op - 1);
        const QByteArray to =
            op == 3 ? "%x" + QByteArray::number(l + 1) : "%t" + QByteArray::number(l) + '_' + QByteArray::number(op);
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

  void partsOfAModelAreFoundOpenedAndNamed() {
    WindowBench bench;
    bench.open(bench.write(u"model.mlir"_s, layeredModel(20)));
    const auto titles = [&] {
      QStringList list;
      for (const NodeData &node : bench.graph.view().scene().nodes)
        list.append(node.title);
      return list;
    };
    QTRY_VERIFY_WITH_TIMEOUT(titles().contains(u"layer.7"_s), patience);
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.breadcrumb().parts(), QStringList{u"model"_s}, patience);
    const qsizetype before = bench.graph.view().scene().nodes.size();

    // By the search bar, in the words of a person.
    bench.search.findAction()->trigger();
    QTest::keyClicks(bench.search.bar().edit(), u"go to layer 7's attention"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.outline().find(bench.search.bar().pattern()).size(), 1, patience);
    QTest::qWait(300); // the bar's pause
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().scene().nodes.size() > before, patience);
    const auto attentionAt = [&] {
      const int row = bench.graph.outline().find(u"layer.7.attention"_s).value(0, -1);
      return row < 0 ? QRectF() : bench.graph.view().rectOf(bench.graph.outline().rows()[row].cluster);
    };
    QTRY_VERIFY_WITH_TIMEOUT(bench.graph.view().rect().contains(attentionAt().center().toPoint()), patience);
    QVERIFY(!titles().contains(u"layer.7"_s));
    QVERIFY(titles().contains(u"layer.8"_s));
    const QStringList place = bench.graph.breadcrumb().parts();
    QCOMPARE(place.first(), u"model"_s);
    QCOMPARE(place.mid(place.size() - 2), (QStringList{u"layer.7"_s, u"attention"_s}));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const auto line = bench.text.view().source()->line(bench.text.view().currentLine());
    QVERIFY(line.has_value());
    QVERIFY2(line->contains(u"%h7"_s), qPrintable(*line));

    // Crumbs are buttons.
    QTest::qWait(50); // those of the crumbs before go
    const QList<QToolButton *> buttons = bench.graph.breadcrumb().findChildren<QToolButton *>();
    const auto layer =
        std::find_if(buttons.begin(), buttons.end(), [](const QToolButton *b) { return b->text() == u"layer.7"_s; });
    QVERIFY(layer != buttons.end());
    QTest::mouseClick(*layer, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.breadcrumb().parts().last(), u"layer.7"_s, patience);

    // Weights are in the tooltip of the node that reads them, not beside it.
    QVERIFY(!titles().contains(u"%mlp_fc3"_s));
    const SceneData scene = bench.graph.view().scene();
    const auto third =
        std::find_if(scene.nodes.begin(), scene.nodes.end(), [](const NodeData &n) { return n.title == u"layer.3"_s; });
    QVERIFY(third != scene.nodes.end());
    QCOMPARE(third->portCount, 3);
    QVERIFY2(third->ports.join(u' ').contains(u"encoder.layer.3.mlp.fc.weight"_s), qPrintable(third->ports.join(u' ')));
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
    bench.session.client().call<method::ExportGraph>({.scene = {.snapshot = 0}, .path = path}, this,
                                                     [&](const auto &picture) { written = picture.path; });
    QTRY_VERIFY_WITH_TIMEOUT(!written.isEmpty(), patience);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    QVERIFY(svg.contains("<svg"));
    // As the window: verdicts with their legend, and labels of all nodes in sight.
    QVERIFY(svg.contains("id=\"legend\"") && svg.contains("stroke-dasharray"));
    QVERIFY(!bench.graph.view().scene().nodes.isEmpty());
    for (const NodeData &node : bench.graph.view().scene().nodes)
      QVERIFY2(svg.contains(node.title.toUtf8()), qPrintable(node.title));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowGraphTest)
#include "WindowGraphTest.moc"
