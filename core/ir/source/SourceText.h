// What is checked and cut before MLIR's parser sees a text.
#pragma once
#include "core/blobs/BlobReader.h"
#include "core/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <vector>

namespace fuselage {

/// Brackets of all kinds may nest this deep. MLIR recurses over them while parsing, printing and
/// destroying, and dies of it somewhere above; real modules stay below 100.
constexpr unsigned kMaxNesting = 1000;

/// A part of a text between `// -----` lines.
struct SourceSplit {
  llvm::StringRef text;
  unsigned firstLine = 1; ///< in the whole text, counting from 1
};

/// The parts that hold more than blanks and comments.
std::vector<SourceSplit> splitSource(llvm::StringRef text);

/// Text that MLIR's parser cannot survive or would misreport: NUL bytes, UTF-16, nesting beyond
/// kMaxNesting. The position is filled in, the file is not.
std::optional<Diagnostic> findSourceProblem(llvm::StringRef text);
/// The same without the nesting, for who looks for that himself (SourceScan).
std::optional<Diagnostic> findEncodingProblem(llvm::StringRef text);

/// Line `number` (from 1) of the text, without its line end; empty beyond the end.
llvm::StringRef lineOf(llvm::StringRef text, unsigned number);

/// A line as a diagnostic quotes it: whole, or, where it is too long to be kept with each, empty; who
/// prints it then looks into the file.
std::string quotable(llvm::StringRef line);

/// A file in memory.
struct SourceFile {
  std::string name; ///< "<stdin>" for '-'
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::StringRef text;                     ///< without a byte order mark
  std::shared_ptr<const TextBlobs> blobs{}; ///< set: the text has placeholders of these
  uint64_t begin = 0, end = 0;              ///< of the text, as it was written, in the file's bytes
  std::vector<Diagnostic> notes{};          ///< on what the text was made of, where it is no file's own
};

/// Whether a path is to be read once, from its start to its end: '-', a pipe, a device.
bool isStream(llvm::StringRef path);

/// Reads a file, as it is written; of a debug folder of torch.compile, or one of its files, the module that says what
/// is in it. Of a stream at most 512 MiB; the rest of one is left where a NUL byte tells that it is neither text nor
/// bytecode, such as /dev/zero. Failure: it cannot be read, or is larger than that.
llvm::Expected<SourceFile> loadSource(llvm::StringRef path);
/// The same, but of a large file without its long hex literals, if that can be: for Session::read().
llvm::Expected<SourceFile> loadDetached(llvm::StringRef path, const BlobLimits &limits = {});

/// Diagnostics may quote this file from now on (loadSource() says so of what it reads). Locations in a module can
/// name any file, and others are nobody's business.
void allowQuoting(llvm::StringRef path);

/// A line of a regular file that may be quoted; else empty.
std::string quoteLine(const std::string &path, unsigned number);

} // namespace fuselage
