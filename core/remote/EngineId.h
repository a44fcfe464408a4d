// What an engine is called that is installed on another machine.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::remote {

/// Version and content of a program, "0.1.0-3f9a01c2d4e5": the name of its folder below fuselage/engines in the cache
/// of the other machine. Only the same build has the same name. Empty: the program cannot be read.
std::string engineIdOf(llvm::StringRef program);
/// That of the program that runs.
std::string engineId();

/// What `fuselage --version` prints, without the end of the line: an engine on PATH is used if it prints the same.
std::string engineVersion();

} // namespace fuselage::remote
