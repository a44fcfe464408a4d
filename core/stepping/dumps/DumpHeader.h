// The line before a dump that a pass manager prints.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuselage {

/// What `// -----// IR Dump After CSE (cse) ('func.func' operation: @main) //----- //` says, in any
/// of the spellings below. References point into the line.
struct DumpHeader {
  enum class Side { Before, After };
  Side side = Side::After;
  bool failed = false;      ///< the pass failed; the dump shows what it left behind
  bool omitted = false;     ///< "omitted because no change": no IR follows
  bool ends = false;        ///< an `IR Dump End` line: it closes a dump and opens none
  llvm::StringRef pass;     ///< the class, without namespaces; the argument where no class is named
  llvm::StringRef argument; ///< the name in a pipeline; empty where the tool does not print it
  llvm::StringRef options;  ///< as a pipeline has them, without braces; most tools do not print them
  llvm::StringRef op;       ///< "func.func", where the whole module is printed around it, else empty
  llvm::StringRef symbol;   ///< "main", without '@'; empty where there is none
};

/// Reads a line (without its line end). Known spellings, all seen in the wild:
///   // -----// IR Dump After Canonicalizer (canonicalize) //----- //      MLIR since 2021
///   // -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //   with module scope
///   // -----// IR Dump After X Failed (x) //----- //                      a failed pass
///   // -----// IR Dump Before CSE //----- //                              MLIR 2020
///   // -----// IR Dump After X: pass-argument{options} //----- //         downstream tools; MLIR since 2025
///   // *** IR Dump After Canonicalizer ***                                MLIR before mid-2020
///   *** IR Dump After SimplifyCFGPass on f omitted because no change ***  LLVM's
///   // -----// IR Dump Begin After X (x)        ... IR Dump End ...       marks around the dump
/// Anything may stand in front (a log's prefix, a progress message without a line break) as long as
/// the marks of the header follow it; the trailing marks may be missing. nullopt: no header.
std::optional<DumpHeader> parseDumpHeader(llvm::StringRef line);

/// Whether `text` has a line that begins with a header: such text is a log, not a module. A header
/// further right does not count: tests of pass managers quote headers in their comments.
bool isDumpLog(llvm::StringRef text);

/// Every header starts with one of these marks, directly followed by this phrase.
inline constexpr llvm::StringLiteral kDumpPhrase = "IR Dump ";

} // namespace fuselage
