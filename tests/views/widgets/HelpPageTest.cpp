// Pages of resources/docs, as Help shows them.
#include "views/widgets/help/HelpPage.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>
#include <QTextDocument>

using namespace fuselage;
using namespace Qt::StringLiterals;

class HelpPageTest : public QObject {
  Q_OBJECT
private slots:
  void picturesAreThoseOfTheTheme() {
    const QString text =
        u"## A\n<picture>\n  <source media=\"(x)\" srcset=\"../p/dark.png\">\n  <img alt=\"words\" src=\"../p/light.png\">\n</picture>\nend\n"_s;
    QCOMPARE(helpPage(text, true), u"## A\n![words](qrc:/screenshots/dark.png)\nend\n"_s);
    QVERIFY(helpPage(text, false).contains(u"qrc:/screenshots/light.png"_s));
  }

  void anchorsFollowGitHub() {
    QCOMPARE(anchorOf(u"Ten minutes, with `a_b` (again)!"_s), u"ten-minutes-with-a_b-again"_s);
  }

  /// Every page in the resources is there, its pictures are in the resources, and its links lead to pages in Help.
  void pagesAreWhole() {
    const QString folder = QStringLiteral(FUSELAGE_SOURCE_DIR) + u"/resources/"_s;
    const QString resources = textOf(folder + u"fuselage.qrc"_s);
    static const QRegularExpression file(u"<file>(docs/[^<]*)</file>"_s), picture(u"\\(qrc:/([^)]*)\\)"_s),
        link(u"\\]\\(([^)#]+)(?:#[^)]*)?\\)"_s);
    int pages = 0, pictures = 0, links = 0;
    for (auto listed = file.globalMatch(resources); listed.hasNext(); ++pages) {
      const QString path = folder + listed.next().captured(1);
      const QString text = textOf(path);
      QVERIFY2(text.size() > 500, qPrintable(path));
      for (const bool dark : {false, true}) {
        const QString page = helpPage(text, dark);
        QVERIFY2(!page.contains(u"<picture>"_s), qPrintable(path));
        for (auto match = picture.globalMatch(page); match.hasNext(); ++pictures) {
          const QString name = match.next().captured(1);
          QVERIFY2(resources.contains(u"<file>%1</file>"_s.arg(name)), qPrintable(path + u": "_s + name));
        }
      }
      for (auto match = link.globalMatch(text); match.hasNext(); ++links) {
        const QString target = match.next().captured(1);
        if (target.startsWith(u"http"_s))
          continue;
        const QString found = QDir(folder).relativeFilePath(QFileInfo(path).dir().absoluteFilePath(target));
        QVERIFY2(resources.contains(u"<file>%1</file>"_s.arg(QDir::cleanPath(found))),
                 qPrintable(u"%1 links to %2, which is not in Help"_s.arg(path, target)));
      }
    }
    QVERIFY(pages >= 10);
    QVERIFY(pictures >= 6);
    QVERIFY(links >= 10);
  }

  /// What the page says in print it says in Help: QTextDocument's Markdown is not quite GitHub's.
  void pagesLoseNoWord_data() {
    QTest::addColumn<QString>("path");
    const QString folder = QStringLiteral(FUSELAGE_SOURCE_DIR) + u"/resources/"_s;
    static const QRegularExpression file(u"<file>(docs/[^<]*)</file>"_s);
    const QString resources = textOf(folder + u"fuselage.qrc"_s);
    for (auto listed = file.globalMatch(resources); listed.hasNext();) {
      const QString path = listed.next().captured(1);
      QTest::newRow(qPrintable(path)) << folder + path;
    }
  }
  void pagesLoseNoWord() {
    QFETCH(const QString, path);
    const QString markdown = textOf(path);
    QTextDocument document;
    document.setMarkdown(helpPage(markdown, false));
    static const QRegularExpression tag(u"<[^>]*>"_s), target(u"\\]\\([^)]*\\)"_s), language(u"```[a-z]+"_s);
    QString written = markdown;
    for (const QRegularExpression &unseen : {tag, target, language})
      written.replace(unseen, u" "_s);
    const QMap<QString, int> shown = wordsOf(document.toPlainText()), expected = wordsOf(written);
    QStringList lost;
    for (const auto &[word, count] : expected.asKeyValueRange())
      if (shown.value(word) < count)
        lost.append(word);
    QVERIFY2(lost.isEmpty(), qPrintable(lost.join(u' ')));
    QVERIFY(!expected.isEmpty());
  }

private:
  static QMap<QString, int> wordsOf(const QString &text) {
    static const QRegularExpression between(u"[^A-Za-z]+"_s);
    QMap<QString, int> words;
    for (const QString &word : text.split(between, Qt::SkipEmptyParts))
      ++words[word];
    return words;
  }
  static QString textOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
};

QTEST_MAIN(HelpPageTest)
#include "HelpPageTest.moc"
