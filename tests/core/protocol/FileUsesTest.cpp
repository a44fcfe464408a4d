// Every parameter that names a file says how it is used (method::FileUse): a remote engine sees other files than its
// client, and `fuselage remote` carries over only what is marked.
#include "core/protocol/methods/AllMethods.h"
#include <gtest/gtest.h>
#include <set>

namespace fuselage::method {
namespace {

/// Texts that name no file, by their keys. A key of a new parameter belongs here, or the parameter has a mark.
const std::set<std::string, std::less<>> kNoFiles = {
    "action",   "arguments", "baseline",      "breakpoints", "caches",         "chip",          "command", "dispatch",
    "document", "entry",     "fixed",         "format",      "function",       "goals",         "kinds",   "knobs",
    "known",    "name",      "sizedFunction", "moved",       "objective",      "options",       "passes",  "pattern",
    "payload",  "point",     "policy",        "reason",      "schedule_entry", "schedule_name", "status",  "strategy",
    "target",   "text",      "told",          "tool",        "values",
};

/// Of a request, the texts without a mark; by method where a key means a file elsewhere.
class UnmarkedTexts {
public:
  explicit UnmarkedTexts(std::string method) : method_(std::move(method)) {}
  template <class T> void operator()(std::string_view key, const T &, const Parameter &parameter = optional) {
    constexpr bool hasText = std::is_same_v<T, std::string> || std::is_same_v<T, std::optional<std::string>> ||
                             std::is_same_v<T, std::vector<std::string>> ||
                             std::is_same_v<T, std::map<std::string, std::string>> ||
                             std::is_same_v<T, std::optional<std::map<std::string, std::string>>>;
    if (hasText)
      keys.insert(std::string(key));
    if (hasText && parameter.use == FileUse::None && !kNoFiles.count(key) && !isLabel(key))
      unmarked.push_back(method_ + " " + std::string(key));
  }
  template <class... Arguments> void choice(const Arguments &...) {}

  std::vector<std::string> unmarked;
  std::set<std::string> keys;

private:
  /// What a text is called that is part of the request.
  bool isLabel(std::string_view key) const {
    return (method_ == "schedule/write" && key == "path") || (method_ == "tune/worker" && key == "schedule");
  }
  std::string method_;
};

TEST(FileUses, EveryTextNamesAFileOrIsKnownNotTo) {
  std::set<std::string> keys;
  AllMethods::forEach([&]<class M>() {
    UnmarkedTexts texts(M::name);
    RequestOf<M>().fields(texts);
    for (const std::string &text : texts.unmarked)
      ADD_FAILURE() << text << " is a text: mark it with .file(FileUse::..), or add its key to those that name no file";
    keys.merge(texts.keys);
  });
  for (const std::string &key : kNoFiles)
    EXPECT_TRUE(keys.count(key)) << "no text is called " << key;
}

} // namespace
} // namespace fuselage::method
