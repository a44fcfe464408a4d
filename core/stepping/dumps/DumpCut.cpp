#include "core/stepping/dumps/DumpCut.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>

using llvm::StringRef;

namespace fuselage {
namespace {

/// Joining follows symbols inside of dumps inside of dumps; real programs nest three or four deep.
constexpr unsigned maxDepth = 16;

/// Names with a sigil in a text: "#map", "!type".
void collectAliases(StringRef text, llvm::StringSet<> &names) {
  for (size_t at = text.find_first_of("#!"); at != StringRef::npos; at = text.find_first_of("#!", at + 1))
    if (size_t length = text.substr(at + 1).take_while(isWordChar).size())
      names.insert(text.substr(at, length + 1));
}

/// The lines of the op that `symbol` begins, up to the one that closes it at its own indentation;
/// places as in the file.
DumpRange rangeOf(StringRef dump, const DumpRange &place, const DumpSymbol &symbol) {
  DumpRange range{
      .begin = place.begin + symbol.begin, .end = 0, .firstLine = place.firstLine + symbol.line, .lines = 0};
  size_t at = symbol.begin;
  while (at < dump.size()) {
    size_t end = std::min(dump.find('\n', at), dump.size());
    StringRef line = dump.slice(at, end);
    at = std::min(end + 1, dump.size());
    ++range.lines;
    size_t indent = line.find_first_not_of(' ');
    if (range.lines > 1 && indent != StringRef::npos && indent <= symbol.indent && line[indent] == '}' &&
        !line.rtrim().ends_with("{"))
      break;
  }
  range.end = place.begin + at;
  return range;
}

} // namespace

DumpText DumpCutter::whole(size_t entry) const {
  const DumpEntry &dump = log_.entries()[entry];
  if (dump.ir.empty())
    return {};
  return DumpText({{.file = log_.files()[dump.file], .range = dump.ir, .strip = 0, .indent = 0}});
}

const std::vector<DumpCutter::Alias> &DumpCutter::aliasesOf(size_t entry, StringRef dump) {
  if (aliasEntry_ == entry)
    return aliases_;
  aliasEntry_ = entry;
  aliases_.clear();
  const DumpRange &place = log_.entries()[entry].ir;
  uint32_t line = place.firstLine;
  for (size_t at = 0; at < dump.size(); ++line) {
    size_t end = std::min(dump.find('\n', at), dump.size());
    StringRef text = dump.slice(at, end).rtrim('\r');
    size_t next = std::min(end + 1, dump.size());
    if ((text.starts_with("#") || text.starts_with("!")) && text.contains(" = "))
      aliases_.push_back(
          {.name = text.take_front(text.find(' ')).str(),
           .text = text.substr(text.find(' ')).str(),
           .range = {.begin = place.begin + at, .end = place.begin + next, .firstLine = line, .lines = 1}});
    at = next;
  }
  return aliases_;
}

std::optional<DumpText> DumpCutter::cut(size_t entry, uint32_t op, uint32_t symbol) {
  const DumpEntry &container = log_.entries()[entry];
  const DumpSymbol *exact = nullptr, *other = nullptr;
  unsigned exacts = 0, others = 0;
  for (const DumpSymbol &candidate : container.shape->symbols) {
    if (candidate.symbol != symbol)
      continue;
    (candidate.op == op ? exact : other) = &candidate;
    ++(candidate.op == op ? exacts : others);
  }
  const DumpSymbol *found = exacts == 1 ? exact : exacts == 0 && others == 1 ? other : nullptr;
  if (!found)
    return std::nullopt;
  const std::shared_ptr<DumpFile> &file = log_.files()[container.file];
  auto bytes = file->bytes();
  if (!bytes) {
    llvm::consumeError(bytes.takeError());
    return std::nullopt;
  }
  StringRef text = (*bytes)->getBuffer(), dump = text.slice(container.ir.begin, container.ir.end);
  DumpRange body = rangeOf(dump, container.ir, *found);
  llvm::StringSet<> used;
  collectAliases(text.slice(body.begin, body.end), used);
  const std::vector<Alias> &aliases = aliasesOf(entry, dump);
  // An alias may use others, before it or after it: to the fixed point.
  for (size_t known = 0; known != used.size();) {
    known = used.size();
    for (const Alias &alias : aliases)
      if (used.contains(alias.name))
        collectAliases(alias.text, used);
  }
  std::vector<DumpPiece> pieces{{.file = file, .range = body, .strip = found->indent, .indent = 0}};
  for (const Alias &alias : aliases)
    if (used.contains(alias.name))
      pieces.push_back({.file = file, .range = alias.range, .strip = 0, .indent = 0});
  llvm::sort(pieces, [](const DumpPiece &a, const DumpPiece &b) { return a.range.begin < b.range.begin; });
  return DumpText(std::move(pieces));
}

/// Appends the dump; true if something in it was replaced.
bool DumpCutter::addJoined(size_t entry, const LaterDump &laterDump, uint32_t indent, std::vector<DumpPiece> &pieces,
                           unsigned depth) {
  const DumpEntry &dump = log_.entries()[entry];
  const std::shared_ptr<DumpFile> &file = log_.files()[dump.file];
  auto bytes = file->bytes();
  if (!bytes) {
    llvm::consumeError(bytes.takeError());
    return false;
  }
  StringRef text = (*bytes)->getBuffer().slice(dump.ir.begin, dump.ir.end);
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, unsigned> often;
  for (const DumpSymbol &symbol : dump.shape->symbols)
    ++often[{symbol.op, symbol.symbol}];
  DumpRange rest = dump.ir;
  bool replaced = false;
  for (const DumpSymbol &symbol : dump.shape->symbols) {
    uint64_t begin = dump.ir.begin + symbol.begin;
    // Inside of what was replaced already; or there are several of that name, who knows which it was.
    if (begin < rest.begin || often.lookup({symbol.op, symbol.symbol}) > 1 || depth >= maxDepth)
      continue;
    std::optional<size_t> later = laterDump(symbol.op, symbol.symbol, entry);
    if (!later)
      continue;
    uint32_t line = dump.ir.firstLine + symbol.line;
    DumpRange body = rangeOf(text, dump.ir, symbol);
    pieces.push_back(
        {.file = file,
         .range = {.begin = rest.begin, .end = begin, .firstLine = rest.firstLine, .lines = line - rest.firstLine},
         .strip = 0,
         .indent = indent});
    addJoined(*later, laterDump, indent + symbol.indent, pieces, depth + 1);
    uint32_t next = body.firstLine + body.lines;
    rest = {
        .begin = body.end, .end = dump.ir.end, .firstLine = next, .lines = dump.ir.firstLine + dump.ir.lines - next};
    replaced = true;
  }
  pieces.push_back({.file = file, .range = rest, .strip = 0, .indent = indent});
  return replaced;
}

std::optional<DumpText> DumpCutter::join(size_t entry, const LaterDump &laterDump) {
  std::vector<DumpPiece> pieces;
  if (!addJoined(entry, laterDump, 0, pieces, 0))
    return std::nullopt;
  llvm::erase_if(pieces, [](const DumpPiece &piece) { return piece.range.empty(); });
  return DumpText(std::move(pieces), /*composed=*/true);
}

} // namespace fuselage
