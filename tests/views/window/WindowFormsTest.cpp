// Help on normal forms: the picture, the pages, and the way to them.
#include "tests/views/window/WindowBench.h"
#include "views/panels/ReasonPanel.h"
#include "views/widgets/help/HelpDialog.h"
#include <QDockWidget>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <algorithm>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowFormsTest : public QObject {
  Q_OBJECT
private slots:
  void helpHasAPageForEachForm();
  void menuOpensThePageThatItNames();
  void everyPageIsFilledHoweverItIsOpened();
  void panelsOfReasonsAreFilledWhenTheyAreShown();
  void linksLeadToPagesAndHeadings();
};

void WindowFormsTest::helpHasAPageForEachForm() {
  WindowBench bench;
  bench.open(sample(u"softmax.mlir"_s));
  QAction *open = nullptr;
  for (QAction *action : bench.window.findChildren<QAction *>())
    if (action->text().remove(u'&') == "Normal Forms"_L1)
      open = action;
  QVERIFY(open);
  open->trigger();
  auto *dialog = bench.window.findChild<HelpDialog *>();
  QVERIFY(dialog);
  QTextBrowser *page = nullptr;
  for (QTextBrowser *browser : dialog->findChildren<QTextBrowser *>())
    if (browser->accessibleName() == "Normal forms"_L1)
      page = browser;
  QVERIFY(page);
  QTRY_VERIFY_WITH_TIMEOUT(page->toPlainText().contains("PerfectForNestForm"_L1), patience);
  QVERIFY(page->isVisible());
  for (const char *form :
       {"AnyForm", "LoopForm", "DestinationStyleForm", "BufferizableInPlaceForm", "OneDispatchForm", "GpuMappedForm"})
    QVERIFY2(page->toMarkdown().contains(u"# "_s + QLatin1StringView(form)), form);
  QVERIFY(page->toPlainText().contains("transform.fuselage.interchange_loops"_L1)); // what expects PerfectForNestForm
  // The picture is painted, and stands before the pages.
  QTextCursor behind(page->document()->begin().next());
  behind.movePosition(QTextCursor::NextCharacter);
  QVERIFY(behind.charFormat().isImageFormat());
  const QImage picture = page->document()
                             ->resource(QTextDocument::ImageResource, QUrl(behind.charFormat().toImageFormat().name()))
                             .value<QImage>();
  QVERIFY(picture.width() > 300 && picture.height() > 200);
  QSet<QRgb> colours;
  for (int y = 0; y < picture.height(); y += 3)
    for (int x = 0; x < picture.width(); x += 3)
      colours.insert(picture.pixel(x, y));
  QVERIFY(colours.size() > 3);
  // A link goes to its page.
  const int before = page->textCursor().position();
  emit page->anchorClicked(QUrl(u"form:GpuMappedForm"_s));
  QVERIFY(page->textCursor().position() > before);
  QCOMPARE(page->textCursor().block().text(), u"GpuMappedForm"_s);
}

void WindowFormsTest::menuOpensThePageThatItNames() {
  WindowBench bench;
  const std::pair<QLatin1StringView, QLatin1StringView> pages[] = {
      {"Fusion in Ten Minutes"_L1, "Fusion"_L1},
      {"Tiles in Ten Minutes"_L1, "Tiles"_L1},
      {"Schedules in Ten Minutes"_L1, "Schedules"_L1},
      {"Tuning in Ten Minutes"_L1, "Tuning"_L1},
      {"How Exact Results Are"_L1, "Exactness"_L1},
      {"What the Steps Teach"_L1, "What the steps teach"_L1},
      {"Passes"_L1, "Passes"_L1},
      {"Normal Forms"_L1, "Normal forms"_L1},
      {"Your Own Model"_L1, "Your own model"_L1},
      {"Files and Safety"_L1, "Files and safety"_L1},
      {"Command Line"_L1, "Command line"_L1},
      {"Glossary"_L1, "Glossary"_L1},
      {"External Compilers"_L1, "External compilers"_L1},
      {"Inductor's Decisions"_L1, "Inductor's decisions"_L1},
      {"Dumps of XLA"_L1, "Dumps of XLA"_L1}};
  const auto isInAMenu = [](const QAction *action) {
    const QList<QObject *> places = action->associatedObjects();
    return std::any_of(places.begin(), places.end(), [](QObject *place) { return qobject_cast<QMenu *>(place); });
  };
  for (const auto &[command, title] : pages) {
    int triggered = 0;
    for (QAction *action : bench.window.findChildren<QAction *>())
      if (action->text().remove(u'&') == command) {
        QVERIFY2(isInAMenu(action), command.data());
        action->trigger();
        ++triggered;
      }
    QCOMPARE(triggered, 1);
    auto *dialog = bench.window.findChild<HelpDialog *>();
    QVERIFY(dialog);
    QTextBrowser *shown = nullptr;
    for (QTextBrowser *browser : dialog->findChildren<QTextBrowser *>())
      if (browser->isVisible())
        shown = browser;
    QVERIFY(shown);
    QCOMPARE(shown->accessibleName(), title);
  }
}

