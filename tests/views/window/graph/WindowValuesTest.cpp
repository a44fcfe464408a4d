// Values on edges: by mouse and keyboard, after a run and without, at the input and at later steps.
#include "app/gui/values/ValuesController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/RunPanel.h"
#include "views/values/ValueMap.h"
#include "views/values/ValueSection.h"
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// The sum is 2, -4, 1, 6, 0 and NaN.
static const QByteArray known = R"(
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = arith.constant dense<[[1.0, -2.0, 0.5], [3.0, 0.0, 0x7FC00000]]> : tensor<2x3xf32>
    %e = tensor.empty() : tensor<2x3xf32>
    %sum = linalg.add ins(%c, %c : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    %power = linalg.exp ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = linalg.add ins(%power, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %y : tensor<2x3xf32>
  }
)";

/// A slice of 3, of 100 x 200.
static const QByteArray large = R"(
  func.func @main(%x: tensor<3x100x200xf32>) -> tensor<3x100x200xf32> {
    %e = tensor.empty() : tensor<3x100x200xf32>
    %a = linalg.exp ins(%x : tensor<3x100x200xf32>) outs(%e : tensor<3x100x200xf32>) -> tensor<3x100x200xf32>
    %b = linalg.negf ins(%a : tensor<3x100x200xf32>) outs(%e : tensor<3x100x200xf32>) -> tensor<3x100x200xf32>
    return %b : tensor<3x100x200xf32>
  }
)";

struct ValuesBench : WindowBench {
  ValuesController &values = window.controller<ValuesController>();
  ValueSection &section = values.section();
  GraphView &view = graph.view();

  ValuesBench() { window.resize(1280, 800); }
  /// The line from an op whose title begins so to another one.
  int lineOf(const QString &from, const QString &to) const {
    const SceneData &scene = graph.view().scene();
    const auto titleOf = [&](NodeId id) {
      for (const NodeData &node : scene.nodes)
        if (node.id == id)
          return node.title;
      return QString();
    };
    for (int line = 0; line < scene.edges.size(); ++line)
      if (titleOf(scene.edges[line].from).startsWith(from) && titleOf(scene.edges[line].to).startsWith(to))
        return line;
    return -1;
  }
  void runOnHost() {
    QSignalSpy finished(&session, &EngineSession::runFinished);
    run.panel().setDevice(u"host"_s);
    run.panel().setBaselines(false);
    run.panel().setRepeat(1);
    run.runAction()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience);
  }
  void select(int line) {
    view.setCurrentEdge(line, true);
    emit view.edgeSelected(line);
  }
  bool hasValue() const { return section.text().contains(u"<td>Computed"_s); }
};

