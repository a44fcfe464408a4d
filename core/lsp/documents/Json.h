// Positions of LSP in JSON.
#pragma once
#include "core/lsp/text/TextBuffer.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace fuselage::lsp {

llvm::json::Value toJSON(Position position);
llvm::json::Value toJSON(Range range);
/// Nullopt: it is none. Numbers beyond what an int holds are as far as that goes.
std::optional<Position> positionFrom(const llvm::json::Value *json);
std::optional<Range> rangeFrom(const llvm::json::Value *json);

/// Members of objects that may not be there, or be something else.
const llvm::json::Object *objectIn(const llvm::json::Value &json, llvm::StringRef name);
llvm::StringRef textIn(const llvm::json::Value &json, llvm::StringRef name);
/// `textDocument.uri` of a request's parameters.
llvm::StringRef uriIn(const llvm::json::Value &params);

} // namespace fuselage::lsp
