// What an ELF file says of the machine that it runs on.
#pragma once
#include "core/support/Error.h"
#include <array>
#include <string>

namespace fuselage {

/// Versions of symbols that files ask of the system's libraries; "" where none is asked for.
struct NeededVersions {
  using Version = std::array<unsigned, 3>;
  Version glibc{}, glibcxx{}, cxxabi{};
  void add(llvm::StringRef version); ///< "GLIBC_2.34"
};

/// "2.34", "3.4.30"
std::string versionText(const NeededVersions::Version &version);

/// Adds what the ELF file `content` needs. Failure: it is no ELF file of 64 bits, little endian.
llvm::Error addNeededVersions(llvm::StringRef content, llvm::StringRef path, NeededVersions &needed);

/// The ELF file without symbols and debug information that running does not need.
llvm::Expected<std::string> stripped(llvm::StringRef content, llvm::StringRef path);

/// What `uname -m` says where this program runs: "x86_64".
std::string machineName();

} // namespace fuselage
