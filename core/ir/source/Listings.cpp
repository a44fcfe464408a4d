#include "core/ir/source/Listings.h"
#include "core/ir/source/SourceCursor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage {

constexpr unsigned fewestSentences = 3; ///< of a document without fences

/// At least four words of letters, and punctuation as in a sentence.
static bool isSentence(StringRef line) {
  line = line.trim();
  if (line.empty() || line.starts_with("//") || line.find_first_of("%@#{}=<>[]^!\\;|\"") != StringRef::npos)
    return false;
  unsigned words = 0, others = 0;
  llvm::SmallVector<StringRef> pieces;
  line.split(pieces, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef piece : pieces) {
    piece = piece.trim(".,:()?!'`");
    bool isWord =
        !piece.empty() && llvm::all_of(piece, [](char c) { return llvm::isAlpha(c) || c == '\'' || c == '-'; });
    (isWord ? words : others) += 1;
  }
  return words >= 4 && words > others;
}

/// Whether a line starts an op or an alias: `%a = x.op`, `#map = `, `"x.op"(`, `x.func @f`, `module {`.
static bool startsIR(StringRef line) {
  line = line.trim();
  SourceCursor cursor(line);
  const char *at = cursor.begin();
  switch (cursor.peek(at)) {
  case '%': {
    at = cursor.skipValues(at);
    at = cursor.peek(at) == '=' ? cursor.skipBlanks(at + 1) : nullptr;
    return at && (cursor.peek(at) == '"' || kindOf(cursor.peek(at)) == CharKind::Word);
  }
  case '#':
  case '!': {
    const char *nameEnd = cursor.skipSuffix(at + 1);
    return nameEnd > at + 1 && cursor.peek(cursor.skipBlanks(nameEnd)) == '=';
  }
  case '"': {
    const char *end = cursor.skipString(at);
    return cursor.peek(end) == '(' && StringRef(at, end - at).contains('.');
  }
  default:
    break;
  }
  StringRef word(at, cursor.skipWord(at) - at);
  if (word != "module" && word != "func" && !word.contains('.'))
    return false;
  StringRef rest = line.drop_front(word.size()).ltrim();
  for (StringRef visibility : {"public ", "private ", "nested "})
    rest.consume_front(visibility);
  return rest.starts_with("@") || rest.starts_with("{") || rest.starts_with("attributes {") ||
         (word.contains('.') && !word.ends_with(".") && rest.contains(" : ") && rest.contains('%'));
}

/// Whether a line outside of brackets may go on with the op of the one before.
static bool continuesIR(StringRef line) {
  line = line.trim();
  if (line.empty() || line.starts_with("//") || startsIR(line))
    return true;
  if (llvm::is_contained("})]^-:,{", line.front()))
    return !isSentence(line);
  return line.starts_with("return") || line.starts_with("ins(") || line.starts_with("outs(") ||
         line.starts_with("attributes") || line.starts_with("loc(");
}

/// How much deeper the brackets are after the line.
static int depthOf(StringRef line) {
  int depth = 0;
  SourceCursor cursor(line);
  for (const char *at = cursor.begin(); at < cursor.end();) {
    if (*at == '"') {
      at = cursor.skipString(at);
      continue;
    }
    if (*at == '/' && cursor.peek(at + 1) == '/')
      break;
    depth += *at == '(' || *at == '[' || *at == '{';
    depth -= *at == ')' || *at == ']' || *at == '}';
    ++at;
  }
  return depth;
}

/// Takes the first line off the text.
static StringRef takeLine(StringRef &text) {
  StringRef line = text.take_front(text.find('\n'));
  text = text.drop_front(std::min(line.size() + 1, text.size()));
  return line;
}

static bool isFence(StringRef line) { return line.ltrim().starts_with("```"); }

/// Whether a text has fences, or as many sentences as a document: most have not, and need no closer look.
static bool mayBeDocument(StringRef text) {
  unsigned sentences = 0;
  while (!text.empty()) {
    StringRef line = takeLine(text);
    if (isFence(line) || (isSentence(line) && ++sentences == fewestSentences))
      return true;
  }
  return false;
}

namespace {
class ListingFinder {
public:
  std::vector<SourceSplit> run(StringRef text);

private:
  void add(StringRef line);
  void end();

  std::vector<SourceSplit> listings_;
  unsigned sentences_ = 0, number_ = 0;
  StringRef listing_; ///< as far as it goes; empty if none is open
  unsigned firstLine_ = 0;
  int depth_ = 0;
  bool inFence_ = false, fenceHasIR_ = false, hasFencedIR_ = false;
};
} // namespace

void ListingFinder::end() {
  if (!listing_.rtrim().empty() && (!inFence_ || fenceHasIR_))
    listings_.push_back({listing_, firstLine_});
  hasFencedIR_ |= inFence_ && fenceHasIR_;
  listing_ = {};
  depth_ = 0;
}

void ListingFinder::add(StringRef line) {
  if (isFence(line)) {
    end();
    inFence_ = !inFence_;
    fenceHasIR_ = false;
    return;
  }
  bool sentence = isSentence(line);
  sentences_ += sentence;
  bool isOpen = !listing_.empty();
  if (isOpen && !inFence_ && (sentence || (depth_ <= 0 && !continuesIR(line)))) {
    end();
    isOpen = false;
  }
  if (!isOpen && !inFence_ && (sentence || !startsIR(line)))
    return;
  fenceHasIR_ |= inFence_ && startsIR(line);
  if (!isOpen) {
    listing_ = line;
    firstLine_ = number_;
  } else {
    listing_ = StringRef(listing_.data(), line.end() - listing_.data());
  }
  depth_ += depthOf(line);
}

std::vector<SourceSplit> ListingFinder::run(StringRef text) {
  if (!mayBeDocument(text))
    return {};
  while (!text.empty()) {
    ++number_;
    add(takeLine(text));
  }
  end();
  return sentences_ >= fewestSentences || hasFencedIR_ ? std::move(listings_) : std::vector<SourceSplit>();
}

std::vector<SourceSplit> findListings(StringRef text) {
  constexpr size_t maxDocument = 4 << 20; // nobody writes longer ones
  return text.size() > maxDocument ? std::vector<SourceSplit>() : ListingFinder().run(text);
}

} // namespace fuselage
