#include "core/support/rpc/JsonRpc.h"
#include "core/support/JsonDepth.h"
#include <cmath>

namespace fuselage {

std::optional<RpcMessage> readRpcMessage(llvm::StringRef text, RpcProblem &problem) {
  constexpr int mostNested = 100;
  auto refuse = [&](int code, std::string why) {
    problem = {code, std::move(why)};
    return std::nullopt;
  };
  if (jsonDepth(text) > mostNested)
    return refuse(kRpcParseError, "the message nests too deeply");
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return refuse(kRpcParseError, llvm::toString(json.takeError()));
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return refuse(kRpcInvalidRequest, "a message is an object");
  RpcMessage message;
  message.isAnswer = object->get("result") || object->get("error");
  if (std::optional<llvm::StringRef> method = object->getString("method"))
    message.method = method->str();
  if (const llvm::json::Value *id = object->get("id")) {
    using Kind = llvm::json::Value;
    // A number too large for a double is read as infinite, which JSON cannot say in the reply.
    bool isNumber = id->kind() == Kind::Number && std::isfinite(id->getAsNumber().value_or(0));
    bool isId = isNumber || id->kind() == Kind::String;
    if (!isId && (message.method || !message.isAnswer)) // the answer to what nobody could read has none
      return refuse(kRpcInvalidRequest, "an id is a number or a string");
    if (isId)
      message.id = *id;
  }
  if (const llvm::json::Value *params = object->get("params"))
    message.params = *params;
  return message;
}

} // namespace fuselage
