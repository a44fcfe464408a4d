// Puts an op's syntax template together while it is read.
#pragma once
#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// The text between placeholders is copied without comments, and with lines relative to the op's.
class SyntaxBuilder {
public:
  /// `begin`: after the op's name. `indent`: of the line that the op starts on.
  SyntaxBuilder(const char *begin, unsigned indent) : done_(begin), indent_(indent) {}

  /// The text up to `begin` is literal, what follows up to `end` is one thing.
  void placeholder(const char *begin, const char *end, char kind, unsigned number);
  /// The same where its end is unknown, but the next token starts at `next`.
  void placeholderBefore(const char *begin, const char *next, char kind, unsigned number);
  /// The text up to the token at `next` is literal, and the op ends.
  void finish(const char *next);
  /// The text has no template.
  void giveUp() { failed_ = true; }
  unsigned addUnit(mlir::Attribute unit);

  llvm::StringRef text() const { return failed_ ? llvm::StringRef() : text_.str(); }
  llvm::ArrayRef<mlir::Attribute> units() const { return units_; }

private:
  void literal(const char *end);

  const char *done_;
  unsigned indent_;
  bool failed_ = false;
  llvm::SmallString<128> text_;
  llvm::SmallVector<mlir::Attribute, 2> units_;
};

} // namespace fuselage
