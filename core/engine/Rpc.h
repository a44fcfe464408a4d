// What a method sees of the protocol: its parameters, and how it refuses.
#pragma once
#include "core/support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <vector>

namespace fuselage {

/// The codes of PROTOCOL.md.
enum class RpcCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  Failed = -32000,
  Cancelled = -32800,
};

/// An error reply other than `Failed`, which any Failure becomes.
class RpcError : public llvm::ErrorInfo<RpcError> {
public:
  static char ID;
  RpcCode code;
  std::string message;
  RpcError(RpcCode code, std::string message) : code(code), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// An error reply that a copy of the process has made.
class CopiedError : public llvm::ErrorInfo<CopiedError> {
public:
  static char ID;
  llvm::json::Value reply;
  explicit CopiedError(llvm::json::Value reply) : reply(std::move(reply)) {}
  void log(llvm::raw_ostream &os) const override { os << reply; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// The `error` member of a reply.
llvm::json::Value errorToJSON(llvm::Error error);

/// Reads parameters; remembers the first that is missing or wrong, and goes on with a default, so
/// that RequestReader reads all of them and then asks once.
class Params {
public:
  /// `value` must outlive this; anything but an object or null is an error.
  explicit Params(const llvm::json::Value &value);

  /// Whether it is there, and not null.
  bool has(llvm::StringRef name) const;
  std::string string(llvm::StringRef name);
  std::string string(llvm::StringRef name, llvm::StringRef fallback);
  int64_t integer(llvm::StringRef name, int64_t min, int64_t max);
  int64_t integer(llvm::StringRef name, int64_t min, int64_t max, int64_t fallback);
  double real(llvm::StringRef name, double min, double max, double fallback);
  bool boolean(llvm::StringRef name, bool fallback);
  /// In their order, with repetitions.
  std::vector<int64_t> integers(llvm::StringRef name);
  std::vector<std::string> strings(llvm::StringRef name);
  /// Null where it is not there.
  const llvm::json::Array *array(llvm::StringRef name);
  /// One of `choices`, by index; the first is the default.
  unsigned choice(llvm::StringRef name, llvm::ArrayRef<const char *> choices);
  std::map<std::string, int64_t> sizes(llvm::StringRef name);
  /// An object of strings; numbers and booleans count as their text.
  std::map<std::string, std::string> texts(llvm::StringRef name);

  /// The parameter is not what it must be.
  void complain(llvm::StringRef name, const llvm::Twine &what);
  /// An InvalidParams error if any was bad.
  llvm::Error check();

private:
  const llvm::json::Value *find(llvm::StringRef name) const;

  const llvm::json::Object *object_ = nullptr;
  std::string problem_;
};

/// The error of a parameter that is not what it must be.
llvm::Error badParameter(llvm::StringRef name, const llvm::Twine &what);
/// The same, unless the number is from `min` to `max`.
llvm::Error checkRange(llvm::StringRef name, int64_t number, int64_t min, int64_t max);

} // namespace fuselage
