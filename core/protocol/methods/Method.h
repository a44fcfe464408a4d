// How the engine's methods are described: each once, by its name, its request and its reply.
//
//   struct TextLines {
//     static constexpr const char *name = "text/lines";
//     static constexpr Needs needs = Needs::Document;
//     template <class Types = StdTypes> struct Request {
//       SnapshotNumber snapshot;
//       Int64<Types> first = 0;
//       template <class Visitor> void fields(Visitor &visit) {
//         visit("snapshot", snapshot, required);
//         visit("first", first, required.range(0, INT32_MAX));
//       }
//     };
//     template <class Types> using Reply = message::TextLines<Types>;
//   };
//
// The engine reads requests (core/engine/RequestReader.h) and the window writes them (app/bridge/RequestWriter.h) by
// fields(); core/engine/PROTOCOL.md, the methods of the Python client and the tests of all messages are made of the
// list in AllMethods.h. Beside members, a visitor takes choice(), an enum by its names.
//
// The conventions, for every request:
//  - What is missing or null keeps the member's default; a required parameter that is missing is an error.
//  - What is of another type, or out of its range, is an error that names the parameter (code -32602).
//  - Keys that nobody knows are passed over.
//  - A client leaves out what is not required and has its default.
//  - A range that depends on the document (lines, ids, steps) is checked by the method.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <limits>
#include <optional>

namespace fuselage::method {

using message::Int64;
using message::List;
using message::Map;
using message::Numbers;
using message::StdTypes;
using message::Text;
using message::Texts;

/// How a method uses the files that a parameter names. `fuselage remote`, whose engine sees other files than the
/// client, carries them over and back by it; a parameter that names none says nothing.
enum class FileUse {
  None,
  Reads,      ///< a file, a folder with all in it, or a list of them
  ReadsAlone, ///< a file that is read unless the request has its `text`
  Writes,     ///< a file that the method writes
  Updates,    ///< a file that is read and then written, possibly after the reply
  Arrays,     ///< a folder, of which .npy files are read
  Inputs,     ///< values by name: "@" and the path of a file that is read, or a word
  Weights,    ///< an object whose keys are files that are read
  Device,     ///< the id of a device, or a device file that is read
  Library,    ///< a tuning library that is read, or "none"; missing: the user's own
  Pipeline,   ///< a pipeline, whose passes may have options that name files
  Lessons,    ///< folders and archives of lessons, which stay with the client
};

/// What the engine demands of a parameter, and what the protocol's page says of it.
struct Parameter {
  bool isRequired = false;
  int64_t min = std::numeric_limits<int64_t>::min(), max = std::numeric_limits<int64_t>::max(); ///< of whole numbers
  double least = 0, most = 0;                                                                   ///< of real numbers
  const char *about = "";
  FileUse use = FileUse::None;

  constexpr Parameter range(int64_t from, int64_t to) const {
    Parameter result = *this;
    result.min = from;
    result.max = to;
    return result;
  }
  constexpr Parameter reals(double from, double to) const {
    Parameter result = *this;
    result.least = from;
    result.most = to;
    return result;
  }
  /// Markdown, without a full stop; lower case.
  constexpr Parameter doc(const char *text) const {
    Parameter result = *this;
    result.about = text;
    return result;
  }
  constexpr Parameter file(FileUse how) const {
    Parameter result = *this;
    result.use = how;
    return result;
  }
};
inline constexpr Parameter required{.isRequired = true}, optional{};

/// The text of a default.
template <class Types> Text<Types> textOf(const char *latin) {
  if constexpr (requires { Text<Types>::fromLatin1(latin); })
    return Text<Types>::fromLatin1(latin);
  else
    return latin;
}

/// The number of a snapshot of the open document; the engine refuses others.
struct SnapshotNumber {
  int number = 0;
  constexpr SnapshotNumber(int number = 0) : number(number) {}
  constexpr operator int() const { return number; }
};

/// What has to be there before a method is called.
enum class Needs {
  Nothing,
  Document, ///< an open document
  Ops,      ///< the ops of the request's `snapshot`
};

struct NoParameters {
  template <class Visitor> void fields(Visitor &) {}
};

/// A reply that core writes and clients read by hand, as PROTOCOL.md describes it: too large, or too dense, for fields.
struct WrittenByHand {};

/// What `Writer`, made from all that a request without anything set has, takes of a request: only what is required or
/// differs from its default. Each side has a Writer for its own JSON.
template <class Writer, class Request> auto writeRequest(const Request &request) {
  Request unset;
  Writer defaults{{}};
  unset.fields(defaults);
  Writer writer(defaults.take());
  const_cast<Request &>(request).fields(writer); // one fields() for readers and writers; these only look
  return writer.take();
}

template <class Method, class Types = StdTypes> using RequestOf = typename Method::template Request<Types>;
template <class Method, class Types = StdTypes> using ReplyOf = typename Method::template Reply<Types>;

} // namespace fuselage::method
