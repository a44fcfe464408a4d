#include "tests/fuzz/LineMutator.h"
#include "tests/fuzz/CliCase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using llvm::StringRef;

namespace fuselage::fuzz {

namespace {
constexpr StringRef numbers[] = {"0",
                                 "1",
                                 "-1",
                                 "2",
                                 "3",
                                 "7",
                                 "64",
                                 "65",
                                 "4096",
                                 "2147483648",
                                 "4294967295",
                                 "9223372036854775807",
                                 "-9223372036854775808",
                                 "?"};
constexpr StringRef types[] = {
    "f32",           "f64",           "f16",           "bf16",           "i1",       "i8",
    "i32",           "i64",           "i65",           "index",          "f8E4M3FN", "complex<f32>",
    "vector<4xf32>", "memref<?xf32>", "tensor<*xf32>", "tensor<?x?xf32>"};

/// A part of a text.
struct Piece {
  size_t begin = 0, length = 0;
};

size_t draw(size_t count, std::minstd_rand &random) { return random() % count; }

/// The runs of characters that `isPart` takes, where `starts` takes the first.
template <typename Starts, typename IsPart> std::vector<Piece> pieces(StringRef text, Starts starts, IsPart isPart) {
  std::vector<Piece> found;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && (end == i ? starts(text[end]) : isPart(text[end])))
      ++end;
    if (end > i)
      found.push_back({i, end - i});
    i = std::max(end, i + 1);
  }
  return found;
}

std::vector<Piece> findNumbers(StringRef text) { return pieces(text, llvm::isDigit, llvm::isDigit); }

std::vector<Piece> findWords(StringRef text) {
  auto isWord = [](char c) { return llvm::isAlnum(c); };
  std::vector<Piece> words = pieces(text, llvm::isAlpha, isWord);
  llvm::erase_if(words, [&](Piece word) { return !llvm::is_contained(types, text.substr(word.begin, word.length)); });
  return words;
}

std::vector<Piece> findValues(StringRef text) {
  return pieces(
      text, [](char c) { return c == '%'; }, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::string replaced(StringRef text, Piece piece, StringRef by) {
  return (text.take_front(piece.begin) + by + text.substr(piece.begin + piece.length)).str();
}

/// Puts one of `choices` in place of one of `found`.
std::string replaceOne(StringRef text, const std::vector<Piece> &found, llvm::ArrayRef<StringRef> choices,
                       std::minstd_rand &random) {
  if (found.empty())
    return text.str();
  return replaced(text, found[draw(found.size(), random)], choices[draw(choices.size(), random)]);
}

std::string mutateLineOrder(StringRef text, std::minstd_rand &random) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  size_t at = draw(lines.size(), random), other = draw(lines.size(), random);
  switch (draw(3, random)) {
  case 0:
    lines.erase(lines.begin() + at);
    break;
  case 1:
    lines.insert(lines.begin() + other, StringRef(lines[at]));
    break;
  default:
    std::swap(lines[at], lines[other]);
  }
  return llvm::join(lines, "\n");
}

/// The text with a first line that asks for a command.
std::string askForAnother(StringRef text, std::minstd_rand &random) {
  StringRef rest = text.starts_with("// fuselage ") ? text.split('\n').second : text;
  return "// fuselage " + cliCommands()[draw(cliCommands().size(), random)].str() + "\n" + rest.str();
}
} // namespace

std::string mutateLines(StringRef text, std::minstd_rand &random) {
  switch (draw(8, random)) {
  case 0:
    return askForAnother(text, random);
  case 1:
  case 2:
    return replaceOne(text, findNumbers(text), numbers, random);
  case 3:
    return replaceOne(text, findWords(text), types, random);
  case 4: {
    std::vector<Piece> values = findValues(text);
    if (values.empty())
      return text.str();
    Piece from = values[draw(values.size(), random)];
    return replaced(text, values[draw(values.size(), random)], text.substr(from.begin, from.length));
  }
  default:
    return mutateLineOrder(text, random);
  }
}

} // namespace fuselage::fuzz
