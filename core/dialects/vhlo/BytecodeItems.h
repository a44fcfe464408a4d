// What the bytecode readers of these dialects have in common. Internal.
#pragma once
#include "core/dialects/vhlo/HloAttributes.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include <optional>

namespace fuselage {

/// Takes lists off a reader. MLIR's own readList() reserves what the file claims; this believes only what is there.
template <typename Item, typename Read>
mlir::LogicalResult readItems(mlir::DialectBytecodeReader &reader, llvm::SmallVectorImpl<Item> &items, Read read) {
  uint64_t count = 0;
  if (failed(reader.readVarInt(count)))
    return mlir::failure();
  for (uint64_t i = 0; i < count; ++i) {
    Item item{};
    if (failed(read(item)))
      return mlir::failure();
    items.push_back(std::move(item));
  }
  return mlir::success();
}

inline mlir::LogicalResult readIntegers(mlir::DialectBytecodeReader &reader, llvm::SmallVectorImpl<int64_t> &integers) {
  return readItems(reader, integers, [&](int64_t &integer) { return reader.readSignedVarInt(integer); });
}

inline mlir::LogicalResult readTypes(mlir::DialectBytecodeReader &reader, llvm::SmallVectorImpl<mlir::Type> &types) {
  return readItems(reader, types, [&](mlir::Type &type) { return reader.readType(type); });
}

inline mlir::LogicalResult readAttributes(mlir::DialectBytecodeReader &reader,
                                          llvm::SmallVectorImpl<mlir::Attribute> &attributes) {
  return readItems(reader, attributes, [&](mlir::Attribute &attribute) { return reader.readAttribute(attribute); });
}

/// Null, with an error, for a value that has no word.
mlir::Attribute readHloEnum(mlir::DialectBytecodeReader &reader, llvm::StringRef dialect, HloEnum kind);
mlir::Attribute readOutputOperandAlias(mlir::DialectBytecodeReader &reader);
mlir::Attribute readBounds(mlir::DialectBytecodeReader &reader);
/// `!stablehlo.future<tensor<4xf32>>`
mlir::Type readFuture(mlir::DialectBytecodeReader &reader);
mlir::Attribute readSubAxis(mlir::DialectBytecodeReader &reader);
mlir::Attribute readResultAccuracy(mlir::DialectBytecodeReader &reader);

/// The members of `#stablehlo.gather<..>` and so on, each a list or a number, in the order of the bytecode.
struct StructMember {
  llvm::StringRef name;
  bool isNumber = false;
};
mlir::Attribute readHloStruct(mlir::DialectBytecodeReader &reader, llvm::StringRef name,
                              llvm::ArrayRef<StructMember> members);

/// The version that a dialect of these writes, if it does.
struct PortableVersion : mlir::DialectVersion {
  uint64_t major = 0, minor = 0, patch = 0;
};
std::unique_ptr<mlir::DialectVersion> readPortableVersion(mlir::DialectBytecodeReader &reader);

/// The types and attributes of VHLO, as those of builtin and StableHLO that they stand for.
std::unique_ptr<mlir::BytecodeDialectInterface> vhloBytecode(mlir::Dialect *dialect);
/// The few that StableHLO and CHLO encode; others are text in the bytecode.
std::unique_ptr<mlir::BytecodeDialectInterface> stableHloBytecode(mlir::Dialect *dialect);
std::unique_ptr<mlir::BytecodeDialectInterface> chloBytecode(mlir::Dialect *dialect);
/// For a dialect whose encoding is not known: its attributes are read as `#sdy.unread`.
std::unique_ptr<mlir::BytecodeDialectInterface> unreadBytecode(mlir::Dialect *dialect);

mlir::Attribute readVhloAttribute(mlir::DialectBytecodeReader &reader);
mlir::Type readVhloType(mlir::DialectBytecodeReader &reader);

} // namespace fuselage
