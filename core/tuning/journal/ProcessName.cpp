#include "core/tuning/journal/ProcessName.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <cerrno>
#include <csignal>
#include <sys/random.h>
#include <unistd.h>

namespace fuselage::tune {

std::string hostName() {
  char name[256] = "host";
  gethostname(name, sizeof(name) - 1);
  return name;
}

/// Empty where the system does not tell.
static std::string numberingPlace() {
  auto boot = llvm::MemoryBuffer::getFileAsStream("/proc/sys/kernel/random/boot_id");
  char space[64];
  ssize_t size = readlink("/proc/self/ns/pid", space, sizeof(space));
  if (!boot || size <= 0)
    return "";
  return llvm::utohexstr(
      llvm::xxh3_64bits(((*boot)->getBuffer() + llvm::StringRef(space, static_cast<size_t>(size))).str()),
      /*LowerCase=*/true);
}

std::string processName() {
  static const uint64_t drawn = [] {
    uint64_t number = 0;
    return getentropy(&number, sizeof(number)) == 0 ? number : 0;
  }();
  static const std::string place = numberingPlace();
  return hostName() + ":" + std::to_string(getpid()) + ":" + llvm::utohexstr(drawn, /*LowerCase=*/true) + ":" + place;
}

bool hasEnded(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> parts, ours;
  std::string self = processName();
  name.split(parts, ':');
  llvm::StringRef(self).split(ours, ':');
  pid_t process = 0;
  return parts.size() == 4 && !parts[3].empty() && parts[3] == ours.back() && !parts[1].getAsInteger(10, process) &&
         process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

} // namespace fuselage::tune
