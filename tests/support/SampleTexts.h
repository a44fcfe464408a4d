// The modules of samples/.
#pragma once
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace fuselage::test {

/// Texts by path, in order of names.
inline std::map<std::string, std::string> sampleTexts() {
  std::map<std::string, std::string> texts;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(FUSELAGE_SOURCE_DIR "/samples", error), end; file != end && !error;
       file.increment(error)) {
    if (!llvm::StringRef(file->path()).ends_with(".mlir"))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(file->path());
    EXPECT_TRUE(bool(buffer)) << file->path();
    if (buffer)
      texts[file->path()] = (*buffer)->getBuffer().str();
  }
  EXPECT_FALSE(error) << error.message();
  EXPECT_GT(texts.size(), 5u);
  return texts;
}

} // namespace fuselage::test
