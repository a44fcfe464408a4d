// Files that other programs change while they are open here.
#include "app/gui/compare/CompareController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/watch/FileWatch.h"
#include "app/gui/watch/TextComparison.h"
#include "tests/views/window/programs/Program.h"
#include "views/text/DiffView.h"
#include "views/widgets/Banner.h"
#include <QDialog>
#include <QDir>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalSpy>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

const QByteArray module = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                          "  %0 = math.exp %a : tensor<4xf32>\n"
                          "  return %0 : tensor<4xf32>\n}\n";
const QByteArray other = QByteArray(module).replace("math.exp", "math.sqrt");

/// As vim and most others do it: written beside, then moved over it.
void replaceFile(const QString &path, const QByteArray &text) {
  QSaveFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
  QVERIFY(file.commit());
}

QByteArray dump(int pass) {
  return "// -----// IR Dump After Pass" + QByteArray::number(pass) +
         " (pass) //----- //\nfunc.func @f() {\n  %c = arith.constant " + QByteArray::number(pass) +
         " : i32\n  return\n}\n\n";
}

struct WatchBench {
  QTemporaryDir folder;
  QString path;
  Program program;
  Banner &banner = program.shell().centre().fileBanner();

  explicit WatchBench(const QByteArray &text = module, const QString &name = u"m.mlir"_s)
      : path(writeFile(folder.filePath(name), text)), program(folder.path(), {path}) {
    settle();
  }
  /// Longer than it takes to notice a change, by notification and by looking.
  void settle() { QTest::qWait(2400); }
  void awaitBanner(const QString &words) {
    QTRY_VERIFY_WITH_TIMEOUT(banner.isVisible() && banner.text().contains(words), 20'000);
  }
  QPushButton *button(const QString &text) {
    for (QPushButton *button : banner.findChildren<QPushButton *>())
      if (button->text() == text && button->isVisible())
        return button;
    return nullptr;
  }
  void click(const QString &text) {
    QVERIFY2(button(text), qPrintable(text));
    QTest::mouseClick(button(text), Qt::LeftButton);
  }
  /// By keys alone: to the banner, along its buttons, and Return.
  void press(const QString &text) {
    program.workspace.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&program.workspace));
    QTest::keyClick(&program.focus(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    for (int tabs = 0; tabs < 3 && program.focus().property("text").toString() != text; ++tabs)
      QTest::keyClick(&program.focus(), Qt::Key_Tab);
    QCOMPARE(program.focus().property("text").toString(), text);
    QTest::keyClick(&program.focus(), Qt::Key_Return);
  }
  bool shows(const QString &op) { return program.get<GraphController>().find(op) != noNode; }
  ScriptController &scripts() { return program.get<ScriptController>(); }
};

} // namespace

