// The outermost structure of MLIR bytecode, to take apart and put together again.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::fuzz {

/// "ML\xefR", version, producer, then sections of (id, length, padding to an alignment, data): the
/// container of https://mlir.llvm.org/docs/BytecodeFormat.
struct SectionedBytecode {
  struct Section {
    uint8_t id = 0;
    std::string prefix; ///< the alignment, its padding left out
    std::string data;
  };
  std::string head; ///< up to the end of the producer's name
  std::vector<Section> sections;

  /// Nullopt: no such file, or one that is cut.
  static std::optional<SectionedBytecode> parse(llvm::StringRef bytes);
  std::string print() const;
};

} // namespace fuselage::fuzz
