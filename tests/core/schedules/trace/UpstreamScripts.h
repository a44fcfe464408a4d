// The scripts of tests/lit/schedules/upstream.
#pragma once
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace fuselage::test {

struct UpstreamScript {
  std::string name, text, payload;
};

inline std::string fileText(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(buffer) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// By name, each with the payload that its RUN line has.
inline std::vector<UpstreamScript> upstreamScripts() {
  const std::string folder = FUSELAGE_SOURCE_DIR "/tests/lit/schedules/upstream/";
  std::vector<UpstreamScript> scripts;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    llvm::StringRef path = it->path();
    if (!path.ends_with(".mlir") || path.contains("Inputs"))
      continue;
    UpstreamScript script{path.str(), fileText(path.str()), ""};
    llvm::StringRef payload = llvm::StringRef(script.text).split("%S/../Inputs/").second;
    script.payload = fileText(folder + "Inputs/" + payload.take_until([](char c) { return c == '\n'; }).str());
    scripts.push_back(std::move(script));
  }
  llvm::sort(scripts, [](const UpstreamScript &a, const UpstreamScript &b) { return a.name < b.name; });
  return scripts;
}

} // namespace fuselage::test
