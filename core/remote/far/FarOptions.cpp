#include "core/remote/far/FarOptions.h"
#include "core/support/Error.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::remote {

std::string encodeFarOptions(const FarOptions &options) {
  return llvm::toHex(compactJson(llvm::json::Object{{"session", options.session},
                                                    {"new", options.isNew},
                                                    {"keep", int64_t(options.keepSeconds)},
                                                    {"cache", int64_t(options.cacheBytes)},
                                                    {"arguments", llvm::json::Array(options.arguments)}}),
                     /*LowerCase=*/true);
}

static bool isSessionName(llvm::StringRef name) {
  constexpr size_t digits = 32;
  return name.size() == digits && llvm::all_of(name, llvm::isHexDigit);
}

llvm::Expected<FarOptions> decodeFarOptions(llvm::StringRef text) {
  std::string json;
  auto wrong = [] { return fail("--far takes what `fuselage remote` on the other machine makes"); };
  if (!llvm::tryGetFromHex(text, json))
    return wrong();
  auto value = llvm::json::parse(json);
  if (!value) {
    llvm::consumeError(value.takeError());
    return wrong();
  }
  const llvm::json::Object *object = value->getAsObject();
  auto session = object ? object->getString("session") : std::nullopt;
  if (!session || !isSessionName(*session))
    return wrong();
  FarOptions options{.session = session->str()};
  options.isNew = object->getBoolean("new").value_or(true);
  options.keepSeconds = static_cast<unsigned>(object->getInteger("keep").value_or(options.keepSeconds));
  options.cacheBytes = static_cast<uint64_t>(object->getInteger("cache").value_or(int64_t(options.cacheBytes)));
  if (const llvm::json::Array *arguments = object->getArray("arguments"))
    for (const llvm::json::Value &argument : *arguments)
      options.arguments.push_back(argument.getAsString().value_or("").str());
  return options;
}

} // namespace fuselage::remote