class WindowWatchTest : public QObject {
  Q_OBJECT
private slots:
  void aModuleIsReloadedByMouse() {
    WatchBench bench;
    QVERIFY(!bench.banner.isVisible());
    writeFile(bench.path, other);
    bench.awaitBanner(u"m.mlir changed on disk"_s);
    QVERIFY(bench.shows(u"exp"_s)); // nothing happens by itself
    bench.click(u"Reload"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
    bench.program.rest();
    QVERIFY(bench.shows(u"sqrt"_s));
    bench.settle();
    QVERIFY(!bench.banner.isVisible());
  }

  void aReplacedModuleIsKeptByKeyboard() {
    WatchBench bench;
    replaceFile(bench.path, other);
    bench.awaitBanner(u"changed on disk"_s);
    bench.press(u"Keep"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
    QVERIFY(!bench.banner.isAncestorOf(&bench.program.focus()));
    bench.settle();
    QVERIFY(!bench.banner.isVisible()); // it was answered
    QVERIFY(bench.shows(u"exp"_s));
    // Replaced, the file is still watched.
    replaceFile(bench.path, module + "\n");
    bench.awaitBanner(u"changed on disk"_s);
    bench.press(u"Reload"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
  }

  void aModuleIsComparedWithItsFile() {
    WatchBench bench;
    writeFile(bench.path, other);
    bench.awaitBanner(u"changed on disk"_s);
    bench.press(u"Compare"_s);
    auto &compare = bench.program.get<CompareController>();
    QTRY_VERIFY_WITH_TIMEOUT(compare.isSettled() && compare.model().rowCount() > 0, patience);
    QCOMPARE(compare.model().comparison().a.snapshot, 0);
    QCOMPARE(compare.model().comparison().a.name, u"m.mlir, as opened"_s);
    QCOMPARE(compare.model().comparison().b.name, u"m.mlir, on disk"_s);
    QVERIFY(bench.banner.isVisible()); // the question is still there
  }

  void aDeletedFileIsReportedOnce() {
    WatchBench bench;
    QVERIFY(QFile::remove(bench.path));
    bench.awaitBanner(u"m.mlir was deleted or moved"_s);
    bench.press(u"OK"_s);
    QVERIFY(!bench.banner.isVisible());
    bench.settle();
    QVERIFY(!bench.banner.isVisible());
    // With the same content it comes back without a word, with another one it does not.
    writeFile(bench.path, module);
    bench.settle();
    QVERIFY(!bench.banner.isVisible());
    QVERIFY(QFile::remove(bench.path));
    bench.awaitBanner(u"was deleted"_s);
    writeFile(bench.path, module);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
    QVERIFY(QFile::remove(bench.path));
    bench.awaitBanner(u"was deleted"_s);
    writeFile(bench.path, other);
    bench.awaitBanner(u"changed on disk"_s);
  }

  void aFileMayComeAndGo() {
    WatchBench bench;
    for (int time = 0; time < 2; ++time) {
      QVERIFY(QFile::remove(bench.path));
      bench.awaitBanner(u"was deleted"_s);
      writeFile(bench.path, other);
      bench.awaitBanner(u"changed on disk"_s);
    }
    QVERIFY(QFile::remove(bench.path));
    bench.awaitBanner(u"was deleted"_s);
    bench.press(u"OK"_s);
    QVERIFY(!bench.banner.isVisible());
  }

  void aTouchedFileIsNoNews() {
    WatchBench bench;
    writeFile(bench.path, module);
    bench.settle();
    replaceFile(bench.path, module);
    bench.settle();
    QVERIFY(!bench.banner.isVisible());
  }

  /// A file system that notifies nobody: the time of the file is looked at.
  void aWatchThatIsLostIsMadeUpFor() {
    QTemporaryDir folder;
    const QString path = writeFile(folder.filePath(u"a.txt"_s), "one");
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    watch.setFiles({path});
    QTest::qWait(500);
    // The folder goes away with the watches in it, and another one takes its place.
    QVERIFY(QDir().rename(folder.path(), folder.path() + u".old"_s));
    QVERIFY(QDir().mkpath(folder.path()));
    writeFile(path, "two");
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, 20'000);
    writeFile(path, "three");
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 2, 20'000);
    QVERIFY(QDir(folder.path() + u".old"_s).removeRecursively());
  }

  void aScriptIsReloadedAndUndoBringsTheTextBack() {
    WatchBench bench;
    const QByteArray script = ScriptController::skeleton().toUtf8();
    const QString path = writeFile(bench.folder.filePath(u"s.mlir"_s), script);
    QVERIFY(bench.scripts().open(path));
    bench.scripts().showEditor();
    bench.settle();
    QTest::keyClicks(&bench.scripts().edit(), u"// mine "_s);
    writeFile(path, "// theirs\n" + script);
    bench.awaitBanner(u"s.mlir changed on disk, and you have unsaved changes in it"_s);
    bench.click(u"Reload"_s);
    QVERIFY(!bench.banner.isVisible());
    QVERIFY(bench.scripts().text().startsWith("// theirs"_L1));
    QVERIFY(!bench.scripts().edit().isModified());
    bench.scripts().edit().undo();
    QVERIFY(bench.scripts().text().startsWith("// mine"_L1));
    QVERIFY(bench.scripts().edit().isModified());
  }

  void ownSavesAreNoNews() {
    WatchBench bench;
    const QString path = writeFile(bench.folder.filePath(u"s.mlir"_s), ScriptController::skeleton().toUtf8());
    QVERIFY(bench.scripts().open(path));
    bench.scripts().showEditor();
    bench.settle();
    for (const QString &word : {u"// a "_s, u"// b "_s}) {
      QTest::keyClicks(&bench.scripts().edit(), word);
      QTest::keyClick(&bench.scripts().edit(), Qt::Key_S, Qt::ControlModifier);
      QVERIFY(readFile(path).contains(word.toUtf8()));
      bench.settle();
      QVERIFY(!bench.banner.isVisible());
    }
    // It is still watched.
    writeFile(path, "// theirs\n");
    bench.awaitBanner(u"s.mlir changed on disk"_s);
  }

  /// Keep makes the text unsaved, so that it is neither lost on closing nor asked about twice.
  void aScriptIsKept() {
    WatchBench bench;
    const QByteArray script = ScriptController::skeleton().toUtf8();
    const QString path = writeFile(bench.folder.filePath(u"s.mlir"_s), script);
    QVERIFY(bench.scripts().open(path));
    bench.settle();
    replaceFile(path, "// theirs\n" + script);
    bench.awaitBanner(u"s.mlir changed on disk"_s);
    bench.press(u"Compare"_s);
    auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<DiffView *>()->diff().removed, 1);
    QTest::keyClick(dialog, Qt::Key_Escape);
    bench.click(u"Keep"_s);
    QVERIFY(!bench.banner.isVisible());
    QVERIFY(bench.scripts().edit().isModified());
    QVERIFY(bench.scripts().save());
    QCOMPARE(readFile(path), script);
  }

  void aDeletedScriptIsUnsaved() {
    WatchBench bench;
    const QByteArray script = ScriptController::skeleton().toUtf8();
    const QString path = writeFile(bench.folder.filePath(u"s.mlir"_s), script);
    QVERIFY(bench.scripts().open(path));
    bench.settle();
    QVERIFY(QFile::remove(path));
    bench.awaitBanner(u"s.mlir was deleted or moved"_s);
    QVERIFY(bench.scripts().edit().isModified());
    writeFile(path, script);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
    QVERIFY(!bench.scripts().edit().isModified());
  }

  void aLogThatGrowsGoesOn() {
    WatchBench bench(dump(1) + dump(2), u"build.log"_s);
    auto &steps = bench.program.get<StepsController>();
    QCOMPARE(steps.model().rowCount(), 3);
    steps.select(1);
    bench.program.rest();
    writeFile(bench.path, dump(1) + dump(2) + dump(3));
    bench.awaitBanner(u"build.log changed on disk"_s);
    bench.click(u"Reload"_s);
    QTRY_COMPARE_WITH_TIMEOUT(steps.model().rowCount(), 4, patience);
    bench.program.rest();
    QCOMPARE(steps.currentRow(), 1);
    // Kept, it may grow on without a word.
    writeFile(bench.path, dump(1) + dump(2) + dump(3) + dump(4));
    bench.awaitBanner(u"build.log changed on disk"_s);
    bench.press(u"Keep"_s);
    writeFile(bench.path, dump(1) + dump(2) + dump(3) + dump(4) + dump(5));
    bench.settle();
    QVERIFY(!bench.banner.isVisible());
    QCOMPARE(steps.model().rowCount(), 4);
  }

  void linesAreCompared() {
    const DiffData diff = compareTexts(u"a\nb\nc\nd\n"_s, u"a\nx\nc\nd\ne\n"_s);
    QCOMPARE(diff.changed, 1);
    QCOMPARE(diff.added, 1);
    QCOMPARE(diff.removed, 0);
    QCOMPARE(diff.rows.size(), 4); // a, b or x, c and d, e
    QCOMPARE(diff.rows[2].count, 2);
    QVERIFY(compareTexts(u"a\n"_s, u"a\n"_s).rows.size() == 1);
    QCOMPARE(compareTexts({}, u"a\n"_s).added, 1);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowWatchTest)
#include "WindowWatchTest.moc"
