#include "core/ir/module/PassCatalog.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace fuselage {
namespace {

/// What `print` writes to stdout (file descriptor 1), as a text; empty if that cannot be captured.
std::string captureStdout(llvm::function_ref<void()> print) {
  llvm::outs().flush();
  fflush(stdout);
  int memory = memfd_create("fuselage-passes", MFD_CLOEXEC);
  int saved = dup(STDOUT_FILENO);
  std::string text;
  if (memory >= 0 && saved >= 0 && dup2(memory, STDOUT_FILENO) >= 0) {
    print();
    llvm::outs().flush();
    dup2(saved, STDOUT_FILENO);
    off_t size = lseek(memory, 0, SEEK_END);
    text.resize(std::max<off_t>(size, 0));
    if (pread(memory, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
      text.clear();
  }
  if (memory >= 0)
    close(memory);
  if (saved >= 0)
    close(saved);
  return text;
}

} // namespace

std::vector<CatalogEntry> listRegisteredPasses() {
  // An entry is "  --name   -   description", its options are indented deeper.
  std::string text = captureStdout([] { mlir::printRegisteredPasses(); });
  std::vector<CatalogEntry> entries;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    size_t indent = line.find_first_not_of(' ');
    llvm::StringRef rest = line.drop_front(std::min(indent, line.size()));
    if (!rest.consume_front("--"))
      continue;
    llvm::StringRef name = rest.take_until([](char c) { return c == ' ' || c == '='; });
    const mlir::PassRegistryEntry *entry = nullptr;
    if (const auto *pass = mlir::PassInfo::lookup(name))
      entry = pass;
    else if (const auto *pipeline = mlir::PassPipelineInfo::lookup(name))
      entry = pipeline;
    if (entry && indent <= 2)
      entries.push_back({.argument = name.str(), .description = entry->getPassDescription().str(), .options = {}});
    else if (!entries.empty() && indent > 2)
      entries.back().options.push_back(name.str());
  }
  llvm::sort(entries, [](const auto &a, const auto &b) { return a.argument < b.argument; });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const auto &a, const auto &b) { return a.argument == b.argument; }),
                entries.end());
  return entries;
}

std::vector<std::string> nearestNames(llvm::StringRef name, const std::vector<std::string> &candidates,
                                      unsigned count) {
  std::vector<std::pair<unsigned, llvm::StringRef>> ranked;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate);
    bool contains = name.size() >= 3 && candidate.contains(name);
    // A third of the letters wrong is a typo; more is another word.
    if (contains || distance <= std::max<size_t>(2, name.size() / 3))
      ranked.push_back({contains ? std::min(distance, 2u) : distance, candidate});
  }
  llvm::stable_sort(ranked, [](const auto &a, const auto &b) { return a < b; });
  std::vector<std::string> result;
  for (const auto &[distance, candidate] : ranked)
    if (result.size() < count)
      result.push_back(candidate.str());
  return result;
}

} // namespace fuselage
