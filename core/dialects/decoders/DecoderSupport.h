// What decoders share. Every function reads the universal parser's form of an op (TolerantOp.h) and
// MLIR's generic form alike.
#pragma once
#include "core/dialects/decoders/Decoders.h"

namespace fuselage {

/// "128x?x768"; empty for rank 0.
std::string shapeText(llvm::ArrayRef<int64_t> extents);

/// A number that is known: an integer attribute, or a value that a constant op defines.
std::optional<int64_t> knownSize(mlir::OpFoldResult value);

/// The op's symbol name, or empty.
std::string symbolOf(mlir::Operation *op);

/// The first symbol reference among the op's attributes, lists of them included; null if none.
mlir::SymbolRefAttr firstSymbolRef(mlir::Operation *op);
/// "executable::entry" of @executable::@entry.
std::string spell(mlir::SymbolRefAttr symbol);

/// How many leading operands are the workload of a dispatch, `[%x, %y](...)`.
unsigned workloadOf(mlir::Operation *op);

/// Operands that are written together: by the group's number in the universal parser's form
/// (groups without a keyword only), by `operandSegmentSizes` in the generic one.
mlir::OperandRange operandGroup(mlir::Operation *op, unsigned number);

/// `offsets`, `sizes` and `strides`. In the generic form: `static_offsets` and so on, with the values
/// in the last three operand segments.
void readSlice(mlir::Operation *op, TileAccess &tile);

/// Fills in `tileType` of an access whose moved value has the type `moved` (null: it is the whole
/// tensor), and writes "load 32x128 of 4096x2048" with the given verb.
std::string describeTile(TileAccess &tile, mlir::Type moved, llvm::StringRef verb, llvm::StringRef otherwise = "");

} // namespace fuselage
