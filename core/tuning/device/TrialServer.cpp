#include "core/tuning/device/TrialServer.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/protocol/methods/TuneMethods.h"
#include "core/tuning/device/TrialMessages.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::tune {

namespace json = llvm::json;

static llvm::Expected<json::Object> answerTo(PointTrials &trials, const json::Object &request) {
  if (request.getString("method") == method::OpenWorker::name) {
    auto device = trials.device();
    if (!device)
      return device.takeError();
    return message::encode(deviceMessage(*device));
  }
  const json::Object *params = request.getObject("params");
  TrialRequest wanted = params ? decodeRequest(*params) : TrialRequest();
  if (request.getString("method") == kPrepareMethod) {
    auto failed = trials.prepare(wanted);
    if (!failed)
      return failed.takeError();
    return *failed ? message::encode(resultMessage(**failed, trials.isSpent())) : json::Object{{"prepared", true}};
  }
  auto measured = trials.measure(wanted);
  if (!measured)
    return measured.takeError();
  return message::encode(resultMessage(*measured, trials.isSpent()));
}

Serve serveTrials(const TuneSubject &subject) {
  auto trials = std::make_shared<PointTrials>(subject);
  return [trials](const std::string &text) {
    auto request = json::parse(text);
    const json::Object *object = request ? request->getAsObject() : nullptr;
    if (!request)
      llvm::consumeError(request.takeError());
    json::Object reply{{"jsonrpc", "2.0"}, {"id", object ? object->getInteger("id").value_or(0) : 0}};
    auto result = answerTo(*trials, object ? *object : json::Object());
    if (result)
      reply["result"] = std::move(*result);
    else
      reply["error"] = json::Object{{"message", json::fixUTF8(takeFailure(result.takeError()).message)}};
    return llvm::formatv("{0}", json::Value(std::move(reply))).str();
  };
}

} // namespace fuselage::tune
