// What a document answers to the questions of an editor, as the results of LSP's requests.
#pragma once
#include "core/lsp/documents/Documents.h"
#include "core/lsp/documents/Json.h"

namespace fuselage::lsp {

/// The fact on the op whose name stands there; null: there is none. `op`: of document.names().ops.
const OpFact *factOf(const OpenDocument &document, const TextOp &op);

/// textDocument/publishDiagnostics without the URI. What is no error of MLIR as of today, such as an op of a dialect
/// that nobody here knows, is a hint.
llvm::json::Array diagnosticsOf(const OpenDocument &document);
llvm::json::Value hoverAt(const OpenDocument &document, Position position);
/// Modules and functions with the layers and dispatches in them, once these are known.
llvm::json::Array symbolsOf(const OpenDocument &document);
/// Symbols whose name has all letters of the query in their order.
void appendWorkspaceSymbols(const OpenDocument &document, llvm::StringRef query, llvm::json::Array &symbols);
/// "3 dispatches, 2 missed: open", "run" and "fuse all" above each function that has dispatches, and "run canonicalize"
/// above a RUN line.
llvm::json::Array lensesOf(const OpenDocument &document);
/// At the ends of lines: the dispatch of an op, and what reads it through memory although it could do without.
llvm::json::Array hintsIn(const OpenDocument &document, Range range);
/// "Fuse ..", "Why is .. not fused?" on the lines of a range, "Normalize to linalg", and to normal forms.
llvm::json::Array actionsIn(const OpenDocument &document, Range range);

/// A Command of LSP; llvm::json keeps no copy of what a StringRef says.
llvm::json::Object commandObject(std::string title, llvm::StringRef name, llvm::json::Array arguments);
/// Lenses above RUN lines, by the text alone.
void appendRunLenses(const OpenDocument &document, llvm::json::Array &lenses);
/// The passes of a RUN line, and what they do; nothing: there is none.
std::optional<llvm::json::Value> hoverOfRunLine(const OpenDocument &document, Position position);

llvm::json::Value definitionAt(const OpenDocument &document, Position position);
llvm::json::Array referencesAt(const OpenDocument &document, Position position, bool withDefinition);
llvm::json::Array highlightsAt(const OpenDocument &document, Position position);
/// Null: nothing there can be renamed.
llvm::json::Value renamable(const OpenDocument &document, Position position);
/// A WorkspaceEdit. Failure: the name is none, or taken.
llvm::Expected<llvm::json::Value> rename(const OpenDocument &document, Position position, llvm::StringRef name);

llvm::json::Array foldsOf(const OpenDocument &document);
llvm::json::Value semanticTokensOf(const OpenDocument &document, std::optional<Range> range);

/// Edits that make the text of the document another one: the lines between those that stay the same at both ends.
llvm::json::Array editsTo(const OpenDocument &document, llvm::StringRef text);

} // namespace fuselage::lsp
