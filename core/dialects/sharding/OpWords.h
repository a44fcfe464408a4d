// What an op says, whether a dialect defines it, it is read tolerantly, or it stands in MLIR's generic form. Internal.
#pragma once
#include "mlir/IR/Operation.h"
#include <string>

namespace fuselage {

/// The op's namespace and name as users write them, "sdy.all_gather".
std::string writtenName(mlir::Operation *op);

/// The attribute of this name; null if it has none.
mlir::Attribute attributeOf(mlir::Operation *op, llvm::StringRef name);
/// The same, printed; empty if it has none.
std::string attributeText(mlir::Operation *op, llvm::StringRef name);
std::optional<int64_t> integerOf(mlir::Operation *op, llvm::StringRef name);

/// What stands after `key =` in the op's own form, up to the end of the text, or else the attribute, printed; empty:
/// the op does not say it.
std::string wordsAfter(mlir::Operation *op, llvm::StringRef key);
/// The op's own form after its name: \x01 begins a placeholder; empty in generic form.
llvm::StringRef ownForm(mlir::Operation *op);
/// What stands before the first operand.
llvm::StringRef beforeOperands(mlir::Operation *op);
/// What stands after the first operand.
llvm::StringRef afterOperand(mlir::Operation *op);

/// Whether it calls `Sharding`, which gives a value a sharding.
bool isShardingCall(mlir::Operation *op);

std::string textOf(mlir::Attribute attribute);

} // namespace fuselage
