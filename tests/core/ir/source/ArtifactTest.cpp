// Bytecode in other files, and portable artifacts that are damaged or too new.
#include "core/ir/source/Artifact.h"
#include "core/ir/Session.h"
#include "core/ir/source/BytecodeFile.h"
#include "core/registration/Registration.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

const char *const kArtifacts[] = {"portable-0.9.0.mlirbc", "portable-1.0.0.mlirbc",  "portable-1.17.0.mlirbc",
                                  "portable-own.mlirbc",   "portable-shardy.mlirbc", "portable.jaxexport"};

std::string artifact(const std::string &name) {
  auto buffer = llvm::MemoryBuffer::getFile(FUSELAGE_SOURCE_DIR "/tests/lit/tolerant/Inputs/" + name);
  EXPECT_TRUE(bool(buffer)) << name;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

llvm::Expected<ReadResult> read(llvm::StringRef bytes) {
  Session session(allDialects());
  auto result = session.readText(bytes, "artifact");
  if (result)
    result->module = nullptr; // before its context
  return result;
}

std::string refusal(llvm::StringRef bytes) {
  auto result = read(bytes);
  if (!result)
    return takeFailure(result.takeError()).message;
  ADD_FAILURE() << "opened";
  return "";
}

} // namespace

TEST(Artifact, BytecodeIsFoundByItsSections) {
  std::string bytes = artifact("portable-1.0.0.mlirbc");
  std::string length(4, '\0');
  for (unsigned i = 0; i < 4; ++i)
    length[i] = static_cast<char>(bytes.size() >> 8 * i);
  std::string head = "head" + std::string("\0ML\xefR and no more", 18), tail = std::string("\x01\x05tail", 6);
  for (const std::string &before : {head, head + length}) {
    std::vector<EmbeddedBytecode> found = findEmbeddedBytecode(before + bytes + tail + bytes + '\0');
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].offset, before.size());
    EXPECT_EQ(found[1].offset, before.size() + bytes.size() + tail.size());
  }
  std::string file = head + length + bytes + tail;
  EXPECT_EQ(findEmbeddedBytecode(file).front().bytes, bytes);
  EXPECT_TRUE(findEmbeddedBytecode(bytes).empty()) << "it is bytecode itself";
  EXPECT_TRUE(findEmbeddedBytecode("text with ML\xefR").empty());
  EXPECT_TRUE(findEmbeddedBytecode(head + llvm::StringRef(bytes).take_front(bytes.size() / 2).str()).empty());
}

TEST(Artifact, TheFirstPieceThatReadsIsTaken) {
  std::string good = artifact("portable-1.0.0.mlirbc"), bad = good;
  size_t op = bad.find("reduce_window_v1");
  ASSERT_NE(op, std::string::npos);
  bad[op] = 'R';
  std::string file = std::string("\0\0", 2) + bad + std::string("\0\0", 2) + good;
  auto result = read(file);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  ASSERT_EQ(result->diagnostics.size(), 1u);
  EXPECT_NE(result->diagnostics.front().message.find("from byte " + std::to_string(bad.size() + 4)), std::string::npos)
      << result->diagnostics.front().message;
}

TEST(Artifact, EachNamesItsDialectsAndItsProducer) {
  EXPECT_EQ(bytecodeProducer(artifact("portable-0.9.0.mlirbc")), "StableHLO_v0.9.0");
  EXPECT_EQ(bytecodeProducer(artifact("portable-1.17.0.mlirbc")), "StableHLO_v1.17.0");
  // The first version of bytecode has no versions of dialects.
  EXPECT_EQ(bytecodeDialects(artifact("portable-0.9.0.mlirbc")), (std::vector<std::string>{"builtin", "vhlo"}));
  EXPECT_EQ(bytecodeDialects(artifact("portable-1.17.0.mlirbc")), (std::vector<std::string>{"builtin", "vhlo"}));
  EXPECT_EQ(bytecodeProducer("no bytecode"), "");
}

TEST(Artifact, AnOpOfALaterVersionNamesWhoWroteIt) {
  std::string bytes = artifact("portable-1.0.0.mlirbc");
  bytes[bytes.find("reduce_window_v1") + strlen("reduce_window_v")] = '7';
  std::string message = refusal(bytes);
  EXPECT_NE(message.find("'StableHLO_v1.0.0' wrote"), std::string::npos) << message;
  EXPECT_NE(message.find("vhlo.reduce_window_v7"), std::string::npos) << message;
  EXPECT_EQ(message.find("--target"), std::string::npos) << message;
  bytes[bytes.find("_v1.0.0") + strlen("_v")] = '9';
  message = refusal(bytes);
  EXPECT_NE(message.find("'StableHLO_v9.0.0' wrote"), std::string::npos) << message;
  EXPECT_NE(message.find("--target=1.17.0"), std::string::npos) << message;
}

TEST(Artifact, TruncatedOnesAreRefused) {
  for (const char *name : kArtifacts) {
    std::string bytes = artifact(name);
    // Pieces of the container after the module do not matter.
    std::vector<EmbeddedBytecode> embedded = findEmbeddedBytecode(bytes);
    size_t end = embedded.empty() ? bytes.size() : embedded.front().offset + embedded.front().bytes.size();
    for (size_t length = 5; length < end; length += 97)
      EXPECT_FALSE(refusal(llvm::StringRef(bytes).take_front(length)).empty()) << name << ' ' << length;
    EXPECT_FALSE(refusal(llvm::StringRef(bytes).take_front(end - 1)).empty()) << name;
  }
}

TEST(Artifact, ChangedBytesDoNoHarm) {
  std::mt19937 random(1);
  for (const char *name : kArtifacts) {
    const std::string bytes = artifact(name);
    for (int round = 0; round < 15; ++round) {
      std::string changed = bytes;
      for (unsigned i = 0; i <= random() % 4; ++i)
        changed[random() % changed.size()] ^= static_cast<char>(1u << random() % 8);
      auto result = read(changed);
      if (!result)
        EXPECT_FALSE(takeFailure(result.takeError()).message.empty());
    }
  }
}
