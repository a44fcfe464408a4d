// A process among those of all machines, as journals name it.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::tune {

/// Of the machine; "host" where that has none.
std::string hostName();

/// "host:1234:9a3c:71f0": this process, with a number that it drew, as containers share names of hosts and numbers of
/// processes, and one for where numbers of processes mean the same: this boot of the machine, and the namespace that
/// the process is in.
std::string processName();

/// Whether the process of that name is known to have ended: only who numbers processes as we do can know. One that has
/// taken its number since counts as living.
bool hasEnded(llvm::StringRef name);

} // namespace fuselage::tune
