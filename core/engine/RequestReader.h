// Fills requests from parameters, and says what is wrong with them.
#pragma once
#include "core/engine/Rpc.h"
#include "core/protocol/Notes.h"
#include "core/protocol/methods/Method.h"

namespace fuselage {

class Document;

/// A visitor of requests (core/protocol/methods/Method.h): what is missing keeps its default, and the first parameter
/// that is wrong is in Params::check().
class RequestReader {
public:
  using Parameter = method::Parameter;
  template <class T> using Map = std::map<std::string, T>;
  /// `document` may be null where the request has no SnapshotNumber.
  RequestReader(Params &params, const Document *document) : params_(params), document_(document) {}

  void operator()(llvm::StringRef key, bool &member, const Parameter &parameter = method::optional);
  void operator()(llvm::StringRef key, int64_t &member, const Parameter &parameter = method::optional);
  void operator()(llvm::StringRef key, double &member, const Parameter &parameter = method::optional);
  void operator()(llvm::StringRef key, std::string &member, const Parameter &parameter = method::optional);
  void operator()(llvm::StringRef key, std::vector<int64_t> &member, const Parameter & = method::optional);
  void operator()(llvm::StringRef key, std::vector<std::string> &member, const Parameter & = method::optional);
  void operator()(llvm::StringRef key, Map<int64_t> &member, const Parameter & = method::optional);
  void operator()(llvm::StringRef key, Map<std::string> &member, const Parameter & = method::optional);
  void operator()(llvm::StringRef key, std::vector<message::Note<>> &member, const Parameter & = method::optional);
  /// One of the document's.
  void operator()(llvm::StringRef key, method::SnapshotNumber &member, const Parameter &parameter = method::optional);
  /// None: it is not there.
  template <class T>
  void operator()(llvm::StringRef key, std::optional<T> &member, const Parameter &parameter = method::optional) {
    if (params_.has(key))
      (*this)(key, member.emplace(), parameter);
  }
  template <class Choice, size_t count>
  void choice(llvm::StringRef key, Choice &member, const char *const (&names)[count],
              const Parameter & = method::optional) {
    member = static_cast<Choice>(params_.choice(key, names));
  }

private:
  /// Whether a required parameter is not there, which is an error then. `what` it must be: "an array".
  bool isMissing(llvm::StringRef key, const Parameter &parameter, const char *what);

  Params &params_;
  const Document *document_;
};

} // namespace fuselage
