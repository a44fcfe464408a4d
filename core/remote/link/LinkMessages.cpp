#include "core/remote/link/LinkMessages.h"
#include "core/support/JsonDepth.h"
#include "core/support/JsonText.h"

namespace fuselage::remote {

namespace json = llvm::json;
using llvm::StringRef;

std::optional<LinkNote> readNote(StringRef text) {
  auto [line, body] = text.split('\n');
  if (jsonDepth(line) > 10)
    return std::nullopt;
  auto value = json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  json::Object *object = value->getAsObject();
  if (!object)
    return std::nullopt;
  return LinkNote{.header = std::move(*object), .body = body};
}

std::string noteText(json::Object header, StringRef body) {
  std::string text = compactJson(std::move(header)) + "\n";
  text += body;
  return text;
}

std::string idOfReply(StringRef message) {
  // As the engine writes replies; see Server::reply().
  if (message.consume_front("{\"id\":"))
    return message.take_front(message.find(",\"jsonrpc\"")).str();
  // Errors, whose members are in the order of their names, are short.
  constexpr size_t longest = size_t(1) << 20;
  if (!message.starts_with("{\"error\"") || message.size() > longest || jsonDepth(message) > 100)
    return "";
  auto value = json::parse(message);
  if (!value) {
    llvm::consumeError(value.takeError());
    return "";
  }
  const json::Object *object = value->getAsObject();
  const json::Value *id = object ? object->get("id") : nullptr;
  return id ? compactJson(*id) : "";
}

} // namespace fuselage::remote
