// Where the ops of a module stand in the file that it was read from.
#pragma once
#include "core/ir/module/PrintedModule.h"

namespace fuselage {

class OpIndex;

class WrittenOps {
public:
  /// Ops are found by their locations in `file`; those whose locations name other files (`loc("x.py":1:2)`), by their
  /// names and their order in the op around them.
  WrittenOps(llvm::StringRef text, llvm::StringRef file, const OpIndex &ops);

  /// The outermost op that starts on the line (from 0), else the innermost around it; -1: none.
  OpId opAt(unsigned line) const;
  std::optional<LineRange> linesOf(OpId id) const;

private:
  struct Place {
    LineRange lines;
    OpId id;
  };
  std::vector<Place> places_; // in the order of the text
  llvm::DenseMap<OpId, LineRange> lines_;
};

} // namespace fuselage
