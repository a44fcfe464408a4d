// The graph of the window at first sight: where it opens, what stays in place, what is remembered, what is copied.
#include "tests/views/window/LayeredModel.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/StepsPanel.h"
#include <QClipboard>
#include <QMimeData>
#include <QPushButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowGraphReadingTest : public QObject {
  Q_OBJECT

  /// From left to right and from above, the titles on screen.
  static QStringList order(const GraphView &view) {
    QList<NodeData> nodes = view.scene().nodes;
    std::sort(nodes.begin(), nodes.end(), [](const NodeData &a, const NodeData &b) {
      return std::pair(a.rect.top(), a.rect.left()) < std::pair(b.rect.top(), b.rect.left());
    });
    QStringList titles;
    for (const NodeData &node : nodes)
      titles.append(QString::number(node.id) + u' ' + node.title);
    return titles;
  }

private slots:
  void opensOnTheEntryAtASizeThatCanBeRead() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    // A small function stands first, and is not where the program begins.
    const auto chain = [](const QByteArray &name, int ops) {
      QByteArray text = "func.func @" + name + "(%x0: tensor<8xf32>) -> tensor<8xf32> {\n";
      for (int i = 0; i < ops; ++i)
        text += "  %x" + QByteArray::number(i + 1) + " = math.exp %x" + QByteArray::number(i) + " : tensor<8xf32>\n";
      return text + "  return %x" + QByteArray::number(ops) + " : tensor<8xf32>\n}\n";
    };
    const QByteArray text = chain("first", 5) + chain("start", 30);
    bench.documents.open(bench.write(u"two.mlir"_s, text));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.graph.view().scene().nodes.isEmpty(), patience);
    const GraphView &view = bench.graph.view();
    QVERIFY(view.zoom() >= 0.95);
    const auto entry = std::find_if(view.scene().clusters.begin(), view.scene().clusters.end(),
                                    [](const ClusterData &cluster) { return cluster.label == u"@start"_s; });
    QVERIFY(entry != view.scene().clusters.end());
    QCOMPARE(view.scene().entry, entry->id);
    const QRectF place = view.rectOf(entry->id);
    QVERIFY2(place.top() >= 0 && place.top() < 60 && place.left() > 0,
             qPrintable(QStringLiteral("%1 %2 %3 %4 in %5")
                            .arg(place.x())
                            .arg(place.y())
                            .arg(place.width())
                            .arg(place.height())
                            .arg(view.canvasRect().height())));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
  }

  void opensSamplesWithWholeNames() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"bert_attention.mlir"_s));
    QVERIFY(bench.graph.view().zoom() >= 0.95);
    QVERIFY(bench.graph.view().canvasRect().intersects(
        bench.graph.view().rectOf(bench.graph.view().scene().nodes.first().id)));
    // Of verdicts there is a legend, and it covers none of the graph.
    QVERIFY(bench.graph.view().canvasRect().height() < bench.graph.view().height());
  }

  void aFailedStepIsNotWhatIsShown() {
    WindowBench bench;
    // Bufferization does not know an op of another dialect.
    bench.open(bench.write(u"exp.mlir"_s, "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = "
                                          "\"foo.exp\"(%a) : (tensor<8xf32>) -> tensor<8xf32>\n"
                                          "  return %0 : tensor<8xf32>\n}\n"));
    const QString fails = u"builtin.module(canonicalize,one-shot-bufferize)"_s,
                  works = u"builtin.module(canonicalize,cse)"_s;
    const auto record = [&](const QString &pipeline, bool failed) {
      bench.record(pipeline);
      QTRY_VERIFY_WITH_TIMEOUT(bench.session.steps().size() == 2 && bench.session.steps().last().failed == failed &&
                                   bench.window.isSettled(),
                               patience);
    };
    bench.steps.select(0);
    record(fails, true);
    QCOMPARE(bench.steps.currentRow(), 0);
    QVERIFY(!bench.graph.view().scene().nodes.isEmpty());
    // Nor where the row was selected that is the failed step's now.
    record(works, false);
    bench.steps.select(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    record(fails, true);
    QVERIFY(!bench.steps.currentStep() || !bench.steps.currentStep()->failed);
  }

  void collapsingKeepsTheChevronAndTheOrder() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"bert_attention.mlir"_s));
    GraphView &view = bench.graph.view();
    QList<NodeId> boxes;
    for (const ClusterData &cluster : view.scene().clusters)
      if (cluster.kind == ClusterData::Kind::Dispatch && !view.scene().nodes.isEmpty())
        boxes.append(cluster.id);
    QVERIFY(boxes.size() >= 2);
    const QStringList before = order(view);
    const auto toggle = [&](NodeId id) {
      view.reveal(id);
      const bool isOpen = view.nodeAt(view.rectOf(id).center()) != id;
      const QRectF rect = view.rectOf(id);
      const QPointF chevron = isOpen ? rect.topLeft() + QPointF(12, 10) * view.zoom()
                                     : QPointF(rect.right() - 7 * view.zoom(), rect.center().y());
      if (!view.canvasRect().contains(chevron))
        view.lookAt(view.center() + (chevron - view.canvasRect().center()) / view.zoom(), view.zoom());
      const QRectF placed = view.rectOf(id);
      const QPoint pointer = (isOpen ? placed.topLeft() + QPointF(12, 10) * view.zoom()
                                     : QPointF(placed.right() - 7 * view.zoom(), placed.center().y()))
                                 .toPoint();
      QTest::mouseClick(&view, Qt::LeftButton, {}, pointer);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
      const QRectF after = view.rectOf(id);
      const QPointF there = isOpen ? QPointF(after.right() - 7 * view.zoom(), after.center().y())
                                   : after.topLeft() + QPointF(12, 10) * view.zoom();
      QVERIFY2((there - pointer).manhattanLength() < 3,
               qPrintable(QStringLiteral("%1 %2").arg(there.x() - pointer.x()).arg(there.y() - pointer.y())));
    };
    toggle(boxes[0]);
    QVERIFY(order(view) != before);
    toggle(boxes[0]);
    QCOMPARE(order(view), before);
    // By another way to the same picture.
    toggle(boxes[0]);
    toggle(boxes[1]);
    toggle(boxes[0]);
    const QStringList oneClosed = order(view);
    toggle(boxes[1]);
    QCOMPARE(order(view), before);
    toggle(boxes[1]);
    QCOMPARE(order(view), oneClosed);
  }

  void whatADocumentLookedLikeComesBack() {
    WindowBench bench;
    bench.open(bench.write(u"model.mlir"_s, layeredModel(20)));
    GraphView &view = bench.graph.view();
    NodeId closed = noNode;
    for (const NodeData &node : view.scene().nodes)
      if (node.collapsed)
        closed = node.id;
    QVERIFY(closed != noNode);
    emit view.clusterToggled(closed, false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const qsizetype nodes = view.scene().nodes.size();
    view.lookAt(view.scene().bounds.center() + QPointF(17, 30), 0.83);
    const QPointF corner = view.corner();
    QJsonObject state;
    bench.graph.saveDocument(state);
    bench.open(sample(u"softmax.mlir"_s));
    bench.open(bench.scratch.filePath(u"model.mlir"_s));
    bench.graph.restoreDocument(state);
    bench.steps.select(state.value("graph"_L1).toObject().value("snapshot"_L1).toInt());
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(view.scene().nodes.size(), nodes, patience);
    QVERIFY2((view.corner() - corner).manhattanLength() < 1,
             qPrintable(QStringLiteral("%1").arg((view.corner() - corner).manhattanLength())));
    QCOMPARE(view.zoom(), 0.83);
  }

  void whatIsInSightIsCopied() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QAction *copy = nullptr;
    for (QAction *action : bench.window.findChildren<QAction *>())
      if (action->text().remove(u'&') == u"Copy Graph as Image"_s)
        copy = action;
    QVERIFY(copy && copy->isEnabled());
    copy->trigger();
    const QMimeData *data = QApplication::clipboard()->mimeData();
    QVERIFY(data->hasImage());
    const QImage image = qvariant_cast<QImage>(data->imageData());
    QCOMPARE(image.size(), bench.graph.view().sightSize().toSize() * 2);
    QVERIFY(data->data(u"image/svg+xml"_s).contains("<svg"));
  }

  void aLargeModuleSaysWhyNothingIsRecordedAndOffersIt() {
    WindowBench bench;
    QByteArray text = "func.func @main(%x0: f32) -> f32 {\n";
    constexpr int ops = 20'500;
    for (int i = 0; i < ops; ++i)
      text += "  %x" + QByteArray::number(i + 1) + " = math.absf %x" + QByteArray::number(i) + " : f32\n";
    text += "  return %x" + QByteArray::number(ops) + " : f32\n}\n";
    bench.open(bench.write(u"large.mlir"_s, text));
    QCOMPARE(bench.rows(), 1);
    QPushButton *offer = bench.steps.panel().offerButton();
    QVERIFY(offer->isVisible());
    offer->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() > 2, patience);
    QVERIFY(!offer->isVisible());
    bench.session.cancel();
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowGraphReadingTest)
#include "WindowGraphReadingTest.moc"
