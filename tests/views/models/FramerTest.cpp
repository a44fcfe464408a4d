#include "app/bridge/MessageFramer.h"
#include <QTest>

using fuselage::MessageFramer;

class FramerTest : public QObject {
  Q_OBJECT
private slots:
  void readsMessagesInAnyPieces() {
    const QByteArray stream =
        MessageFramer::frame("{\"a\":1}") + MessageFramer::frame("") + MessageFramer::frame("xyz");
    for (qsizetype piece = 1; piece <= stream.size(); ++piece) {
      MessageFramer framer;
      QList<QByteArray> messages;
      for (qsizetype at = 0; at < stream.size(); at += piece) {
        framer.append(stream.mid(at, piece));
        while (const auto message = framer.next())
          messages.append(*message);
      }
      QCOMPARE(messages, (QList<QByteArray>{"{\"a\":1}", "", "xyz"}));
    }
  }

  void skipsWhatIsNoHeader() {
    MessageFramer framer;
    framer.append("Last login: today\n\nContent-Type: x\r\nContent-Length: 2\r\n\r\nok");
    QCOMPARE(framer.next().value_or("none"), QByteArray("ok"));
    QVERIFY(framer.takeNoise().contains("Last login"));
    QVERIFY(framer.takeNoise().isEmpty());
  }

  void survivesABadLength() {
    MessageFramer framer;
    framer.append("Content-Length: -4\r\n\r\nContent-Length: many\r\n\r\nContent-Length: 1\r\n\r\nx");
    QCOMPARE(framer.next().value_or("none"), QByteArray("x"));
  }

  void isLinearInManySmallMessages() {
    MessageFramer framer;
    QByteArray stream;
    for (int i = 0; i < 200'000; ++i)
      stream += MessageFramer::frame("{}");
    framer.append(stream);
    int count = 0;
    while (framer.next())
      ++count;
    QCOMPARE(count, 200'000);
  }
};

QTEST_GUILESS_MAIN(FramerTest)
#include "FramerTest.moc"
