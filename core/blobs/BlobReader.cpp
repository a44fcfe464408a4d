#include "core/blobs/BlobReader.h"
#include "core/blobs/Xxh3Stream.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::ArrayRef;
using llvm::StringRef;

namespace fuselage {
namespace {

/// A file, of which as much is in memory as somebody looks ahead.
class FileWindow {
public:
  explicit FileWindow(int descriptor) : descriptor_(descriptor), buffer_(kWindow) {}
  ~FileWindow() { close(descriptor_); }
  FileWindow(const FileWindow &) = delete;
  FileWindow &operator=(const FileWindow &) = delete;

  static constexpr size_t kWindow = 1 << 20;

  /// What comes next: at least `least` bytes (at most kWindow), fewer only at the end of the file.
  StringRef look(size_t least) {
    while (end_ - at_ < least && !atEnd_)
      fill();
    return {buffer_.data() + at_, end_ - at_};
  }
  void skip(size_t count) { at_ += count; }
  bool failed() const { return failed_; }
  uint64_t bytesRead() const { return read_; }

private:
  void fill() {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
    ssize_t count = read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    if (count < 0 && errno == EINTR)
      return;
    failed_ |= count < 0;
    atEnd_ |= count <= 0;
    end_ += std::max<ssize_t>(count, 0);
    read_ += std::max<ssize_t>(count, 0);
  }

  int descriptor_;
  std::vector<char> buffer_;
  size_t at_ = 0, end_ = 0;
  uint64_t read_ = 0;
  bool atEnd_ = false, failed_ = false;
};

/// Decodes pairs of digits. Returns false if there is anything else; written so that compilers vectorize it.
bool decodeHex(const char *digits, size_t pairs, char *bytes) {
  unsigned char wrong = 0;
  auto valueOf = [&wrong](unsigned char c) -> unsigned char {
    unsigned char letter = static_cast<unsigned char>((c | 0x20) - 'a'), digit = static_cast<unsigned char>(c - '0');
    wrong |= static_cast<unsigned char>((digit > 9) & (letter > 5));
    return static_cast<unsigned char>((c & 0xf) + (c >> 6) * 9);
  };
  for (size_t i = 0; i < pairs; ++i) {
    unsigned char high = valueOf(static_cast<unsigned char>(digits[2 * i]));
    unsigned char low = valueOf(static_cast<unsigned char>(digits[2 * i + 1]));
    bytes[i] = static_cast<char>(high << 4 | low);
  }
  return wrong == 0;
}

class BlobReader {
public:
  BlobReader(int descriptor, ScratchFile scratch, const BlobLimits &limits)
      : file_(descriptor), scratch_(std::move(scratch)), limits_(limits) {}

  std::optional<DetachedText> run();

private:
  void copy(size_t count);
  std::optional<TextBlob::Kind> kindOfNext() const;
  bool isLongLiteral();
  bool readLiteral(TextBlob &blob);
  bool detach(TextBlob::Kind kind);

  static constexpr StringRef kDense = "dense<", kStart = "\"0x";
  /// Digits of the alignment that a resource starts with.
  static constexpr size_t kAlignmentDigits = 8;

