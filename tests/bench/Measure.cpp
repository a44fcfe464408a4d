#include "tests/bench/Measure.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <optional>

namespace fuselage::bench {

static constexpr unsigned patienceSeconds = 600;

double bestOf(unsigned runs, llvm::function_ref<void()> work) {
  double best = 1e30;
  for (unsigned i = 0; i < runs; ++i) {
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

bool runQuietly(llvm::ArrayRef<llvm::StringRef> command) {
  std::optional<llvm::StringRef> nowhere[] = {llvm::StringRef(""), llvm::StringRef(""), llvm::StringRef("")};
  return llvm::sys::ExecuteAndWait(command.front(), command, std::nullopt, nowhere, patienceSeconds) == 0;
}

double peakMemory(llvm::ArrayRef<llvm::StringRef> command) {
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&printPeakMemory));
  llvm::SmallVector<llvm::StringRef> measured{self, "peak"};
  measured.append(command.begin(), command.end());
  llvm::SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("fuselage-bench", "txt", output))
    return 0;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(output), llvm::StringRef("")};
  int code = llvm::sys::ExecuteAndWait(self, measured, std::nullopt, redirects, patienceSeconds);
  auto text = llvm::MemoryBuffer::getFile(output);
  llvm::sys::fs::remove(output);
  double mebibytes = 0;
  if (code != 0 || !text || (*text)->getBuffer().trim().getAsDouble(mebibytes))
    return 0;
  return mebibytes;
}

int printPeakMemory(llvm::ArrayRef<const char *> command) {
  llvm::SmallVector<llvm::StringRef> words(command.begin(), command.end());
  std::optional<llvm::StringRef> nowhere[] = {llvm::StringRef(""), llvm::StringRef(""), llvm::StringRef("")};
  std::optional<llvm::sys::ProcessStatistics> statistics;
  int code = llvm::sys::ExecuteAndWait(words.front(), words, std::nullopt, nowhere, patienceSeconds, 0, nullptr,
                                       nullptr, &statistics);
  if (code != 0 || !statistics)
    return 1;
  llvm::outs() << static_cast<double>(statistics->PeakMemory) / 1024 << '\n';
  return 0;
}

} // namespace fuselage::bench
