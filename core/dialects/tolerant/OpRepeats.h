// Ops that are written like an earlier one but for the names of values: their text is read once.
#pragma once
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <memory>
#include <string>
#include <vector>

namespace fuselage {

struct OpReading;

/// Tools print the same ops again and again. Of those that differ from an earlier op in the names of
/// values only, the text after the op's name is blanked before MLIR's parser sees it: its lexer then
/// runs over blanks, and the universal parser repeats what it read of the earlier op, with the names
/// from the text as written. Lines and columns stay what they are.
///
/// Only ops on one line without regions, successors and comments take part. That an op ends where the
/// caller says, and that every name in it is an operand's, is checked when the first of its kind is
/// read; if it does not hold, the parse fails, refusedName() says why, and the caller parses again
/// without repeats of that name.
class OpRepeats {
public:
  /// The text as written, shorter than 4 GiB, which must outlive this.
  explicit OpRepeats(const std::string &text);
  ~OpRepeats();

  /// An op in custom assembly that the universal parser will read, in the order of the text: where its
  /// result list starts (the name, if it has none), its name, and where it ends. Call before text().
  void addOp(size_t begin, size_t name, size_t nameEnd, size_t end);
  /// What to parse, in place: ops are found by their address.
  const std::string &text() const { return blanked_; }
  /// The name of the op that broke off the parse; empty if none did.
  llvm::StringRef refusedName() const { return refusedName_; }

  // For the universal parser.

  /// A place in the text where an op stands whose like occurs again, or occurred before.
  struct Place {
    uint32_t name = 0; ///< offset
    uint32_t end = 0;  ///< of the op, after its last character
    uint32_t shape = 0;
    bool isFirst = false; ///< of its shape
  };
  /// Null: the op is read as always. Fast where ops are asked for in the order of the text.
  const Place *find(const char *name);
  /// How far the text as written is from the one that is parsed, for an address in that; else 0.
  ptrdiff_t distance(const char *address) const;
  /// From an address in the text as written to the op's end.
  llvm::StringRef rest(const char *from, const Place &place) const;
  OpReading *reading(const Place &place) const { return shapes_[place.shape].reading.get(); }
  void keep(const Place &place, std::unique_ptr<OpReading> reading);
  void refuse(llvm::StringRef name) { refusedName_ = name.str(); }

private:
  struct Shape {
    bool isRepeated = false;
    std::unique_ptr<OpReading> reading;
  };

  const std::string &text_;
  std::string blanked_;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, uint32_t> known_; ///< by the hash of a text without names
  std::vector<Shape> shapes_;
  std::vector<Place> places_; ///< in the order of the text
  size_t next_ = 0;           ///< after the place that was asked for last
  std::string refusedName_;
};

/// The universal parser repeats ops while this lives.
class RepeatScope {
public:
  RepeatScope(mlir::MLIRContext &context, OpRepeats &repeats);
  ~RepeatScope();
  RepeatScope(const RepeatScope &) = delete;
  RepeatScope &operator=(const RepeatScope &) = delete;

private:
  mlir::MLIRContext &context_;
};

} // namespace fuselage
