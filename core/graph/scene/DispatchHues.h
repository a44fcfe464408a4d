// Which colour a dispatch has, in every picture of a document.
#pragma once
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// Dispatches are known by where their root op comes from. The first picture gives them hues in order; those of
/// later ones keep theirs, and what is new gets the next that is free.
class DispatchHues {
public:
  /// `loc` is empty where nobody knows: then the number decides.
  unsigned of(llvm::StringRef loc, unsigned number) {
    if (loc.empty())
      return number;
    return hues_.try_emplace(loc, hues_.size()).first->second;
  }

private:
  llvm::StringMap<unsigned> hues_;
};

} // namespace fuselage