  FileWindow file_;
  ScratchFile scratch_;
  const BlobLimits &limits_;
  std::string text_;
  size_t lineBegin_ = 0; ///< of the last line in text_
  unsigned line_ = 1;
  std::vector<TextBlob> literals_;
};

/// Takes bytes over into the text.
void BlobReader::copy(size_t count) {
  StringRef bytes = file_.look(count).take_front(count);
  line_ += bytes.count('\n');
  if (size_t last = bytes.rfind('\n'); last != StringRef::npos)
    lineBegin_ = text_.size() + last + 1;
  text_.append(bytes.data(), bytes.size());
  file_.skip(count);
}

/// What a literal would be that comes after the text so far; nullopt: a string like any other. In a comment, too; what
/// MLIR's parser did not come across is found out later.
std::optional<TextBlob::Kind> BlobReader::kindOfNext() const {
  StringRef before = text_;
  if (before.consume_back(kDense)) {
    bool isWord = before.empty() || !(llvm::isAlnum(before.back()) || StringRef("_.$-#!").contains(before.back()));
    return isWord ? std::optional(TextBlob::Kind::Elements) : std::nullopt;
  }
  return before.rtrim().ends_with(":") ? std::optional(TextBlob::Kind::Resource) : std::nullopt;
}

bool BlobReader::isLongLiteral() {
  StringRef digits = file_.look(kStart.size() + limits_.leastLiteral).drop_front(kStart.size());
  return digits.size() >= limits_.leastLiteral &&
         llvm::all_of(digits.take_front(limits_.leastLiteral), llvm::isHexDigit);
}

/// Decodes digits up to the closing quote, which stays.
bool BlobReader::readLiteral(TextBlob &blob) {
  Xxh3Stream checksum;
  std::vector<char> bytes(FileWindow::kWindow / 2);
  for (;;) {
    StringRef ahead = file_.look(2);
    size_t quote = ahead.find('"');
    size_t pairs = std::min(quote, ahead.size()) / 2;
    if (!decodeHex(ahead.data(), pairs, bytes.data()))
      return false;
    ArrayRef<char> decoded(bytes.data(), pairs);
    checksum.update(decoded);
    if (!scratch_.append(decoded))
      return false;
    file_.skip(2 * pairs);
    blob.size += pairs;
    if (quote == 2 * pairs)
      break;
    if (pairs == 0)
      return false; // an odd number of digits, or the end of the file
  }
  blob.checksum = checksum.digest();
  return true;
}

/// Puts a placeholder in the place of the literal that comes next. False: it is none that MLIR reads, or there is no
/// room for it.
bool BlobReader::detach(TextBlob::Kind kind) {
  TextBlob blob{.kind = kind};
  file_.skip(kStart.size());
  uint64_t written = kStart.size();
  if (kind == TextBlob::Kind::Resource) {
    char alignment[kAlignmentDigits / 2];
    if (!decodeHex(file_.look(kAlignmentDigits).data(), sizeof alignment, alignment))
      return false;
    blob.alignment = std::max<uint64_t>(llvm::support::endian::read32le(alignment), 1);
    file_.skip(kAlignmentDigits);
    written += kAlignmentDigits;
  }
  constexpr uint64_t leastAlignment = 64, mostAlignment = 4096;
  if (!llvm::has_single_bit(blob.alignment) || blob.alignment > mostAlignment ||
      !scratch_.align(std::max(blob.alignment, leastAlignment)))
    return false;
  blob.begin = scratch_.size();
  if (!readLiteral(blob))
    return false;
  file_.skip(1);
  written += 2 * blob.size + 1;
  if (kind == TextBlob::Kind::Elements) {
    if (!file_.look(1).starts_with(">"))
      return false;
    file_.skip(1);
    text_.resize(text_.size() - kDense.size());
    written += kDense.size() + 1;
  }
  blob.line = line_;
  blob.column = static_cast<unsigned>(text_.size() - lineBegin_) + 1;
  std::string placeholder = TextBlobs::placeholderFor(kind, literals_.size());
  blob.removed = written - placeholder.size();
  text_ += placeholder;
  literals_.push_back(blob);
  return true;
}

std::optional<DetachedText> BlobReader::run() {
  constexpr StringRef mark = "\xef\xbb\xbf";
  uint64_t markBytes = file_.look(mark.size()).starts_with(mark) ? mark.size() : 0;
  file_.skip(markBytes);
  for (;;) {
    StringRef ahead = file_.look(kStart.size());
    if (ahead.empty())
      break;
    size_t quote = ahead.find('"');
    if (quote > 0) {
      copy(std::min(quote, ahead.size()));
      continue;
    }
    std::optional<TextBlob::Kind> kind = ahead.starts_with(kStart) ? kindOfNext() : std::nullopt;
    if (!kind || !isLongLiteral())
      copy(1);
    else if (!detach(*kind))
      return std::nullopt;
  }
  if (file_.failed() || literals_.empty() || !scratch_.map())
    return std::nullopt;
  return DetachedText{.text = std::move(text_),
                      .blobs = std::make_shared<const TextBlobs>(std::move(scratch_), std::move(literals_)),
                      .markBytes = markBytes,
                      .fileBytes = file_.bytesRead()};
}

} // namespace

std::optional<DetachedText> readDetached(StringRef path, const BlobLimits &limits) {
  // The data lies in the text as little-endian machines have it in memory.
  if (llvm::endianness::native != llvm::endianness::little)
    return std::nullopt;
  int descriptor = open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return std::nullopt;
  struct stat status {};
  char magic[4] = {};
  bool isText = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                static_cast<uint64_t>(status.st_size) >= limits.leastFile &&
                pread(descriptor, magic, sizeof magic, 0) == sizeof magic && StringRef(magic, 4) != "ML\xefR";
  std::optional<ScratchFile> scratch = isText ? ScratchFile::create() : std::nullopt;
  if (!scratch) {
    close(descriptor);
    return std::nullopt;
  }
  return BlobReader(descriptor, std::move(*scratch), limits).run();
}

} // namespace fuselage
