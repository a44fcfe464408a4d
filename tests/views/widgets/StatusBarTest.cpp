// The message of the status bar and the widgets beside it.
#include "views/widgets/StatusBar.h"
#include <QLabel>
#include <QTest>

using namespace fuselage;
using namespace Qt::StringLiterals;

class StatusBarTest : public QObject {
  Q_OBJECT
private slots:
  void aLongMessageEndsBeforeTheWidgets() {
    StatusBar bar;
    auto *label = new QLabel(u"12 ops"_s);
    bar.addPermanentWidget(label);
    bar.resize(400, 24);
    bar.show();
    const QString message = QString(u"The graph has no box for it "_s).repeated(8);
    bar.showMessage(message);
    QTRY_VERIFY(label->isVisible() && label->x() > 200);
    const QString shown = bar.shownMessage();
    QVERIFY2(shown.endsWith(u'…') && message.startsWith(shown.chopped(1)), qPrintable(shown));
    QVERIFY(bar.fontMetrics().horizontalAdvance(shown) <= label->x());
    QCOMPARE(bar.toolTip(), message);
    bar.resize(8000, 24);
    QTRY_COMPARE(bar.shownMessage(), message);
    bar.clearMessage();
    QCOMPARE(bar.toolTip(), QString());
  }
};

QTEST_MAIN(StatusBarTest)
#include "StatusBarTest.moc"
