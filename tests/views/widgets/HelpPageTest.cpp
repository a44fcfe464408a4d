// Pages of resources/docs, as Help shows them.
#include "views/widgets/HelpPage.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

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

private:
  static QString textOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
};

QTEST_MAIN(HelpPageTest)
#include "HelpPageTest.moc"