void WindowFormsTest::everyPageIsFilledHoweverItIsOpened() {
  WindowBench bench;
  bench.open(sample(u"softmax.mlir"_s));
  for (QAction *action : bench.window.findChildren<QAction *>())
    if (action->text().remove(u'&') == "Glossary"_L1)
      action->trigger();
  auto *dialog = bench.window.findChild<HelpDialog *>();
  QVERIFY(dialog);
  auto *list = dialog->findChild<QListWidget *>();
  QVERIFY(list);
  list->setFocus();
  int pages = 0;
  for (int row = 0; row < list->count(); ++row) {
    if (!(list->item(row)->flags() & Qt::ItemIsSelectable))
      continue;
    list->setCurrentRow(row);
    for (QTextBrowser *browser : dialog->findChildren<QTextBrowser *>())
      if (browser->isVisible())
        QTRY_VERIFY2(browser->toPlainText().size() > 40 && browser->document()->blockCount() > 1 ||
                         browser->accessibleName() == "What the steps teach"_L1,
                     qPrintable(browser->accessibleName()));
    ++pages;
  }
  QVERIFY(pages >= 14);
}

void WindowFormsTest::panelsOfReasonsAreFilledWhenTheyAreShown() {
  WindowBench bench;
  bench.open(sample(u"softmax.mlir"_s));
  for (const QString &name : {u"reasons"_s, u"copyReasons"_s}) {
    auto *dock = bench.window.findChild<QDockWidget *>(name);
    QVERIFY(dock);
    dock->show();
    dock->raise();
    auto *panel = dock->findChild<ReasonPanel *>();
    QVERIFY(panel);
    QTRY_VERIFY(panel->page()->toPlainText().size() > 200);
  }
}

void WindowFormsTest::linksLeadToPagesAndHeadings() {
  WindowBench bench;
  for (QAction *action : bench.window.findChildren<QAction *>())
    if (action->text().remove(u'&') == "External Compilers"_L1)
      action->trigger();
  auto *dialog = bench.window.findChild<HelpDialog *>();
  QVERIFY(dialog);
  const auto shown = [dialog] {
    for (QTextBrowser *browser : dialog->findChildren<QTextBrowser *>())
      if (browser->isVisible())
        return browser;
    return static_cast<QTextBrowser *>(nullptr);
  };
  emit shown()->anchorClicked(QUrl(u"cli.md#fuselage-compare"_s));
  QCOMPARE(shown()->accessibleName(), u"Command line"_s);
  QCOMPARE(shown()->textCursor().block().text(), u"fuselage compare"_s);
  emit shown()->anchorClicked(QUrl(u"tutorials/schedules.md"_s));
  QCOMPARE(shown()->accessibleName(), u"Schedules"_s);
  // A picture is a picture, and text goes on after it.
  const QString text = shown()->toPlainText();
  QVERIFY(text.count(QChar::ObjectReplacementCharacter) >= 2);
  QVERIFY(text.lastIndexOf("fuselage.tune("_L1) > text.lastIndexOf(QChar::ObjectReplacementCharacter));
}

FUSELAGE_WINDOW_TEST_MAIN(WindowFormsTest)
#include "WindowFormsTest.moc"
