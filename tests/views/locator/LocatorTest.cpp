// The list that leads to anything, without a window around it.
#include "views/locator/LocatorPopup.h"
#include "views/locator/LocatorQuery.h"
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

using namespace fuselage;
using namespace Qt::StringLiterals;

static LocatorEntry entry(const QString &name, NameRank rank, LocatorKind kind = LocatorKind::Op,
                          bool isEnabled = true) {
  LocatorEntry entry{.kind = kind, .name = name};
  entry.rank = rank;
  entry.isEnabled = isEnabled;
  return entry;
}

class LocatorTest : public QObject {
  Q_OBJECT
private slots:
  void aSignInFrontNarrows() {
    const LocatorQuery all = LocatorQuery::parse(u"  matmul 8 "_s);
    QCOMPARE(all.text, u"matmul 8"_s);
    QVERIFY(all.wants(LocatorKind::Op) && all.wants(LocatorKind::Command));
    const LocatorQuery values = LocatorQuery::parse(u"% q"_s);
    QCOMPARE(values.text, u"q"_s);
    QVERIFY(values.wants(LocatorKind::Value) && !values.wants(LocatorKind::Op));
    QVERIFY(LocatorQuery::parse(u">"_s).isEmpty());
    QSet<QChar> signs;
    for (const LocatorPrefix &prefix : locatorPrefixes()) {
      QVERIFY(!signs.contains(prefix.sign) && !prefix.kinds.isEmpty() && !prefix.means.isEmpty());
      QVERIFY(prefix.example.startsWith(prefix.sign));
      signs.insert(prefix.sign);
    }
    QVERIFY(signs.contains(u'%') && signs.contains(u'>'));
  }

  void aQuestionAsksHelp() {
    for (const QString &typed :
         {u"what is tiling"_s, u"What is a tiling?"_s, u"define tiling"_s, u"what does tiling mean?"_s}) {
      const LocatorQuery query = LocatorQuery::parse(typed);
      QCOMPARE(query.text, u"tiling"_s);
      QVERIFY(query.wants(LocatorKind::Help) && !query.wants(LocatorKind::Op));
    }
    QCOMPARE(LocatorQuery::parse(u"whatever"_s).text, u"whatever"_s);
    QCOMPARE(LocatorQuery::parse(u"what is"_s).text, u"what is"_s); // still being typed
  }

  void namesCountMoreThanWhatStandsBesideThem() {
    const LocatorQuery query = LocatorQuery::parse(u"Theme"_s);
    const auto rank = [&query](const QString &name, const QString &detail = {}) {
      LocatorEntry entry{.kind = LocatorKind::Command, .name = name, .detail = detail};
      entry.makeSearchable();
      return query.rank(entry);
    };
    QCOMPARE(rank(u"Theme"_s), NameRank::Exact);
    QCOMPARE(rank(u"Dark Theme"_s), NameRank::WordStart);
    QCOMPARE(rank(u"Dark"_s, u"View \u203a Theme"_s), NameRank::Inside);
    QCOMPARE(rank(u"Fit"_s, u"View"_s), NameRank::NoMatch);
  }

  void theBestComeFirst() {
    const QList<LocatorEntry> sorted =
        LocatorModel::sorted({entry(u"b"_s, NameRank::Inside), entry(u"v"_s, NameRank::Exact, LocatorKind::Value),
                              entry(u"o"_s, NameRank::Exact), entry(u"c"_s, NameRank::Prefix, LocatorKind::Command)});
    QStringList names;
    for (const LocatorEntry &entry : sorted)
      names.append(entry.name);
    QCOMPARE(names.join(u' '), u"o v c b"_s);
  }

  void keysMoveAndTake() {
    QWidget window;
    window.resize(900, 600);
    LocatorPopup popup(&window);
    QAbstractItemModelTester tester(&popup.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    window.show();
    popup.open({});
    popup.setEntries({entry(u"off"_s, NameRank::Exact, LocatorKind::Command, false), entry(u"first"_s, NameRank::Exact),
                      entry(u"gap"_s, NameRank::Exact, LocatorKind::Command, false),
                      entry(u"second"_s, NameRank::Exact)});
    QSignalSpy moved(&popup, &LocatorPopup::moved), accepted(&popup, &LocatorPopup::accepted),
        cancelled(&popup, &LocatorPopup::cancelled);
    QCOMPARE(popup.current()->name, u"first"_s); // what cannot be taken is passed over
    QTest::keyClick(popup.edit(), Qt::Key_Down);
    QCOMPARE(popup.current()->name, u"second"_s);
    QTest::keyClick(popup.edit(), Qt::Key_Down);
    QCOMPARE(popup.current()->name, u"second"_s);
    // Others come in; what was moved to stays.
    popup.setEntries({entry(u"new"_s, NameRank::Exact), entry(u"second"_s, NameRank::Exact)});
    QCOMPARE(popup.current()->name, u"second"_s);
    QTest::keyClick(popup.edit(), Qt::Key_PageUp);
    QCOMPARE(popup.current()->name, u"new"_s);
    QCOMPARE(moved.size(), 2);
    QTest::keyClick(popup.edit(), Qt::Key_Return);
    QCOMPARE(accepted.size(), 1);
    QTest::keyClick(popup.edit(), Qt::Key_Escape);
    QCOMPARE(cancelled.size(), 1);
    // A sign that can be typed is typed.
    popup.setEntries({entry(u">"_s, NameRank::Exact, LocatorKind::Prefix)});
    QTest::keyClick(popup.edit(), Qt::Key_Return);
    QCOMPARE(popup.edit()->text(), u">"_s);
    QCOMPARE(accepted.size(), 1);
    // It follows its window.
    window.resize(500, 400);
    QVERIFY(window.rect().contains(popup.geometry()));
    popup.close();
    QVERIFY(!popup.isVisible());
  }
};

QTEST_MAIN(LocatorTest)
#include "LocatorTest.moc"
