// The outermost structure of MLIR bytecode (https://mlir.llvm.org/docs/BytecodeFormat), as far as we look
// into it ourselves.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// Takes a variable-length integer off the front: the count of trailing zeros of the first byte is that
/// of the bytes after it. Nullopt: the bytes end inside of it.
std::optional<uint64_t> takeVarInt(llvm::StringRef &bytes);

/// (id, length, padding to an alignment, data)
struct BytecodeSection {
  uint8_t id = 0;              ///< with the bit kAligned
  llvm::StringRef alignment{}; ///< the variable-length integer, where there is one
  llvm::StringRef data{};

  static constexpr uint8_t kAligned = 0x80, kPadding = 0xcb;
  static constexpr uint8_t kStrings = 0, kDialects = 1;
};

/// Takes a section off the front. Nullopt: it is cut.
std::optional<BytecodeSection> takeSection(llvm::StringRef &bytes);

struct BytecodeHeader {
  uint64_t version = 0;          ///< of the bytecode format
  llvm::StringRef producer = {}; ///< the name of the program that wrote the file
};

/// Takes "ML\xefR" and the header off the front; nullopt if they are not there.
std::optional<BytecodeHeader> takeBytecodeHeader(llvm::StringRef &bytes);

/// What the header says of the program that wrote it, such as "StableHLO_v1.9.0"; empty if it says nothing.
std::string bytecodeProducer(llvm::StringRef bytes);

/// The dialects that a bytecode file names, sorted; empty if the file is damaged. MLIR's reader loads
/// those that are registered; others must be loaded before, or it refuses their attributes in places
/// where MLIR's own types want an interface, such as memory spaces.
std::vector<std::string> bytecodeDialects(llvm::StringRef bytes);

} // namespace fuselage
