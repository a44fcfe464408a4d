// Names of processes that are unique across machines, for journals.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::tune {

/// The name of the machine; "host" if it has none.
std::string hostName();

/// The name of this process, "host:1234:9a3c:71f0": host, process id, a random number (containers may share host names
/// and process ids), and a hash of this boot of the machine and the process namespace, within which process ids are
/// unique.
std::string processName();

/// Returns true if the process is known to have ended. That is only known for processes of the same boot and namespace.
/// A new process with the same id counts as the old one.
bool hasEnded(llvm::StringRef name);

} // namespace fuselage::tune
