// Writes requests as JSON, for clients in core.
#pragma once
#include "core/protocol/json/JsonWriter.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::message {

/// A visitor of requests (core/protocol/methods/Method.h): what is not required and has its default is left out.
class RequestWriter {
public:
  using Parameter = method::Parameter;
  /// `unset`: all that a request without anything set has.
  explicit RequestWriter(llvm::json::Object unset) : unset_(std::move(unset)) {}

  template <class T>
  void operator()(llvm::StringRef key, const T &member, const Parameter &parameter = method::optional) {
    JsonWriter writer;
    writer(key, member);
    put(key, std::move(*writer.take().get(key)), parameter);
  }
  void operator()(llvm::StringRef key, method::SnapshotNumber member, const Parameter &parameter = method::optional) {
    put(key, member.number, parameter);
  }
  template <class T>
  void operator()(llvm::StringRef key, const std::optional<T> &member, const Parameter &parameter = method::optional) {
    if (member)
      (*this)(key, *member, parameter);
  }
  template <class Choice, size_t count>
  void choice(llvm::StringRef key, Choice member, const char *const (&names)[count],
              const Parameter &parameter = method::optional) {
    put(key, names[static_cast<size_t>(member)], parameter);
  }

  llvm::json::Object take() { return std::move(object_); }

private:
  void put(llvm::StringRef key, llvm::json::Value value, const Parameter &parameter) {
    const llvm::json::Value *unset = unset_.get(key);
    if (parameter.isRequired || !unset || *unset != value)
      object_[key] = std::move(value);
  }

  llvm::json::Object unset_, object_;
};

/// The parameters of a call.
template <class Request> llvm::json::Object encodeRequest(const Request &request) {
  return method::writeRequest<RequestWriter>(request);
}

} // namespace fuselage::message
