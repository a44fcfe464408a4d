#include "app/launch/PtxParameters.h"
#include <cctype>
#include <vector>

namespace fuselage {

static bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

/// The words of a text that are separated by blanks.
static std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    size_t begin = text.find_first_not_of(" \t\r\n", at);
    if (begin == text.npos)
      break;
    at = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

/// The list between the brackets after `.entry NAME`; nullopt where it does not stand there once, without comments.
static std::optional<std::string_view> parametersOf(std::string_view ptx, const std::string &entry) {
  constexpr std::string_view keyword = ".entry";
  std::optional<std::string_view> found;
  for (size_t at = ptx.find(keyword); at != ptx.npos; at = ptx.find(keyword, at + 1)) {
    size_t name = ptx.find_first_not_of(" \t\r\n", at + keyword.size());
    if (name == ptx.npos || ptx.compare(name, entry.size(), entry) != 0)
      continue;
    size_t end = name + entry.size();
    if (end < ptx.size() && isWordPart(ptx[end]))
      continue;
    size_t open = ptx.find_first_not_of(" \t\r\n", end);
    size_t close = open == ptx.npos ? ptx.npos : ptx.find(')', open);
    if (found || close == ptx.npos || ptx[open] != '(')
      return std::nullopt;
    found = ptx.substr(open + 1, close - open - 1);
  }
  return found;
}

Status checkPtxEntry(std::string_view ptx, const std::string &entry, size_t count) {
  const std::string what = "the PTX of kernel '" + entry + "' ";
  // The driver ends the text at a zero; comments could hide what it sees.
  if (ptx.find('\0') != ptx.npos || ptx.find("/*") != ptx.npos)
    return failWith(what + "has a zero or a comment of several lines, which kernels of fuselage's do not have");
  std::string bare;
  for (size_t at = 0; at < ptx.size();) {
    size_t line = std::min(ptx.find('\n', at), ptx.size());
    std::string_view text = ptx.substr(at, line - at);
    bare += text.substr(0, text.find("//"));
    bare += '\n';
    at = line + 1;
  }
  auto list = parametersOf(bare, entry);
  if (!list)
    return failWith(what + "does not have an entry of that name, once");
  size_t parameters = 0;
  for (size_t at = 0; at < list->size();) {
    size_t comma = std::min(list->find(',', at), list->size());
    std::vector<std::string_view> words = wordsOf(list->substr(at, comma - at));
    at = comma + 1;
    if (words.empty())
      continue;
    ++parameters;
    bool isPointer = words.size() >= 3 && words[0] == ".param" && (words[1] == ".u64" || words[1] == ".b64");
    if (!isPointer || words.back().find('[') != std::string_view::npos)
      return failWith(what + "has parameters other than of 64 bits");
  }
  if (parameters != count)
    return failWith(what + "has " + std::to_string(parameters) + " parameters, and the manifest gives it " +
                    std::to_string(count) + " buffers");
  return Status::success();
}

} // namespace fuselage
