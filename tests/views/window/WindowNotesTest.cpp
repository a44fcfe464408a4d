// Bookmarks and notes in the window: put on ops, edges and steps, shown, kept beside the file, found again, reported.
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/notes/NotesController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/NotesPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;
using protocol::NoteState;

static const QByteArray module =
    R"(func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %init: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %q_mm = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%filled : tensor<8x32xf32>) -> tensor<8x32xf32>
  %act = linalg.exp ins(%q_mm : tensor<8x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %act : tensor<8x32xf32>
}
)";

namespace {
struct NotesBench : WindowBench {
  NotesController &notes = window.controller<NotesController>();
  NotesModel &model = notes.model();

  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  void select(const QString &label) {
    const NodeId id = graph.find(label);
    QVERIFY2(id != noNode, qPrintable(label));
    text.select(id, true);
    settle();
  }
  void press(const QKeySequence &keys) {
    QTest::keyClick(window.focusWidget() ? window.focusWidget() : &window, Qt::Key(keys[0].key()),
                    keys[0].keyboardModifiers());
    settle();
  }
  /// By its shortcut, as a user does it.
  void toggle() { press(QKeySequence(u"Ctrl+B"_s)); }
  QString where(int row) const { return model.index(row, NotesModel::Where).data().toString(); }
  QJsonArray saved(const QString &path) const {
    QFile file(path + u".fuselage"_s);
    return file.open(QFile::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()[u"notes"_s].toArray()
                                      : QJsonArray();
  }
};
} // namespace

class WindowNotesTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() {
    QVERIFY(home_.isValid());
    qputenv("XDG_DATA_HOME", home_.path().toUtf8());
  }

