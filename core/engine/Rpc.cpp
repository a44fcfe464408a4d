#include "core/engine/Rpc.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/protocol/json/JsonWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

char RpcError::ID = 0;
char CopiedError::ID = 0;

llvm::json::Value errorToJSON(llvm::Error error) {
  RpcCode code = RpcCode::Failed;
  message::Error<> reply;
  std::optional<llvm::json::Value> copied;
  llvm::handleAllErrors(
      std::move(error),
      [&](const RpcError &rpc) {
        code = rpc.code;
        reply.message = rpc.message;
      },
      [&](const Failure &failure) {
        reply.message = failure.message;
        reply.diagnostics = message::messagesOf(failure.diagnostics);
      },
      [&](const CopiedError &error) { copied = error.reply; },
      [&](const llvm::ErrorInfoBase &other) { reply.message = other.message(); });
  if (copied)
    return std::move(*copied);
  reply.code = static_cast<int>(code);
  return message::encode(reply);
}

Params::Params(const llvm::json::Value &value) : object_(value.getAsObject()) {
  if (!object_ && value.kind() != llvm::json::Value::Null)
    problem_ = "params must be an object";
}

const llvm::json::Value *Params::find(llvm::StringRef name) const {
  const llvm::json::Value *value = object_ ? object_->get(name) : nullptr;
  return value && value->kind() != llvm::json::Value::Null ? value : nullptr;
}

static std::string problemOf(llvm::StringRef name, const llvm::Twine &what) {
  return ("parameter '" + name + "' " + what).str();
}

void Params::complain(llvm::StringRef name, const llvm::Twine &what) {
  if (problem_.empty())
    problem_ = problemOf(name, what);
}

bool Params::has(llvm::StringRef name) const {
  const llvm::json::Value *value = find(name);
  return value && value->kind() != llvm::json::Value::Null;
}

std::string Params::string(llvm::StringRef name) {
  if (!find(name))
    complain(name, "is missing; it must be a string");
  return string(name, "");
}

std::string Params::string(llvm::StringRef name, llvm::StringRef fallback) {
  const llvm::json::Value *value = find(name);
  if (!value)
    return fallback.str();
  if (auto text = value->getAsString()) {
    if (!text->contains('\0'))
      return text->str();
    complain(name, "must not hold a zero byte");
  } else
    complain(name, "must be a string");
  return fallback.str();
}

static std::string rangeProblem(int64_t number, int64_t min, int64_t max) {
  if (max < min)
    return "has nothing to choose from";
  return ("is " + llvm::Twine(number) + ", but must be from " + llvm::Twine(min) + " to " + llvm::Twine(max)).str();
}

int64_t Params::integer(llvm::StringRef name, int64_t min, int64_t max) {
  if (!find(name))
    complain(name, "is missing; it must be an integer");
  return integer(name, min, max, min);
}

int64_t Params::integer(llvm::StringRef name, int64_t min, int64_t max, int64_t fallback) {
  const llvm::json::Value *value = find(name);
  if (!value)
    return fallback;
  std::optional<int64_t> number = value->getAsInteger();
  if (number && *number >= min && *number <= max)
    return *number;
  complain(name, number ? rangeProblem(*number, min, max) : "must be an integer");
  return fallback;
}

double Params::real(llvm::StringRef name, double min, double max, double fallback) {
  const llvm::json::Value *value = find(name);
  if (!value)
    return fallback;
  if (auto number = value->getAsNumber(); number && *number >= min && *number <= max)
    return *number;
  complain(name, llvm::formatv("must be a number from {0} to {1}", min, max).str());
  return fallback;
}

bool Params::boolean(llvm::StringRef name, bool fallback) {
  const llvm::json::Value *value = find(name);
  if (!value)
    return fallback;
  if (auto flag = value->getAsBoolean())
    return *flag;
  complain(name, "must be true or false");
  return fallback;
}

std::vector<int64_t> Params::integers(llvm::StringRef name) {
  std::vector<int64_t> result;
  const llvm::json::Value *value = find(name);
  if (!value)
    return result;
  const llvm::json::Array *array = value->getAsArray();
  if (!array) {
    complain(name, "must be an array of integers");
    return result;
  }
  for (const llvm::json::Value &element : *array) {
    if (auto number = element.getAsInteger())
      result.push_back(*number);
    else
      complain(name, "must hold integers only");
  }
  return result;
}

const llvm::json::Array *Params::array(llvm::StringRef name) {
  const llvm::json::Value *value = find(name);
  const llvm::json::Array *array = value ? value->getAsArray() : nullptr;
  if (value && !array)
    complain(name, "must be an array");
  return array;
}

std::vector<std::string> Params::strings(llvm::StringRef name) {
  std::vector<std::string> result;
  const llvm::json::Value *value = find(name);
  if (!value)
    return result;
  const llvm::json::Array *array = value->getAsArray();
  if (!array) {
    complain(name, "must be an array of strings");
    return result;
  }
  for (const llvm::json::Value &element : *array) {
    if (auto text = element.getAsString())
      result.push_back(text->str());
    else
      complain(name, "must hold strings only");
  }
  return result;
}

unsigned Params::choice(llvm::StringRef name, llvm::ArrayRef<const char *> choices) {
  std::string wanted = string(name, choices.front());
  for (unsigned i = 0; i < choices.size(); ++i)
    if (choices[i] == wanted)
      return i;
  complain(name, "must be one of " + llvm::join(choices, ", "));
  return 0;
}

std::map<std::string, int64_t> Params::sizes(llvm::StringRef name) {
  std::map<std::string, int64_t> result;
  const llvm::json::Value *value = find(name);
  if (!value)
    return result;
  const llvm::json::Object *object = value->getAsObject();
  if (!object) {
    complain(name, "must be an object of sizes");
    return result;
  }
  for (const auto &[key, size] : *object) {
    auto number = size.getAsInteger();
    if (number && *number >= 0)
      result[key.str()] = *number;
    else
      complain(name, "must hold whole numbers from 0 on");
  }
  return result;
}

std::map<std::string, std::string> Params::texts(llvm::StringRef name) {
  std::map<std::string, std::string> result;
  const llvm::json::Value *value = find(name);
  if (!value)
    return result;
  const llvm::json::Object *object = value->getAsObject();
  if (!object) {
    complain(name, "must be an object of strings");
    return result;
  }
  for (const auto &[key, text] : *object) {
    std::string &entry = result[key.str()];
    if (auto string = text.getAsString())
      entry = string->str();
    else if (text.getAsNumber() || text.getAsBoolean())
      llvm::raw_string_ostream(entry) << text;
    else
      complain(name, "must hold strings, numbers and booleans only");
  }
  return result;
}

llvm::Error Params::check() {
  if (problem_.empty())
    return llvm::Error::success();
  return llvm::make_error<RpcError>(RpcCode::InvalidParams, problem_);
}

llvm::Error badParameter(llvm::StringRef name, const llvm::Twine &what) {
  return llvm::make_error<RpcError>(RpcCode::InvalidParams, problemOf(name, what));
}

llvm::Error checkRange(llvm::StringRef name, int64_t number, int64_t min, int64_t max) {
  if (number >= min && number <= max)
    return llvm::Error::success();
  return badParameter(name, rangeProblem(number, min, max));
}

} // namespace fuselage
