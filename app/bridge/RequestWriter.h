// Writes requests as the engine reads them.
#pragma once
#include "core/protocol/methods/Method.h"
#include "views/messages/NoteTypes.h"
#include "views/messages/QtTypes.h"
#include <QJsonObject>

namespace fuselage::protocol {

template <class Method> using Request = method::RequestOf<Method, QtTypes>;

} // namespace fuselage::protocol

namespace fuselage {

/// A visitor of requests (core/protocol/methods/Method.h): what is not required and has its default is left out.
class RequestWriter {
public:
  using Parameter = method::Parameter;
  /// `unset`: all that a request without anything set has.
  explicit RequestWriter(QJsonObject unset) : unset_(std::move(unset)) {}

  void operator()(const char *key, bool member, const Parameter &parameter = method::optional);
  void operator()(const char *key, qint64 member, const Parameter &parameter = method::optional);
  void operator()(const char *key, double member, const Parameter &parameter = method::optional);
  void operator()(const char *key, const QString &member, const Parameter &parameter = method::optional);
  void operator()(const char *key, const QList<qint64> &member, const Parameter &parameter = method::optional);
  void operator()(const char *key, const QList<QString> &member, const Parameter &parameter = method::optional);
  void operator()(const char *key, const QMap<QString, qint64> &member, const Parameter &parameter = method::optional);
  void operator()(const char *key, const QMap<QString, QString> &member, const Parameter &parameter = method::optional);
  void operator()(const char *key, const QList<protocol::Note> &member, const Parameter &parameter = method::optional);
  void operator()(const char *key, method::SnapshotNumber member, const Parameter &parameter = method::optional) {
    (*this)(key, qint64(member.number), parameter);
  }
  template <class T>
  void operator()(const char *key, const std::optional<T> &member, const Parameter &parameter = method::optional) {
    if (member)
      (*this)(key, *member, parameter);
  }
  template <class Choice, size_t count>
  void choice(const char *key, Choice member, const char *const (&names)[count],
              const Parameter &parameter = method::optional) {
    (*this)(key, QString::fromLatin1(names[size_t(member)]), parameter);
  }

  QJsonObject take() { return std::move(object_); }

private:
  void put(const char *key, const QJsonValue &value, const Parameter &parameter);
  QJsonObject unset_, object_;
};

/// The parameters of a call.
template <class Request> QJsonObject parametersOf(const Request &request) {
  return method::writeRequest<RequestWriter>(request);
}

} // namespace fuselage
