// The long hex literals of a text, kept apart from it.
#pragma once
#include "core/blobs/ScratchFile.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// A literal, and where its placeholder stands in the text.
struct TextBlob {
  enum class Kind {
    Elements, ///< `dense<"0x...">`
    Resource, ///< `key: "0x..."` in the file's resources
  };
  Kind kind = Kind::Elements;
  uint64_t begin = 0, size = 0;  ///< of its data in the scratch file, in bytes
  uint64_t alignment = 1;        ///< that a resource asks for
  uint64_t checksum = 0;         ///< XXH3 of the data
  unsigned line = 0, column = 0; ///< of the placeholder, from 1
  uint64_t removed = 0;          ///< by so many bytes the placeholder is shorter than what it stands for
};

/// In the text, `#fuselage.blob<3>` is literal 3 with the `dense<` and `>` around it; in place of the data of a
/// resource stands what numberIn() knows. Both are on the line of the literal, so that only columns after it move.
class TextBlobs {
public:
  static constexpr llvm::StringLiteral kPlaceholder = "#fuselage.blob<";
  static std::string placeholderFor(TextBlob::Kind kind, size_t number);
  /// The number of the literal that the data of a resource stands for; nullopt: it is data.
  std::optional<size_t> numberIn(llvm::ArrayRef<char> resource) const;

  /// `data` is mapped; literals are in the order of the text.
  TextBlobs(ScratchFile data, std::vector<TextBlob> literals)
      : data_(std::move(data)), literals_(std::move(literals)) {}

  llvm::ArrayRef<TextBlob> literals() const { return literals_; }
  /// Mapped; decoded, without the alignment that a resource starts with.
  llvm::ArrayRef<char> bytesOf(const TextBlob &literal) const {
    return data_.bytes().slice(literal.begin, literal.size);
  }

  /// The first literal on a line; null: there is none.
  const TextBlob *firstOn(unsigned line) const;
  /// The column in the file of a column in the text.
  unsigned columnInFile(unsigned line, unsigned column) const;

private:
  ScratchFile data_;
  std::vector<TextBlob> literals_;
};

} // namespace fuselage
