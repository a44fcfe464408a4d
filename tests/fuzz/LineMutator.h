// Changes of a text that leave most of it what it was: MLIR is a line an op, most of the time.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>

namespace fuselage::fuzz {

/// Does one of: deletes, repeats or swaps lines, puts another number or type in place of one, swaps two values, asks
/// for another command (see cliCommandOf()).
std::string mutateLines(llvm::StringRef text, std::minstd_rand &random);

} // namespace fuselage::fuzz
