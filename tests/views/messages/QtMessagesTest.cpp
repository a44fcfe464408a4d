// The window reads what core wrote, and finds the same in it.
#include "app/bridge/MessageReader.h"
#include "app/bridge/RequestWriter.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/RequestWriter.h"
#include "tests/core/protocol/AllMessages.h"
#include "tests/core/protocol/AllRequests.h"
#include "views/messages/BufferTypes.h"
#include "views/messages/FusionTypes.h"
#include "views/messages/RunTypes.h"
#include "views/messages/TileTypes.h"
#include "llvm/Support/raw_ostream.h"
#include <QJsonDocument>
#include <QTest>

using namespace fuselage;
using namespace fuselage::message;
using protocol::QtTypes;

/// For Dump, which spells Qt's texts with it.
static std::string spelled(const QString &text) { return text.toStdString(); }

static std::string textOf(const llvm::json::Value &json) {
  std::string text;
  llvm::raw_string_ostream(text) << json;
  return text;
}

/// An element of a tensor is a text here, and a number there: what is unset or strange differs.
template <class T>
static constexpr bool holdsElement = std::is_same_v<T, WorstElement<>> || std::is_same_v<T, Output<>>;

/// Through text, as over the pipe.
template <class T> static T readByQt(const std::string &text) {
  T message;
  decode(QJsonDocument::fromJson(QByteArray::fromStdString(text)).object(), message);
  return message;
}

class QtMessagesTest : public QObject {
  Q_OBJECT
private slots:
  void whatCoreWritesIsFound() {
    test::forEachMessage([]<template <class> class M>() {
      const auto message = test::filled<M<StdTypes>>();
      const auto read = readByQt<M<QtTypes>>(textOf(encode(message)));
      QCOMPARE(QString::fromStdString(test::dumpOf(read)), QString::fromStdString(test::dumpOf(message)));
      if constexpr (!holdsElement<M<StdTypes>>) {
        const auto readUnset = readByQt<M<QtTypes>>(textOf(encode(M<StdTypes>())));
        QCOMPARE(QString::fromStdString(test::dumpOf(readUnset)), QString::fromStdString(test::dumpOf(M<QtTypes>())));
      }
    });
  }

  /// The engine's test of requests reads what core writes of them (tests/core/engine/RequestsTest.cpp).
  void requestsAreWrittenAlike() {
    method::AllMethods::forEach([]<class M>() {
      const auto compare = [](const auto &core, const auto &window) {
        const std::string text = QJsonDocument(parametersOf(window)).toJson().toStdString();
        QCOMPARE(QString::fromStdString(textOf(llvm::cantFail(llvm::json::parse(text)))),
                 QString::fromStdString(textOf(encodeRequest(core))));
      };
      compare(method::test::filledRequest<M, StdTypes>(), method::test::filledRequest<M, QtTypes>());
      compare(method::RequestOf<M>(), method::RequestOf<M, QtTypes>());
    });
  }

  void defaultsAreTheSame() {
    test::forEachMessage([]<template <class> class M>() {
      if constexpr (!holdsElement<M<StdTypes>>)
        QCOMPARE(QString::fromStdString(test::dumpOf(M<QtTypes>())),
                 QString::fromStdString(test::dumpOf(M<StdTypes>())));
    });
  }

  /// Both sides take the same from what nobody should have written.
  void strangeValuesAreReadAlike() {
    test::forEachMessage([]<template <class> class M>() {
      if constexpr (holdsElement<M<StdTypes>>)
        return;
      const llvm::json::Object json = encode(test::filled<M<StdTypes>>());
      for (const auto &[key, value] : json)
        for (const char *strange : test::strangeValues) {
          llvm::json::Object other = json;
          other[key] = llvm::cantFail(llvm::json::parse(strange));
          M<StdTypes> read;
          decode(other, read);
          const std::string text = textOf(std::move(other));
          QCOMPARE(QString::fromStdString(test::dumpOf(readByQt<M<QtTypes>>(text))),
                   QString::fromStdString(test::dumpOf(read)));
        }
    });
  }

  /// A report's edges name the same ops and places over and over.
  void equalTextsOfAReportAreKeptOnce() {
    FusionReport<> report;
    report.edges.resize(2);
    for (FusionEdge<> &edge : report.edges)
      edge.fromOp = "linalg.matmul";
    const auto read = readByQt<protocol::FusionReport>(textOf(encode(report)));
    QCOMPARE(read.edges[0].fromOp, QStringLiteral("linalg.matmul"));
    QCOMPARE(read.edges[0].fromOp.constData(), read.edges[1].fromOp.constData());
  }
};

QTEST_GUILESS_MAIN(QtMessagesTest)
#include "QtMessagesTest.moc"
