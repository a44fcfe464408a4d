#include "core/remote/near/LocalAnswers.h"
#include "core/engine/Engine.h"
#include "core/engine/RequestReader.h"
#include "core/notes/NotesFile.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/protocol/methods/NoteMethods.h"
#include "core/support/JsonText.h"

namespace fuselage::remote {

namespace json = llvm::json;
using llvm::StringRef;

static std::string resultReply(const std::string &id, StringRef result) {
  return "{\"id\":" + id + ",\"jsonrpc\":\"2.0\",\"result\":" + result.str() + "}";
}

std::string errorReply(const std::string &id, int code, StringRef message) {
  json::Object error{{"code", code}, {"message", message}, {"data", json::Object{{"diagnostics", json::Array()}}}};
  return "{\"error\":" + compactJson(std::move(error)) + ",\"id\":" + (id.empty() ? "null" : id) +
         ",\"jsonrpc\":\"2.0\"}";
}

static std::string failureReply(const std::string &id, llvm::Error error) {
  return "{\"error\":" + compactJson(errorToJSON(std::move(error))) + ",\"id\":" + id + ",\"jsonrpc\":\"2.0\"}";
}

std::optional<std::string> LocalAnswers::answer(const std::string &id, StringRef method, json::Value &params) {
  if (method != "lesson/list" && method != "lesson/open")
    return std::nullopt;
  static const MethodTable methods = allMethods();
  Engine engine([](StringRef, json::Value) {});
  Params read(params);
  llvm::Error problem = read.check();
  auto result = problem ? llvm::Expected<std::string>(std::move(problem)) : methods.find(method)->second(engine, read);
  return result ? resultReply(id, *result) : failureReply(id, result.takeError());
}

static std::string textOfMember(const json::Value &params, StringRef key) {
  const json::Object *object = params.getAsObject();
  return object ? object->getString(key).value_or("").str() : std::string();
}

void LocalAnswers::note(const std::string &id, std::string &method, json::Value &params) {
  if (method == "document/open" || method == "tool/start") {
    noted_.insert_or_assign(id, Noted{.meaning = Meaning::Opens, .path = textOfMember(params, "path")});
  } else if (method == "notes/load") {
    noted_.insert_or_assign(id, Noted{.meaning = Meaning::LoadsNotes, .path = ""});
  } else if (method == "notes/save") {
    noted_.insert_or_assign(id, Noted{.meaning = Meaning::SavesNotes, .path = "", .params = std::move(params)});
    method = "notes/load";
    params = json::Object();
  }
}

std::string LocalAnswers::loadedNotes(const std::string &id) const {
  return resultReply(id, compactJson(message::encode(loadNotes(document_))));
}

std::string LocalAnswers::savedNotes(const std::string &id, const json::Value &params) const {
  Params read(params);
  RequestReader reader(read, /*document=*/nullptr);
  method::SaveNotes::Request<> request;
  request.fields(reader);
  if (llvm::Error error = read.check())
    return failureReply(id, std::move(error));
  if (std::string of = request.document.value_or(document_); of != document_)
    return failureReply(id, badParameter("document", "is '" + of + "', and that is not open any more"));
  for (message::Note<> &note : request.notes)
    tidy(note);
  auto saved = saveNotes(document_, std::move(request.notes));
  return saved ? resultReply(id, compactJson(message::encode(*saved))) : failureReply(id, saved.takeError());
}

std::string LocalAnswers::reply(const std::string &id, std::string text, bool isError) {
  auto found = noted_.find(id);
  if (found == noted_.end())
    return text;
  Noted noted = std::move(found->second);
  noted_.erase(found);
  if (isError)
    return text;
  switch (noted.meaning) {
  case Meaning::Opens:
    document_ = noted.path;
    return text;
  case Meaning::LoadsNotes:
    return loadedNotes(id);
  case Meaning::SavesNotes:
    return savedNotes(id, noted.params);
  }
  return text;
}

} // namespace fuselage::remote
