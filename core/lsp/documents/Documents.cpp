#include "core/lsp/documents/Documents.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::lsp {

const NameScopes &OpenDocument::names() const {
  if (!names_)
    names_ = findNames(text.text());
  return *names_;
}

void OpenDocument::change(std::optional<Range> range, llvm::StringRef changed, Encoding encoding) {
  if (range)
    text.replace(*range, changed);
  else
    text = TextBuffer(changed.str(), encoding);
  names_.reset();
  facts.reset();
}

std::string pathOfUri(llvm::StringRef uri) {
  llvm::StringRef rest = uri;
  if (!rest.consume_front("file://"))
    return uri.str();
  rest = rest.drop_front(std::min(rest.find('/'), rest.size())); // the host
  std::string path;
  for (size_t at = 0; at < rest.size(); ++at) {
    unsigned code = 0;
    if (rest[at] == '%' && at + 2 < rest.size() && !rest.substr(at + 1, 2).getAsInteger(16, code)) {
      path += static_cast<char>(code);
      at += 2;
    } else {
      path += rest[at];
    }
  }
  return path;
}

std::string uriOfPath(llvm::StringRef path) {
  std::string uri = "file://";
  for (char c : path)
    if (llvm::isAlnum(c) || llvm::StringRef("/-_.~").contains(c))
      uri += c;
    else
      uri += "%" + llvm::toHex(llvm::StringRef(&c, 1));
  return uri;
}

} // namespace fuselage::lsp
