// Every command on a valid module.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace fuselage::fuzz {

/// The command lines that a valid module is tried with; "{file}" stands for it.
llvm::ArrayRef<std::vector<std::string>> sweptCommands();

/// What is wrong with how the command line ends on `text`: a death, even one that is made a
/// sentence of, a hang, another exit code than 0, 1 and 2, a refusal that says nothing or names no
/// place, or a wrong result. Nullopt: nothing.
std::optional<std::string> findInSweep(llvm::ArrayRef<std::string> command, llvm::StringRef text);

} // namespace fuselage::fuzz
