// Reads JSON piece by piece, without a tree of it: a trace may have millions of events.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// A place in a text of JSON. After the first error all calls fail; error() says what and where.
class TraceText {
public:
  explicit TraceText(llvm::StringRef text) : text_(text) {}

  /// The next character that is no blank, without taking it; 0 at the end.
  char peek();
  /// Takes that character if it is `wanted`.
  bool take(char wanted);
  /// The same; another one is an error.
  bool expect(char wanted);
  bool readString(std::string &value);
  /// A number as JSON has it, so neither NaN nor Infinity; one that is too large becomes infinite.
  bool readNumber(double &value);
  /// Goes over a value of any kind. Values nested more than 100 deep are an error.
  bool skipValue();

  size_t offset() const { return at_; }
  bool failed() const { return !error_.empty(); }
  /// The text ended too early: all before may be well.
  bool isCut() const { return isCut_; }
  /// "line 3, column 7 (byte 60): expected a value"
  const std::string &error() const { return error_; }
  /// Makes an error at the place.
  bool fail(const std::string &what);

private:
  bool readEscape(std::string &value);
  bool readHex(unsigned &code);
  bool skipWord(llvm::StringRef word);
  bool skipScalar();
  bool skipKey(char closing);

  llvm::StringRef text_;
  size_t at_ = 0;
  std::string error_;
  bool isCut_ = false;
};

} // namespace fuselage
