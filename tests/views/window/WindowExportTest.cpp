// The graph as a file: what is on screen or everything, in pages, in the colours that are asked for.
#include "app/gui/export/ExportController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/widgets/ExportNotice.h"
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
struct ExportBench : WindowBench {
  ExportController &exports = window.controller<ExportController>();

  explicit ExportBench(const QString &name) {
    window.resize(1280, 800);
    open(sample(name));
  }
  /// Shows the dialog, chooses, exports; returns what was written.
  QByteArray write(ExportChoice choice) {
    for (QAction *action : window.findChildren<QAction *>())
      if (action->text().remove(u'&').startsWith(u"Export Graph"_s))
        action->trigger();
    choice.path = scratch.filePath(u"graph."_s + choice.format);
    QFile::remove(choice.path);
    exports.dialog().setChoice(choice);
    emit exports.dialog().exportRequested(exports.dialog().choice());
    exports.dialog().close();
    QFile file(choice.path);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(file.exists() && window.isSettled(), patience); }();
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
};

qsizetype pagesOf(const QByteArray &pdf) { return pdf.count("/Type /Page") - pdf.count("/Type /Pages"); }

/// Remembers what was to be opened.
class OpenedUrls : public QObject {
  Q_OBJECT
public:
  OpenedUrls() { QDesktopServices::setUrlHandler(u"file"_s, this, "take"); }
  ~OpenedUrls() override { QDesktopServices::unsetUrlHandler(u"file"_s); }
  QList<QUrl> urls;
public slots:
  void take(const QUrl &url) { urls.append(url); }
};
} // namespace

static ExportChoice choose(const QString &format, const QString &what, const QString &theme = u"light"_s,
                           const QString &pages = u"one"_s) {
  return {.format = format, .what = what, .pages = pages, .theme = theme, .path = {}};
}

class WindowExportTest : public QObject {
  Q_OBJECT
private slots:
  void whatISeeIsWhatIsOnScreen() {
    ExportBench bench(u"bert_attention.mlir"_s);
    const GraphView &view = bench.graph.view();
    const QByteArray seen = bench.write(choose(u"svg"_s, u"sight"_s)),
                     drawn = bench.write(choose(u"svg"_s, u"drawn"_s));
    QVERIFY(seen.contains("id=\"legend\"") && drawn.contains("id=\"legend\""));
    int inside = 0, outside = 0;
    for (const NodeData &node : view.scene().nodes) {
      const QByteArray mark = "data-id=\"" + QByteArray::number(node.id) + '"';
      QVERIFY(drawn.contains(mark));
      if (view.sight().contains(node.rect)) {
        QVERIFY2(seen.contains(mark), qPrintable(node.title));
        ++inside;
      } else if (!view.sight().adjusted(-20, -20, 20, 20).intersects(node.rect)) {
        QVERIFY2(!seen.contains(mark), qPrintable(node.title));
        ++outside;
      }
    }
    QVERIFY(inside > 0 && outside > 0);
  }

  void modelExplorerHasVerdicts() {
    ExportBench bench(u"softmax.mlir"_s);
    const QJsonObject written =
        QJsonDocument::fromJson(bench.write(choose(u"model-explorer.json"_s, u"drawn"_s))).object();
    const QJsonObject graph = written["graphs"_L1][0].toObject();
    QCOMPARE(written["label"_L1], u"graph"_s);
    QCOMPARE(graph["id"_L1], u"softmax"_s);
    QVERIFY(graph["nodes"_L1].toArray().size() > 10);
    QCOMPARE(graph["tasksData"_L1]["edgeOverlaysDataListLeftPane"_L1][0]["overlays"_L1][0]["name"_L1], u"fused"_s);
  }

  void endingsAndFormatsFollowEachOther() {
    ExportDialog dialog;
    ExportChoice choice = choose(u"svg"_s, u"all"_s);
    choice.path = u"a/graph.svg"_s;
    dialog.setChoice(choice);
    auto *format = dialog.findChild<QComboBox *>(u"exportFormat"_s);
    auto *path = dialog.findChild<QLineEdit *>(u"exportPath"_s);
    format->setCurrentIndex(format->findData(u"model-explorer.json"_s));
    QCOMPARE(path->text(), u"a/graph.model-explorer.json"_s);
    format->setCurrentIndex(format->findData(u"json"_s));
    QCOMPARE(path->text(), u"a/graph.json"_s);
    path->setText(u"b.model-explorer.json"_s);
    QCOMPARE(dialog.choice().format, u"model-explorer.json"_s);
    path->setText(u"b.png"_s);
    QCOMPARE(dialog.choice().format, u"png"_s);
  }

