// What can be told of a dump without parsing it. Internal to core/stepping.
#pragma once
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fuselage {

/// Lines [firstLine, firstLine + lines) of a file at bytes [begin, end); lines count from 1.
struct DumpRange {
  uint64_t begin = 0, end = 0;
  uint32_t firstLine = 1, lines = 0;
  bool empty() const { return begin == end; }
};

/// Names of ops and symbols as small numbers, so that a hundred thousand dumps stay small.
class DumpNames {
public:
  uint32_t numberOf(llvm::StringRef name);
  llvm::StringRef nameOf(uint32_t number) const { return names_[number]; }

private:
  llvm::StringMap<uint32_t> numbers_;
  std::vector<llvm::StringRef> names_{""}; // keys of numbers_; 0 stands for nothing
};

/// An op inside a dump that opens a body and has a symbol: a function, an executable, a module.
struct DumpSymbol {
  uint32_t op = 0, symbol = 0; ///< by DumpNames
  uint32_t begin = 0;          ///< byte of its line's start in the dump
  uint32_t line = 0;           ///< in the dump, from 0
  uint32_t indent = 0;
};

/// A scanned dump. Equal texts share one.
struct DumpShape {
  uint32_t op = 0, symbol = 0; ///< the op at the top, by DumpNames; 0: none is recognised
  bool isModule = false;       ///< the top op is a builtin module
  uint64_t hash = 0;
  /// The text of the IR in what was scanned; the rest, after it, is somebody else's.
  DumpRange ir{};
  std::vector<DumpSymbol> symbols;                     ///< in order
  std::vector<std::pair<uint32_t, uint32_t>> opCounts; ///< op, how often; by op
};

/// Finds the IR in `body`, the text between two headers, and scans it line by line: ops at the start
/// of statements, symbols, the end of the top-level op. Known by its layout, as MLIR's printer makes
/// it: nested lines are indented, the line that closes the top-level op is not. Text whose top is no
/// op of MLIR (LLVM IR, machine code) is taken whole. Other tools' lines before the IR are
/// skipped as long as they look like diagnostics. Positions are relative to `body`.
DumpShape scanDump(llvm::StringRef body, DumpNames &names);

} // namespace fuselage
