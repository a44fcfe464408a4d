// MLIR's own parser, as we call it.
#pragma once
#include "core/ir/source/SourceText.h"
#include "core/support/TrialRun.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// Parses text or bytecode; null if it was refused. Locations and diagnostics have `bufferName`.
mlir::OwningOpRef<mlir::ModuleOp> parseBuffer(mlir::MLIRContext &context, llvm::StringRef source,
                                              llvm::StringRef bufferName, bool verify);

/// The same for text only, not verified, and in place: the parser's positions point into `source`.
mlir::OwningOpRef<mlir::ModuleOp> parseInPlace(mlir::MLIRContext &context, const std::string &source,
                                               llvm::StringRef bufferName);

/// An op and where its name starts in the text that it was parsed from.
using OpPlaces = llvm::DenseMap<mlir::Operation *, size_t>;

/// Like parseInPlace, of a copy, which also says where each op stands. Costs more.
mlir::OwningOpRef<mlir::ModuleOp> parseTextWithPlaces(mlir::MLIRContext &context, llvm::StringRef source,
                                                      llvm::StringRef bufferName, OpPlaces &places);

/// What a copy of the process that reads a text of that size may use up.
TrialLimits readingLimits(size_t bytes);

/// Session::parse of a text without a source problem that was split already.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> parseSplits(mlir::MLIRContext &context, llvm::StringRef source,
                                                              llvm::ArrayRef<SourceSplit> splits,
                                                              llvm::StringRef bufferName);

} // namespace fuselage
