// How the user wrote an op of a dialect that we only read; and our own dialect, which has it.
#pragma once
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include <memory>

namespace fuselage {

class BlobTable;
class OpRepeats;
class TypeMemory;

/// What a SyntaxAttr says.
struct Syntax {
  /// The text after the op's name: literal, with placeholders. A placeholder is `\x01`, a letter, a
  /// decimal number and `\x02`:
  ///   o3  the name of operand 3          r0  region 0, the arguments of its entry block included
  ///   s1  successor 1                    n0  region 0, its arguments being named in the text
  ///   a2  argument 2 of the region that comes next      u4  unit 4, printed anew
  /// Line breaks are followed by the blanks that the line has beyond the op's own.
  /// Empty: the text has no such form; the op prints generically.
  llvm::StringRef text;
  /// "name:first:count;" for each group of operands.
  llvm::StringRef groups;
  /// The op's attributes, and the types of its operands, results and entry block arguments, when it
  /// was read: where an op has others now, the text no longer says what the op is.
  llvm::ArrayRef<mlir::NamedAttribute> attributes;
  llvm::ArrayRef<mlir::Type> types;
  /// Attributes, and types as TypeAttr, that use aliases; the text would not read back on its own.
  llvm::ArrayRef<mlir::Attribute> units;

  bool operator==(const Syntax &other) const;
};

namespace detail {
struct SyntaxAttrStorage;
}

/// A leaf on purpose: what passes rewrite in an op must not be rewritten here, or nobody would notice.
class SyntaxAttr : public mlir::Attribute::AttrBase<SyntaxAttr, mlir::Attribute, detail::SyntaxAttrStorage> {
public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "fuselage.syntax";
  /// The key on an op.
  static constexpr llvm::StringLiteral key = "fuselage.syntax";

  static SyntaxAttr get(mlir::MLIRContext *context, const Syntax &syntax);
  const Syntax &getSyntax() const;
  /// The op's; null if it has none.
  static SyntaxAttr of(mlir::Operation *op);
};

/// The namespace "fuselage": SyntaxAttr, and the ops "fuselage.gap" and "fuselage.undefined", which
/// have no definition and print in generic form.
class FuselageDialect : public mlir::Dialect {
public:
  explicit FuselageDialect(mlir::MLIRContext *context);
  ~FuselageDialect() override;
  static llvm::StringRef getDialectNamespace() { return "fuselage"; }

  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser, mlir::Type type) const override;
  void printAttribute(mlir::Attribute attribute, mlir::DialectAsmPrinter &printer) const override;
  mlir::LogicalResult verifyOperationAttribute(mlir::Operation *op, mlir::NamedAttribute attribute) override;

  TypeMemory &typeMemory() { return *typeMemory_; }
  BlobTable &blobs() { return *blobs_; }
  /// Of the text that is being parsed; null if it repeats nothing (RepeatScope sets it).
  OpRepeats *repeats() const { return repeats_; }
  void setRepeats(OpRepeats *repeats) { repeats_ = repeats; }

private:
  std::unique_ptr<TypeMemory> typeMemory_;
  std::unique_ptr<BlobTable> blobs_;
  OpRepeats *repeats_ = nullptr;
};

} // namespace fuselage