  void aBookmarkIsShownAndKept() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.open(path);
    bench.select(u"matmul"_s);
    const NodeId op = bench.text.selected();
    const int line = bench.text.view().currentLine();
    bench.toggle();
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.model.notes()[0].label, u"linalg.matmul %q_mm"_s);
    QCOMPARE(bench.graph.view().noted(), QSet<NodeId>{op});
    QCOMPARE(bench.text.view().notedLines().keys(), QList<int>{line});
    QCOMPARE(bench.saved(path).size(), 1);
    QCOMPARE(bench.where(0), u"input, line %1"_s.arg(line + 1));
    // Another step: where the op went, as far as it is there.
    bench.steps.select(1);
    bench.settle();
    QTRY_COMPARE(bench.graph.view().noted().size(), 1);
    bench.steps.select(0);
    bench.settle();
    // The same key takes it away, and the file with it.
    bench.select(u"matmul"_s);
    bench.toggle();
    QCOMPARE(bench.model.rowCount(), 0);
    QVERIFY(bench.graph.view().noted().isEmpty());
    QVERIFY(bench.text.view().notedLines().isEmpty());
    QVERIFY(!QFile::exists(path + u".fuselage"_s));
  }

  void wordsAreWrittenInPlace() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.open(path);
    bench.select(u"exp"_s);
    bench.press(QKeySequence(u"Ctrl+Shift+B"_s));
    QPlainTextEdit *editor = bench.notes.panel().editor();
    QTRY_VERIFY(editor->hasFocus());
    QTest::keyClicks(editor, u"why two reads?"_s);
    bench.settle();
    QCOMPARE(bench.saved(path).at(0).toObject()[u"text"_s].toString(), u"why two reads?"_s);
    QVERIFY(bench.text.view().notedLines().first().contains(u"why two reads?"_s));
    // Words are not lost by the key that puts bookmarks.
    bench.graph.view().setFocus();
    bench.toggle();
    QCOMPARE(bench.model.rowCount(), 1);
    // In the table, too: F2. Delete removes.
    QTableView *table = bench.notes.panel().table();
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, NotesModel::Text));
    QTest::keyClick(table, Qt::Key_F2);
    auto *line = table->findChild<QLineEdit *>();
    QVERIFY(line);
    QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(line, u"fused by hand"_s);
    QTest::keyClick(line, Qt::Key_Return);
    bench.settle();
    QCOMPARE(editor->toPlainText(), u"fused by hand"_s);
    QCOMPARE(bench.saved(path).at(0).toObject()[u"text"_s].toString(), u"fused by hand"_s);
    QTest::keyClick(table, Qt::Key_Delete);
    bench.settle();
    QCOMPARE(bench.model.rowCount(), 0);
  }

  void edgesAndStepsHaveThemAndTheListLeadsThere() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.open(path);
    GraphView &view = bench.graph.view();
    const NodeId consumer = bench.graph.find(u"exp"_s), producer = bench.graph.find(u"matmul"_s);
    int edge = -1;
    for (int i = 0; i < view.scene().edges.size(); ++i)
      if (view.scene().edges[i].from == producer && view.scene().edges[i].to == consumer)
        edge = i;
    QVERIFY(edge >= 0);
    view.setCurrentEdge(edge);
    view.setFocus();
    bench.toggle();
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.model.notes()[0].label, u"linalg.matmul %q_mm \u2192 linalg.exp %act"_s);
    // The step, where the list of steps has the keyboard.
    bench.steps.select(2);
    bench.settle();
    bench.steps.panel().list()->setFocus();
    bench.toggle();
    QCOMPARE(bench.model.rowCount(), 2);
    QCOMPARE(bench.model.notes()[1].kind, protocol::NoteKind::Step);
    QVERIFY2(bench.model.notes()[1].label.startsWith(u"after step 1"_s), qPrintable(bench.model.notes()[1].label));
    // Return in the list goes to step and op; a double click does the same.
    bench.notes.raise();
    QTableView *table = bench.notes.panel().table();
    table->setFocus();
    bench.notes.panel().setCurrentRow(0, false);
    QTest::keyClick(table, Qt::Key_Return);
    bench.settle();
    QCOMPARE(bench.steps.currentRow(), 0);
    QCOMPARE(bench.text.selected(), consumer);
    bench.notes.panel().setCurrentRow(1, false);
    QTest::keyClick(table, Qt::Key_Return);
    bench.settle();
    QCOMPARE(bench.steps.currentRow(), 2);
    // A filter of words.
    bench.notes.panel().filterEdit()->setText(u"after"_s);
    QCOMPARE(table->model()->rowCount(), 1);
  }

  void theyAreFoundAgainInAnEditedFile() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.open(path);
    bench.select(u"matmul"_s);
    bench.toggle();
    bench.select(u"exp"_s);
    bench.toggle();
    QByteArray edited = "// a comment\n// and another\n" + module;
    edited.replace(
        "  %act = linalg.exp ins(%q_mm : tensor<8x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>\n", "");
    edited.replace("return %act", "return %q_mm");
    bench.write(u"m.mlir"_s, edited);
    bench.documents.reload();
    bench.settle();
    QTRY_COMPARE(bench.model.rowCount(), 2);
    bench.settle();
    QTRY_COMPARE(bench.model.place(0).state, NoteState::Moved);
    QCOMPARE(bench.model.place(0).how, u"its users have changed; it was in line 4"_s);
    QCOMPARE(bench.model.place(1).state, NoteState::Lost);
    QCOMPARE(bench.graph.view().noted(), QSet<NodeId>{bench.graph.find(u"matmul"_s)});
    QVERIFY2(bench.where(1).startsWith(u"lost"_s), qPrintable(bench.where(1)));
    // Nothing is dropped: another note, and both are in the file.
    bench.select(u"fill"_s);
    bench.toggle();
    QCOMPARE(bench.saved(path).size(), 3);
    // It is back when the op is.
    bench.write(u"m.mlir"_s, module);
    bench.documents.reload();
    bench.settle();
    QTRY_COMPARE(bench.model.rowCount(), 3);
    bench.settle();
    QTRY_COMPARE(bench.model.place(1).state, NoteState::Found);
  }

  void whereTheFolderCannotBeWrittenItSaysSo() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    QVERIFY(QDir().mkdir(path + u".fuselage"_s)); // root may write everywhere, but not this
    bench.open(path);
    bench.select(u"matmul"_s);
    bench.toggle();
    QVERIFY2(bench.banner.text().contains(u"kept in"_s) && bench.banner.text().contains(home_.path()),
             qPrintable(bench.banner.text()));
    bench.documents.reload();
    bench.settle();
    QTRY_COMPARE(bench.model.rowCount(), 1);
  }

  void aKeyThatIsHitTwiceMakesNoTwo() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.open(path);
    bench.select(u"matmul"_s);
    const NodeId op = bench.text.selected();
    for (int presses = 1; presses <= 3; ++presses) {
      for (int i = 0; i < presses; ++i)
        bench.notes.toggleAction()->trigger();
      bench.settle();
      QCOMPARE(bench.model.rowCount(), presses % 2);
      QCOMPARE(bench.saved(path).size(), presses % 2);
      if (presses % 2)
        bench.toggle();
    }
    // On a step that was chosen just now, too: it is not known yet what is noted there.
    bench.toggle();
    bench.steps.select(1);
    bench.settle();
    bench.steps.select(0);
    QTRY_COMPARE(bench.text.snapshot(), 0);
    bench.text.select(op, true);
    bench.notes.toggleAction()->trigger();
    bench.settle();
    QCOMPARE(bench.model.rowCount(), 0);
  }

  void notesThatWereNotReadAreNotOverwritten() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.open(path);
    bench.select(u"matmul"_s);
    bench.toggle();
    QCOMPARE(bench.saved(path).size(), 1);
    // The engine goes before it can read the notes: the session is ready just before they are asked for. Once: the next
    // engine stays.
    QSignalSpy opened(&bench.session, &EngineSession::opened);
    bool isKilled = false;
    connect(&bench.session, &EngineSession::stateChanged, this, [&](EngineSession::State state) {
      if (state != EngineSession::State::Ready || std::exchange(isKilled, true))
        return;
      bench.killEngine();
    });
    bench.documents.reload();
    QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty(), patience);
    QVERIFY(isKilled);
    bench.notes.toggleAction()->trigger();
    QCOMPARE(bench.saved(path).size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() == EngineSession::State::Ready && bench.window.isSettled(),
                             patience);
    QTRY_COMPARE_WITH_TIMEOUT(bench.model.rowCount(), 1, patience);
    bench.settle();
    bench.select(u"exp"_s);
    bench.toggle();
    QCOMPARE(bench.saved(path).size(), 2);
  }

  void whatWasTypedLastIsKeptWhenAnotherFileIsOpened() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module), other = bench.write(u"n.mlir"_s, module);
    bench.open(path);
    bench.select(u"matmul"_s);
    bench.toggle();
    bench.model.setText(0, u"typed just now"_s);
    bench.open(other);
    bench.settle();
    QCOMPARE(bench.saved(path).at(0).toObject()[u"text"_s].toString(), u"typed just now"_s);
    QVERIFY(!QFile::exists(other + u".fuselage"_s));
    QCOMPARE(bench.model.rowCount(), 0);
  }

  void withoutAnEngineTheWindowAsksBeforeNotesAreLost() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.open(path);
    bench.select(u"matmul"_s);
    bench.toggle();
    QVERIFY(bench.notes.mayClose());
    bench.session.setCommand({u"/nothing/there"_s}); // no engine comes back
    bench.killEngine();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.client().isRunning(), patience);
    bench.model.setText(0, u"lost?"_s);
    QTest::qWait(600);
    QString asked;
    QTimer::singleShot(500, this, [&asked] {
      if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
        asked = box->text();
        box->button(QMessageBox::No)->click();
      }
    });
    QVERIFY(!bench.notes.mayClose());
    QVERIFY2(asked.contains(u"not saved"_s), qPrintable(asked));
  }

  void aStrangersFileDoesNoHarm() {
    NotesBench bench;
    const QString path = bench.write(u"m.mlir"_s, module);
    bench.write(u"m.mlir.fuselage"_s,
                R"({"version": 1, "notes": [{"id": "x", "label": "<img src=x>", "text": "<b>bold</b>",
      "op": {"op": "linalg.matmul", "line": 2000000000, "ordinal": 99999}, "kind": "op"}, {"id": 7}]})");
    bench.open(path);
    bench.settle();
    QTRY_COMPARE(bench.model.rowCount(), 2);
    QCOMPARE(bench.model.index(0, NotesModel::Text).data().toString(), u"<b>bold</b>"_s);
    QVERIFY(bench.model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"&lt;img"_s));
    // What is no file of notes is left alone.
    const QByteArray foreign = "my own data";
    const QString other = bench.write(u"n.mlir"_s, module);
    bench.write(u"n.mlir.fuselage"_s, foreign);
    bench.open(other);
    bench.select(u"matmul"_s);
    bench.toggle();
    QFile file(other + u".fuselage"_s);
    QVERIFY(file.open(QFile::ReadOnly));
    QCOMPARE(file.readAll(), foreign);
  }

  void aBugReportHasAllThatOneNeeds() {
    NotesBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.select(u"matmul"_s);
    bench.notes.reportAction()->trigger();
    bench.settle();
    QString text = QApplication::clipboard()->text();
    for (const QString &there :
         {u"### `linalg."_s, u"matmul_transpose_bias.mlir"_s, u"```mlir"_s, u"LLVM and MLIR 22"_s, u"fuselage "_s})
      QVERIFY2(text.contains(there), qPrintable(there + u"\n"_s + text));
    QVERIFY2(!text.contains(u"/samples/"_s), qPrintable(text)); // names of files, no paths
    // After a step: its pipeline, and the command that shows it.
    bench.steps.select(1);
    bench.settle();
    bench.select(u"matmul"_s);
    bench.notes.reportAction()->trigger();
    bench.settle();
    text = QApplication::clipboard()->text();
    QVERIFY2(text.contains(u"Pipeline:"_s) && text.contains(u"--at 0"_s), qPrintable(text));
  }

private:
  QTemporaryDir home_;
};

FUSELAGE_WINDOW_TEST_MAIN(WindowNotesTest)
#include "WindowNotesTest.moc"
