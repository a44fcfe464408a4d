#include "core/remote/files/PathMap.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::remote {

using llvm::StringRef;

static constexpr size_t mostDigits = 9;

FarPlace PathMap::placeOf(StringRef path) {
  const StringRef whole = path.rtrim('/');
  const StringRef slashes = path.drop_front(whole.size());
  const size_t slash = whole.rfind('/');
  const StringRef folder = whole.take_front(slash == StringRef::npos ? 0 : slash + 1);
  StringRef name = whole.drop_front(folder.size());
  std::lock_guard lock(mutex_);
  // What ends in "..", or is "/", has no name of its own: its number is of itself.
  const bool isNameless = name.empty() || name == "." || name == "..";
  const std::string key = isNameless ? (whole + "/").str() : folder.str();
  auto [entry, isNew] = numbers_.try_emplace(key, folders_.size());
  if (isNew)
    folders_.push_back(key);
  std::string at = std::to_string(entry->second);
  if (!isNameless)
    at += "/" + name.str();
  return {.at = at, .path = token_ + "/" + at + slashes.str()};
}

void PathMap::setFarFolder(std::string folder) {
  std::lock_guard lock(mutex_);
  farFolder_ = std::move(folder);
}

std::string PathMap::farFolder() const {
  std::lock_guard lock(mutex_);
  return farFolder_;
}

std::string PathMap::localFor(size_t number, bool hasSlash) const {
  const std::string &folder = folders_[number];
  if (hasSlash)
    return folder;
  return folder.empty() ? "." : folder == "/" ? folder : folder.substr(0, folder.size() - 1);
}

/// The text as a part of a JSON string.
static std::string insideJson(const std::string &text) {
  std::string quoted = compactJson(text);
  return quoted.substr(1, quoted.size() - 2);
}

std::string PathMap::toLocal(StringRef text, bool isJson) const {
  std::lock_guard lock(mutex_);
  if (farFolder_.empty())
    return text.str();
  const std::string prefix = (isJson ? insideJson(farFolder_) : farFolder_) + "/";
  std::string result;
  for (size_t found; (found = text.find(prefix)) != StringRef::npos;) {
    result += text.take_front(found);
    StringRef rest = text.drop_front(found + prefix.size());
    const StringRef digits = rest.take_while(llvm::isDigit).take_front(mostDigits);
    size_t number = 0;
    if (digits.getAsInteger(10, number) || number >= folders_.size()) {
      result += prefix;
      text = rest;
      continue;
    }
    rest = rest.drop_front(digits.size());
    const bool hasSlash = rest.consume_front("/");
    const std::string local = localFor(number, hasSlash);
    result += isJson ? insideJson(local) : local;
    text = rest;
  }
  if (result.empty())
    return text.str();
  result += text;
  return result;
}

size_t PathMap::longestMatch() const {
  std::lock_guard lock(mutex_);
  return farFolder_.size() + mostDigits + 2;
}

} // namespace fuselage::remote