  void everythingHasAllBoxesOpen() {
    ExportBench bench(u"bert_attention.mlir"_s);
    bench.graph.actions().levelDispatches->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const SceneData before = bench.graph.view().scene();
    const QByteArray drawn = bench.write(choose(u"svg"_s, u"drawn"_s)), all = bench.write(choose(u"svg"_s, u"all"_s));
    QVERIFY(all.count("<g data-id=") > drawn.count("<g data-id="));
    // An export changes nothing on screen, nor in the order of the next picture.
    bench.graph.actions().levelOps->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    bench.graph.actions().levelDispatches->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.graph.view().scene().nodes.size(), before.nodes.size());
    for (qsizetype i = 0; i < before.nodes.size(); ++i)
      QCOMPARE(bench.graph.view().scene().nodes[i].rect, before.nodes[i].rect);
  }

  void sheetsAreCountedBeforeTheyAreWritten() {
    ExportBench bench(u"bert_attention.mlir"_s);
    ExportChoice choice{.format = u"pdf"_s,
                        .what = u"drawn"_s,
                        .pages = u"a4"_s,
                        .theme = u"light"_s,
                        .path = bench.scratch.filePath(u"graph.pdf"_s)};
    bench.exports.dialog().open();
    bench.exports.dialog().setChoice(choice);
    const QLabel *summary = bench.exports.dialog().findChild<QLabel *>(u"exportSummary"_s);
    QTRY_VERIFY_WITH_TIMEOUT(summary->text().contains(u"of A4"_s), patience);
    const qsizetype told = summary->text().section(u' ', 0, 0).toLongLong();
    bench.exports.dialog().close();
    const QByteArray sheets = bench.write(choice);
    QVERIFY(told > 1);
    QCOMPARE(pagesOf(sheets), told);
    choice.pages = u"one"_s;
    QCOMPARE(pagesOf(bench.write(choice)), 1);
  }

  void choicesAreRememberedAndTheEndingFollows() {
    ExportBench bench(u"softmax.mlir"_s);
    QVERIFY(!bench.write(choose(u"png"_s, u"all"_s, u"dark"_s)).isEmpty());
    for (QAction *action : bench.window.findChildren<QAction *>())
      if (action->text().remove(u'&').startsWith(u"Export Graph"_s))
        action->trigger();
    ExportDialog &dialog = bench.exports.dialog();
    QCOMPARE(dialog.choice().format, u"png"_s);
    QCOMPARE(dialog.choice().what, u"all"_s);
    QCOMPARE(dialog.choice().theme, u"dark"_s);
    QVERIFY(dialog.choice().path.endsWith(u".png"_s));
    ExportChoice other = dialog.choice();
    other.format = u"pdf"_s;
    dialog.setChoice(other);
    QVERIFY2(dialog.choice().path.endsWith(u".pdf"_s), qPrintable(dialog.choice().path));
    dialog.close();
  }

  void aFileThatIsThereIsNotReplacedUnasked() {
    ExportBench bench(u"softmax.mlir"_s);
    const QString path = bench.WindowBench::write(u"mine.svg"_s, "my own");
    for (QAction *action : bench.window.findChildren<QAction *>())
      if (action->text().remove(u'&').startsWith(u"Export Graph"_s))
        action->trigger();
    ExportDialog &dialog = bench.exports.dialog();
    ExportChoice choice = choose(u"svg"_s, u"drawn"_s);
    choice.path = path;
    dialog.setChoice(choice);
    QPushButton *save = dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save);
    auto *line = dialog.findChild<QLineEdit *>(u"exportPath"_s);
    line->clear();
    QVERIFY(!save->isEnabled());
    line->setText(path);
    QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), patience);
    const auto answer = [this](QMessageBox::StandardButton button) {
      QTimer::singleShot(300, this, [button] {
        if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget()))
          box->button(button)->click();
      });
    };
    answer(QMessageBox::No);
    save->click();
    QVERIFY(dialog.isVisible());
    QFile file(path);
    QVERIFY(file.open(QFile::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("my own"));
    file.close();
    answer(QMessageBox::Yes);
    save->click();
    QVERIFY(!dialog.isVisible());
    const auto isWritten = [&file] {
      file.close();
      return file.open(QFile::ReadOnly) && file.readAll().contains("<svg");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isWritten(), patience);
  }

  void anExportIsConfirmedAndLeadsThere() {
    ExportBench bench(u"softmax.mlir"_s);
    ExportNotice &notice = bench.window.shell().exportNotice();
    QVERIFY(!notice.isVisible() && !notice.copyPath()->isEnabled());
    bench.write(choose(u"svg"_s, u"drawn"_s));
    QTRY_VERIFY_WITH_TIMEOUT(notice.isVisible(), patience);
    QCOMPARE(notice.text(), u"Exported graph.svg"_s);
    QVERIFY(!QApplication::activeModalWidget()); // nothing to click away
    const QList<QToolButton *> buttons = notice.findChildren<QToolButton *>();
    QCOMPARE(buttons.size(), 3);
    OpenedUrls opened;
    QTest::mouseClick(buttons[0], Qt::LeftButton);
    QCOMPARE(opened.urls, QList{QUrl::fromLocalFile(bench.scratch.path())});
    // By keyboard: the buttons, and the same commands in the File menu.
    buttons[1]->setFocus();
    QTest::keyClick(buttons[1], Qt::Key_Space);
    QCOMPARE(QApplication::clipboard()->text(), bench.scratch.filePath(u"graph.svg"_s));
    QTest::keyClick(buttons[1], Qt::Key_Escape);
    QVERIFY(!notice.isVisible());
    QVERIFY(bench.window.shell().menus().menuOf(Place::FileExport)->actions().contains(notice.openFolder()));
    notice.openFolder()->trigger();
    QCOMPARE(opened.urls.size(), 2);
    // On a machine elsewhere there is no folder to open.
    bench.window.shell().tellExported(u"/no/such/folder/graph.svg"_s);
    QVERIFY(!notice.openFolder()->isEnabled() && notice.copyPath()->isEnabled());
  }

  void theDarkGroundIsDark() {
    ExportBench bench(u"softmax.mlir"_s);
    const QByteArray dark = bench.write(choose(u"svg"_s, u"drawn"_s, u"dark"_s));
    QVERIFY(dark.contains("#191c20") && !dark.contains("#ffffff"));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowExportTest)
#include "WindowExportTest.moc"
