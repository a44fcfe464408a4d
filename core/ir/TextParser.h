// MLIR's own parser, as we call it.
#pragma once
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// Parses text or bytecode; null if it was refused. Locations and diagnostics have `bufferName`.
mlir::OwningOpRef<mlir::ModuleOp> parseBuffer(mlir::MLIRContext &context, llvm::StringRef source,
                                              llvm::StringRef bufferName, bool verify);

/// An op and where its name starts in the text that it was parsed from.
using OpPlaces = llvm::DenseMap<mlir::Operation *, size_t>;

/// The same for text only, not verified, which also says where each op stands. Costs more.
mlir::OwningOpRef<mlir::ModuleOp> parseTextWithPlaces(mlir::MLIRContext &context, llvm::StringRef source,
                                                      llvm::StringRef bufferName, OpPlaces &places);

/// The outer module of a split file (see splitModules).
mlir::OwningOpRef<mlir::ModuleOp> createSplitModule(mlir::MLIRContext &context, llvm::StringRef file);

} // namespace fuselage
