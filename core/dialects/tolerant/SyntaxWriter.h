// Makes ops of dialects that we only read: with the text that the reader would have kept of them.
#pragma once
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallString.h"

namespace fuselage {

/// Takes an op's text piece by piece, in the order in which it is written, and with it the operands
/// and attributes that the pieces stand for:
///   SyntaxWriter().operand(tile).text(", ").operand(memory).list("offsets", offsets)...
/// The op is what the universal parser makes of that text (TolerantOp.h), so that it prints as the
/// user writes it and every decoder reads it.
class SyntaxWriter {
public:
  SyntaxWriter();
  /// Literal text.
  SyntaxWriter &text(llvm::StringRef literal);
  /// An operand of the group that is named so; operands of one group follow each other.
  SyntaxWriter &operand(mlir::Value value, llvm::StringRef group = "");
  /// `keyword = [%a, 1, %b]`
  SyntaxWriter &list(llvm::StringRef keyword, llvm::ArrayRef<mlir::OpFoldResult> elements);
  /// `{%a, %b}`, nothing without values.
  SyntaxWriter &dimensions(mlir::ValueRange values);
  SyntaxWriter &type(mlir::Type type);
  /// An attribute under its key, printed.
  SyntaxWriter &attribute(llvm::StringRef key, mlir::Attribute attribute);

  /// The op at the insertion point. The dialect has to be loaded.
  mlir::Operation *create(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                          mlir::TypeRange results = {});

private:
  void placeholder(char kind, unsigned number);

  struct Group {
    std::string name;
    unsigned first, count;
  };
  llvm::SmallString<128> text_;
  llvm::SmallVector<Group, 4> groups_;
  bool isGroupClosed_ = false; ///< the next operand starts another group, of whatever name
  llvm::SmallVector<mlir::Value, 8> operands_;
  llvm::SmallVector<std::pair<std::string, mlir::Attribute>, 4> attributes_;
  llvm::SmallVector<std::pair<std::string, llvm::SmallVector<int64_t>>, 4> numbers_; ///< of lists
  llvm::SmallVector<mlir::Attribute, 2> units_;
};

} // namespace fuselage
