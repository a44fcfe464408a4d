// How the near side starts the far one.
#pragma once
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fuselage::remote {

struct FarOptions {
  std::string session;                      ///< 32 hex digits
  bool isNew = true;                        ///< false: a keeper of the session is looked for
  unsigned keepSeconds = 600;               ///< without a link, before the engine is ended
  uint64_t cacheBytes = uint64_t(20) << 30; ///< of files that are kept
  std::vector<std::string> arguments{};     ///< of `fuselage serve`
};

/// Hex digits alone, which every shell leaves alone.
std::string encodeFarOptions(const FarOptions &options);
/// Failure: they are not what encodeFarOptions() makes.
llvm::Expected<FarOptions> decodeFarOptions(llvm::StringRef text);

/// What the far side says before there are frames: lines that begin so.
inline constexpr llvm::StringLiteral farLinePrefix = "fuselage-link ";
/// "ready": frames follow. "gone": there is no keeper of the session. "missing ARCH GLIBC": there is no engine.
/// "failed WHY".

} // namespace fuselage::remote
