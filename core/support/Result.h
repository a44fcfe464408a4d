// Errors as values for code that needs nothing of LLVM: the runtime, which fuselage-launch shares with the engine.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace fuselage {

/// How a Status or a Result becomes an error of a library that has types of its own: a specialization has a static
/// from(). ResultErrors.h has those for llvm::Error and llvm::Expected, so that whoever includes it returns a Status
/// where an llvm::Error is expected, and a Result in place of an llvm::Expected.
template <class Error> struct ErrorFrom;

/// Success, or a sentence that says what went wrong, where, and what to do. True if it is a failure, as llvm::Error.
class [[nodiscard]] Status {
public:
  static Status success() { return Status(); }
  static Status failure(std::string message, std::string log) {
    Status status;
    status.failure_ = std::make_unique<Text>(Text{std::move(message), std::move(log)});
    return status;
  }
  explicit operator bool() const { return failure_ != nullptr; }
  /// Empty if it is no failure.
  std::string message() const { return failure_ ? failure_->message : std::string(); }
  /// What a compiler said that led to it; often empty.
  std::string log() const { return failure_ ? failure_->log : std::string(); }

  template <class Error, class = decltype(ErrorFrom<Error>::from(std::declval<Status>()))> operator Error() && {
    return ErrorFrom<Error>::from(std::move(*this));
  }

private:
  struct Text {
    std::string message, log;
  };
  std::unique_ptr<Text> failure_;
};

/// A failure with this sentence.
inline Status failWith(std::string message, std::string log = "") {
  return Status::failure(std::move(message), std::move(log));
}

/// A value, or why there is none. True if there is a value, as llvm::Expected.
template <class T> class [[nodiscard]] Result {
public:
  using value_type = T;
  Result(Status failure) : failure_(std::move(failure)) {}
  template <class U,
            class = std::enable_if_t<std::is_convertible_v<U &&, T> && !std::is_same_v<std::decay_t<U>, Result> &&
                                     !std::is_same_v<std::decay_t<U>, Status>>>
  Result(U &&value) : value_(std::forward<U>(value)) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U &&, T>>> Result(Result<U> &&other) {
    if (other)
      value_.emplace(std::move(*other));
    else
      failure_ = other.takeError();
  }

  explicit operator bool() const { return value_.has_value(); }
  T &operator*() { return *value_; }
  const T &operator*() const { return *value_; }
  T *operator->() { return &*value_; }
  const T *operator->() const { return &*value_; }
  /// Success if there is a value.
  Status takeError() { return std::move(failure_); }
  const Status &error() const { return failure_; }

  template <class Expected, class = decltype(ErrorFrom<Expected>::from(std::declval<Result>()))>
  operator Expected() && {
    return ErrorFrom<Expected>::from(std::move(*this));
  }

private:
  std::optional<T> value_;
  Status failure_;
};

} // namespace fuselage
