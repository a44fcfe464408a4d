// Reads a text without its long hex literals.
#pragma once
#include "core/blobs/TextBlobs.h"
#include <memory>

namespace fuselage {

/// What is worth it.
struct BlobLimits {
  uint64_t leastFile = uint64_t(32) << 20; ///< smaller files are read as a whole
  size_t leastLiteral = 8 << 10;           ///< digits; shorter literals stay in the text
};

struct DetachedText {
  std::string text; ///< with placeholders, see TextBlobs
  std::shared_ptr<const TextBlobs> blobs;
  uint64_t markBytes = 0; ///< of a byte order mark at the start of the file, which is not in the text
  uint64_t fileBytes = 0;
};

/// Reads a file once, from its start to its end, and decodes its long literals into a scratch file as they pass: what
/// becomes of the file afterwards is of no concern. Nullopt: it has to be read as a whole. It is bytecode, no
/// regular file or a small one, has no long literal or one that MLIR refuses, or there is no room for a scratch file.
std::optional<DetachedText> readDetached(llvm::StringRef path, const BlobLimits &limits = {});

} // namespace fuselage
