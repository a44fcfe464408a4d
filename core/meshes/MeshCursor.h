// Reads the texts of shardings, token by token. Internal.
#pragma once
#include "core/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace fuselage {

class MeshCursor {
public:
  explicit MeshCursor(llvm::StringRef text) : whole_(text), text_(text) { skip(); }

  bool atEnd() const { return text_.empty(); }
  bool isAt(llvm::StringRef token) const { return text_.starts_with(token); }
  /// Moves past the token, if it is next.
  bool take(llvm::StringRef token);
  /// A number without sign, at most 2^31.
  std::optional<int64_t> number();
  /// `"name"`, with MLIR's escapes; nullopt also where it does not end.
  std::optional<std::string> string();
  /// `name` or `@name` or `@"name"`, without the sign.
  std::optional<std::string> word();
  /// `1, 2, 3` up to `close`, which is taken.
  llvm::Expected<std::vector<int64_t>> numbersTo(llvm::StringRef close);
  llvm::StringRef rest() const { return text_; }
  /// Says what was expected, and where.
  llvm::Error expected(llvm::StringRef what) const;

private:
  void skip() { text_ = text_.ltrim(); }

  llvm::StringRef whole_, text_;
};

} // namespace fuselage
