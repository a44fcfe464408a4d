// Writing a schedule by pointing at ops, by mouse and keyboard.
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScheduleWriter.h"
#include "app/gui/schedule/ScriptController.h"
#include "tests/views/window/WindowBench.h"
#include "views/dialogs/ActionDialog.h"
#include "views/editor/ScriptEdit.h"
#include "views/graph/GraphView.h"
#include "views/panels/SchedulePanel.h"
#include "views/text/TextView.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileSizes.h"
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

static const QByteArray payload =
    "func.func @f(%a: tensor<64x48xf32>, %b: tensor<48x32xf32>) -> tensor<64x32xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n  %empty = tensor.empty() : tensor<64x32xf32>\n"
    "  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32xf32>) -> tensor<64x32xf32>\n"
    "  %mm = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x32xf32>) outs(%fill : tensor<64x32xf32>) -> "
    "tensor<64x32xf32>\n"
    "  return %mm : tensor<64x32xf32>\n}\n";

struct WritingBench : WindowBench {
  WritingBench() { open(write(u"payload.mlir"_s, payload)); }
  ScheduleWriter &writer() { return window.controller<ScheduleWriter>(); }
  ScheduleController &schedule() { return window.controller<ScheduleController>(); }
  ScriptController &scripts() { return window.controller<ScriptController>(); }
  ActionDialog &dialog() { return *writer().dialog(); }

  /// Waits for the dialog on an op of the graph, and for the lines that it begins with.
  void offer(const QString &label) {
    QTRY_VERIFY_WITH_TIMEOUT(graph.isSettled() && text.isSettled(), patience);
    const NodeId op = graph.find(label);
    QVERIFY2(op != noNode, qPrintable(label));
    text.select(op, true);
    writer().offer(op);
    QTRY_VERIFY_WITH_TIMEOUT(writer().dialog() && writer().isSettled(), patience);
  }
  void choose(const QString &title) {
    const QList<QListWidgetItem *> items = dialog().list()->findItems(title, Qt::MatchExactly);
    QCOMPARE(items.size(), 1);
    QVERIFY(items.first()->flags() & Qt::ItemIsEnabled);
    dialog().list()->setCurrentItem(items.first());
    QTRY_VERIFY_WITH_TIMEOUT(writer().isSettled(), patience);
  }
  void type(const QString &option, const QString &value) {
    auto *edit = qobject_cast<QLineEdit *>(dialog().field(option));
    QVERIFY(edit);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, value);
    QTRY_VERIFY_WITH_TIMEOUT(writer().isSettled(), patience);
  }
  void add() {
    QVERIFY2(dialog().buttons()->button(QDialogButtonBox::Ok)->isEnabled(),
             qPrintable(dialog().preview()->toPlainText()));
    QTest::mouseClick(dialog().buttons()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(schedule().isSettled() && schedule().steps().rowCount() > 0, patience);
    QTRY_VERIFY_WITH_TIMEOUT(schedule().isSettled() && graph.isSettled() && text.isSettled(), patience);
  }
};

class WindowScheduleWritingTest : public QObject {
  Q_OBJECT
private slots:
  void aLineIsAddedRunsAndIsUndone() {
    WritingBench bench;
    bench.offer(u"matmul"_s);
    bench.choose(u"Tile"_s);
    bench.type(u"sizes"_s, u"16, 8"_s);
    const QString lines = bench.dialog().preview()->toPlainText();
    QVERIFY2(lines.contains(u"transform.structured.tile_using_for %matmul tile_sizes [16, 8]"_s), qPrintable(lines));
    QCOMPARE(lines.count(u'\n'), 1); // the match and the tiling
    bench.add();
    QVERIFY(bench.scripts().text().contains(u"tile_sizes [16, 8]"_s));
    QVERIFY(!bench.schedule().steps().trace().failed);
    // What is on screen is the end of the schedule: the next line takes the handle that is there.
    bench.offer(u"matmul"_s);
    bench.choose(u"Tile"_s);
    bench.type(u"sizes"_s, u"0, 0, 4"_s);
    QVERIFY2(bench.dialog().preview()->toPlainText().contains(u"tile_using_for %tiled tile_sizes [0, 0, 4]"_s),
             qPrintable(bench.dialog().preview()->toPlainText()));
    bench.add();
    QVERIFY(!bench.schedule().steps().trace().failed);
    QTest::keyClick(&bench.scripts().edit(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!bench.scripts().text().contains(u"[0, 0, 4]"_s));
    QVERIFY(bench.scripts().text().contains(u"[16, 8]"_s));
    QTest::keyClick(&bench.scripts().edit(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!bench.scripts().text().contains(u"[16, 8]"_s));
  }

  void whatCannotBeDoneSaysWhy() {
    WritingBench bench;
    bench.offer(u"fill"_s);
    const QList<QListWidgetItem *> items = bench.dialog().list()->findItems(u"Unroll"_s, Qt::MatchExactly);
    QCOMPARE(items.size(), 1);
    QVERIFY(!(items.first()->flags() & Qt::ItemIsEnabled));
    QVERIFY(items.first()->toolTip().contains(u"it is no scf.for"_s));
    bench.choose(u"Tile"_s);
    bench.type(u"sizes"_s, u"x"_s);
    QVERIFY(bench.dialog().preview()->toPlainText().contains(u"a list of whole numbers"_s));
    QVERIFY(!bench.dialog().buttons()->button(QDialogButtonBox::Ok)->isEnabled());
    QTest::keyClick(&bench.dialog(), Qt::Key_Escape);
    QVERIFY(bench.scripts().isEmpty());
  }

  void theTileExplorerGivesItsSizes() {
    WritingBench bench;
    bench.showTiles(u"matmul"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled() && bench.tiles.panel().hasDomain(), patience);
    const QString sizes = bench.tiles.panel().tileSizes();
    QTest::mouseClick(bench.tiles.panel().scheduleButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.writer().dialog() && bench.writer().isSettled(), patience);
    QCOMPARE(bench.dialog().action(), u"tile_and_fuse"_s);
    QCOMPARE(bench.dialog().options().value(u"sizes"_s), sizes);
  }

  void menusOfGraphAndTextOfferIt() {
    WritingBench bench;
    for (const bool inText : {false, true}) {
      const NodeId op = bench.graph.find(u"matmul"_s);
      QMenu menu;
      inText ? emit bench.text.menuShown(&menu, op) : emit bench.graph.menuShown(&menu, op);
      QAction *offer = nullptr;
      for (QAction *action : menu.actions())
        if (action->text() == u"Start a Schedule Here\u2026"_s)
          offer = action;
      QVERIFY(offer);
      offer->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(bench.writer().dialog() && bench.writer().isSettled(), patience);
      QCOMPARE(bench.dialog().action(), u"tile"_s);
      bench.dialog().reject();
      QTRY_VERIFY(!bench.writer().dialog());
    }
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowScheduleWritingTest)
#include "WindowScheduleWritingTest.moc"