class WindowValuesTest : public QObject {
  Q_OBJECT
private slots:
  void aClickAfterARunShowsWhatCrossed() {
    ValuesBench bench;
    bench.open(bench.write(u"known.mlir"_s, known));
    const int line = bench.lineOf(u"add"_s, u"exp"_s);
    QVERIFY(line >= 0);
    bench.runOnHost();
    QVERIFY(!bench.section.isVisible());
    bench.view.setCurrentEdge(line, true);
    bench.view.setCurrentEdge(-1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.view.placeOf(line).toPoint());
    QCOMPARE(bench.view.currentEdge(), line);
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasValue(), patience);
    const QString text = bench.section.text();
    for (const QString &figure : {u"tensor&lt;2x3xf32&gt;"_s, u"<td>6, 1 zero</td>"_s, u"<td>-4 to 6</td>"_s,
                                  u"<td>1, deviation 3.224903</td>"_s, u"1 NaN"_s, u"constants alone"_s,
                                  u"on the host, op by op"_s, u"@main"_s})
      QVERIFY2(text.contains(figure), qPrintable(figure + u" in "_s + text));
    // Each element, by keys.
    ValueMap &map = bench.section.map();
    QVERIFY(map.isVisible());
    map.setFocus();
    const QStringList readings{u"[0, 0]: 2"_s, u"[0, 1]: -4"_s, u"[0, 2]: 1"_s};
    for (const QString &reading : readings) {
      QCOMPARE(bench.section.reading(), reading);
      QTest::keyClick(&map, Qt::Key_Right);
    }
    QTest::keyClick(&map, Qt::Key_Down);
    QCOMPARE(bench.section.reading(), u"[1, 2]: nan"_s);
    QTest::keyClick(&map, Qt::Key_Home);
    QCOMPARE(bench.section.reading(), u"[1, 0]: 6"_s);
    // By the mouse, as soon as there is room.
    QTRY_VERIFY(!map.picture().isEmpty());
    QTest::mouseClick(&map, Qt::LeftButton, {}, (map.picture().topLeft() + QPointF(3, 3)).toPoint());
    QCOMPARE(bench.section.reading(), u"[0, 0]: 2"_s);
    bench.section.copyButton()->click();
    QVERIFY(QApplication::clipboard()->text().contains(u"Range: -4 to 6\n"_s));
    QVERIFY(QApplication::clipboard()->text().contains(u"[0, 0]: 2"_s));
  }

  void theToolTipHasTheFigures() {
    ValuesBench bench;
    bench.open(bench.write(u"known.mlir"_s, known));
    const int line = bench.lineOf(u"add"_s, u"exp"_s);
    QVERIFY(!bench.view.edgeToolTip(line).contains(u"NaN"_s));
    bench.select(line);
    bench.section.computeButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasValue(), patience);
    const QString tip = bench.view.edgeToolTip(line);
    QVERIFY2(tip.contains(u"from -4 to 6, mean 1"_s) && tip.contains(u"<b>1 NaN</b>"_s), qPrintable(tip));
  }

  void withoutARunItIsOfferedAndComputedByKeys() {
    ValuesBench bench;
    bench.open(bench.write(u"known.mlir"_s, known));
    bench.select(bench.lineOf(u"exp"_s, u"add"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.section.isVisible());
    QVERIFY(!bench.hasValue());
    QVERIFY(bench.section.computeButton()->isVisible());
    QVERIFY(bench.values.showAction()->isEnabled());
    QTest::keyClick(&bench.window, Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasValue(), patience);
    QVERIFY2(bench.section.text().contains(u"403.4288"_s), qPrintable(bench.section.text())); // exp 6
    // Another edge has none yet.
    bench.select(bench.lineOf(u"add"_s, u"exp"_s));
    QVERIFY(!bench.hasValue());
    bench.select(bench.lineOf(u"exp"_s, u"add"_s));
    QVERIFY(bench.hasValue()); // known from before
  }

  void largeSlicesAreToldInCellsAndLookedInto() {
    ValuesBench bench;
    bench.open(bench.write(u"large.mlir"_s, large));
    bench.select(bench.lineOf(u"exp"_s, u"neg"_s));
    bench.values.showAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasValue(), patience);
    ValueMap &map = bench.section.map();
    QVERIFY2(map.title().contains(u"each cell shows the largest magnitude of up to 2 \u00d7 3 elements"_s),
             qPrintable(map.title()));
    QVERIFY(bench.section.reading().contains(u"the largest magnitude of 6 elements"_s));
    QCOMPARE(bench.section.indexBoxes().size(), 1);
    const QString first = bench.section.reading();
    QSpinBox *box = bench.section.indexBoxes().first();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(map.slice()->index == QList<qint64>{1}, patience);
    QVERIFY(bench.section.reading() != first);
    QVERIFY(bench.section.reading().startsWith(u"[1, "_s));
    // Into the elements, and out again.
    map.setFocus();
    QTest::keyClick(&map, Qt::Key_PageDown);
    QTest::keyClick(&map, Qt::Key_End);
    QTest::keyClick(&map, Qt::Key_Home);
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(map.slice()->rowStep, 1, patience);
    QCOMPARE(map.slice()->firstRow, 98);
    QCOMPARE(map.slice()->firstColumn, 3);
    QCOMPARE(map.slice()->index, QList<qint64>{1});
    QVERIFY(map.title().contains(u"rows 98\u201399 of 100"_s));
    QVERIFY(!bench.section.reading().contains(u"largest"_s));
    QTest::keyClick(&map, Qt::Key_Backspace);
    QTRY_VERIFY_WITH_TIMEOUT(map.isWhole(), patience);
  }

  void byKeysAlone() {
    ValuesBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.model().rowCount() > 0, patience);
    bench.view.setFocus();
    QTest::keyClick(&bench.window, Qt::Key_F7); // the next missed fusion
    QTRY_VERIFY_WITH_TIMEOUT(bench.section.isVisible() && bench.window.isSettled(), patience);
    QTest::keyClick(&bench.window, Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasValue(), patience);
    QTest::keyClick(&bench.window, Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
    ValueMap &map = bench.section.map();
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget *>(&map));
    const QString first = bench.section.reading();
    QTest::keyClick(&map, Qt::Key_Right);
    QVERIFY(bench.section.reading() != first);
    // Backwards from the picture to the slice, forwards to the buttons.
    QTest::keyClick(&map, Qt::Key_Tab);
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget *>(bench.section.copyButton()));
  }

  void whatTakesLongIsOfferedAndCancelled() {
    ValuesBench bench;
    QByteArray text = "func.func @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {\n"
                      "  %e = tensor.empty() : tensor<1024x1024xf32>\n  %z = arith.constant 0.0 : f32\n"
                      "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>\n";
    constexpr int products = 12; // 26 GFLOP
    QByteArray last = "%x";
    for (int i = 0; i < products; ++i) {
      const QByteArray name = "%m" + QByteArray::number(i);
      text += "  " + name + " = linalg.matmul ins(" + last +
              ", %x : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) -> "
              "tensor<1024x1024xf32>\n";
      last = name;
    }
    text += "  %y = linalg.exp ins(" + last +
            " : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>\n"
            "  return %y : tensor<1024x1024xf32>\n}\n";
    bench.open(bench.write(u"long.mlir"_s, text));
    bench.select(bench.lineOf(u"matmul"_s, u"exp"_s));
    QVERIFY(!bench.hasValue());
    bench.section.computeButton()->click();
    QCOMPARE(bench.section.computeButton()->text(), u"Cancel"_s);
    QTest::qWait(300);
    bench.section.computeButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY2(bench.section.text().contains(u"Cancelled"_s), qPrintable(bench.section.text()));
    QCOMPARE(bench.section.computeButton()->text(), u"Run to See Values"_s);
    // The engine is as it was.
    QVERIFY(bench.session.hasDocument() && !bench.session.lastCrash());
  }

  void whatHasNoValueSaysWhy() {
    ValuesBench bench;
    bench.open(bench.write(u"known.mlir"_s, known));
    bench.graph.actions().foldConstants->setChecked(false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const int line = bench.lineOf(u"empty"_s, u"exp"_s);
    QVERIFY(line >= 0);
    bench.select(line);
    bench.values.showAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.section.text().contains(u"nothing has been written yet"_s), patience);
    QVERIFY(!bench.section.computeButton()->isVisible());
  }

  void atEachStepItIsThatOfTheStep() {
    ValuesBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.runOnHost();
    int values = 0, refused = 0, firsts = 0;
    for (int row = 0; row < bench.rows(); ++row) {
      bench.steps.select(row);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
      const QList<EdgeData> edges = bench.view.scene().edges;
      for (int line = 0; line < std::min<qsizetype>(3, edges.size()); ++line) {
        bench.select(line);
        bench.values.showAction()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
        const QString text = bench.section.text();
        QVERIFY2(bench.hasValue() || text.contains(u"There is no value to show"_s), qPrintable(text));
        values += bench.hasValue();
        refused += !bench.hasValue();
        firsts += text.contains(u"the first of"_s);
        if (bench.hasValue())
          QVERIFY2(text.contains(bench.steps.nameOf(bench.view.scene().snapshot).toHtmlEscaped()), qPrintable(text));
      }
    }
    qInfo("%d values, %d refused, %d of a first iteration", values, refused, firsts);
    QVERIFY(values > refused);
    QVERIFY(firsts > 0);
  }

  void theFirstValueThatIsNotFiniteIsFound() {
    ValuesBench bench;
    bench.open(bench.write(u"known.mlir"_s, known));
    bench.values.findAction()->trigger();
    const int line = bench.lineOf(u"add"_s, u"exp"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.view.currentEdge(), line, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.section.isVisible());
  }

  void anotherRunMakesItNew() {
    ValuesBench bench;
    bench.open(bench.write(u"large.mlir"_s, large));
    bench.runOnHost();
    bench.select(bench.lineOf(u"exp"_s, u"neg"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasValue(), patience);
    const QString before = bench.section.text();
    QVERIFY(before.contains(u"seed 1"_s));
    bench.run.panel().setSeed(2);
    bench.runOnHost();
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasValue() && bench.section.text() != before, patience);
    QVERIFY(bench.section.text().contains(u"seed 2"_s));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowValuesTest)
#include "WindowValuesTest.moc"
