// Sections of the README as pages of help.
#include "views/widgets/HelpPage.h"
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace fuselage;
using namespace Qt::StringLiterals;

class HelpPageTest : public QObject {
  Q_OBJECT
private slots:
  void endsAtTheNextHeadingOfItsLevel() {
    const QString text = u"# A\n## B\nb\n### C\nc\n#### D\nd\n### E\ne\n"_s;
    QCOMPARE(helpSection(text, u"### C"_s, false, 10), u"### C\nc\n#### D\nd\n"_s);
    QCOMPARE(helpSection(text, u"## B"_s, false, 10), u"## B\nb\n### C\nc\n#### D\nd\n### E\ne\n"_s);
    QCOMPARE(helpSection(text, u"### E"_s, false, 10), u"### E\ne\n"_s);
    QVERIFY(helpSection(text, u"### No"_s, false, 10).isEmpty());
  }

  void picturesAreThoseOfTheTheme() {
    const QString text =
        u"## A\n<picture>\n  <source media=\"(x)\" srcset=\"p/dark.png\">\n  <img alt=\"words\" src=\"p/light.png\">\n</picture>\nend\n"_s;
    QCOMPARE(helpSection(text, u"## A"_s, true, 5),
             u"## A\n<img alt=\"words\" src=\"qrc:/p/dark.png\" width=\"5\">\nend\n"_s);
    QVERIFY(helpSection(text, u"## A"_s, false, 5).contains(u"p/light.png"_s));
  }

  /// The page that the window shows is there, and so is every picture that it names.
  void theTutorialIsThere() {
    QFile readme(QStringLiteral(FUSELAGE_SOURCE_DIR) + u"/README.md"_s);
    QVERIFY(readme.open(QIODevice::ReadOnly));
    QFile resources(QStringLiteral(FUSELAGE_SOURCE_DIR) + u"/resources/fuselage.qrc"_s);
    QVERIFY(resources.open(QIODevice::ReadOnly));
    const QString listed = QString::fromUtf8(resources.readAll()), text = QString::fromUtf8(readme.readAll());
    static const QRegularExpression picture(u"src=\"qrc:/([^\"]*)\""_s);
    for (const bool dark : {false, true}) {
      const QString page = helpSection(text, u"### Ten minutes with a schedule"_s, dark, 500);
      QVERIFY(page.size() > 1000);
      QVERIFY(!page.contains(u"<picture>"_s));
      int pictures = 0;
      for (auto match = picture.globalMatch(page); match.hasNext(); ++pictures)
        QVERIFY(listed.contains(u"alias=\"%1\""_s.arg(match.next().captured(1))));
      QVERIFY(pictures >= 2);
    }
  }
};

QTEST_MAIN(HelpPageTest)
#include "HelpPageTest.moc"
