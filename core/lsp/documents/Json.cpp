#include "core/lsp/documents/Json.h"
#include <algorithm>
#include <climits>

namespace fuselage::lsp {

using llvm::json::Object;
using llvm::json::Value;

Value toJSON(Position position) { return Object{{"line", position.line}, {"character", position.character}}; }
Value toJSON(Range range) { return Object{{"start", toJSON(range.start)}, {"end", toJSON(range.end)}}; }

static int clamped(int64_t number) { return static_cast<int>(std::clamp<int64_t>(number, 0, INT_MAX)); }

std::optional<Position> positionFrom(const Value *json) {
  const Object *object = json ? json->getAsObject() : nullptr;
  std::optional<int64_t> line = object ? object->getInteger("line") : std::nullopt;
  std::optional<int64_t> character = object ? object->getInteger("character") : std::nullopt;
  if (!line || !character)
    return std::nullopt;
  return Position{clamped(*line), clamped(*character)};
}

std::optional<Range> rangeFrom(const Value *json) {
  const Object *object = json ? json->getAsObject() : nullptr;
  std::optional<Position> start = object ? positionFrom(object->get("start")) : std::nullopt;
  std::optional<Position> end = object ? positionFrom(object->get("end")) : std::nullopt;
  if (!start || !end)
    return std::nullopt;
  return Range{*start, *end};
}

const Object *objectIn(const Value &json, llvm::StringRef name) {
  const Object *object = json.getAsObject();
  return object ? object->getObject(name) : nullptr;
}

llvm::StringRef textIn(const Value &json, llvm::StringRef name) {
  const Object *object = json.getAsObject();
  return object ? object->getString(name).value_or("") : "";
}

llvm::StringRef uriIn(const Value &params) {
  const Object *document = objectIn(params, "textDocument");
  return document ? document->getString("uri").value_or("") : "";
}

} // namespace fuselage::lsp
