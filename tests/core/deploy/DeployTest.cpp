// What the folder of an engine is made of, and scripts on the other side of a command. tests/lit/remote does all of it.
#include "core/deploy/ElfFacts.h"
#include "core/deploy/EngineId.h"
#include "core/deploy/FarShell.h"
#include "core/deploy/InstalledEngines.h"
#include "core/deploy/Launcher.h"
#include "core/deploy/LoadedLibraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

TEST(ElfFacts, VersionsAreNumbers) {
  NeededVersions needed;
  for (const char *version : {"GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_PRIVATE", "GLIBCXX_3.4.9",
                              "GLIBCXX_3.4.30", "CXXABI_1.3.13", "CXXABI_FLOAT128", "GCC_3.0"})
    needed.add(version);
  EXPECT_EQ(versionText(needed.glibc), "2.34");
  EXPECT_EQ(versionText(needed.glibcxx), "3.4.30");
  EXPECT_EQ(versionText(needed.cxxabi), "1.3.13");
}

TEST(ElfFacts, ThisProgramIsStrippedToOneThatNeedsTheSame) {
  auto file = llvm::MemoryBuffer::getFile("/proc/self/exe", /*IsText=*/false, /*RequiresNullTerminator=*/false);
  ASSERT_TRUE(file);
  auto small = stripped((*file)->getBuffer(), "test");
  ASSERT_TRUE(bool(small)) << llvm::toString(small.takeError());
  EXPECT_LT(small->size(), (*file)->getBufferSize());
  NeededVersions before, after;
  EXPECT_FALSE(addNeededVersions((*file)->getBuffer(), "test", before));
  EXPECT_FALSE(addNeededVersions(*small, "test", after));
  EXPECT_EQ(before.glibc, after.glibc);
  EXPECT_GE(after.glibc, (NeededVersions::Version{2, 2, 5}));
  auto error = addNeededVersions("no program", "notes.txt", after);
  EXPECT_NE(llvm::toString(std::move(error)).find("'notes.txt' cannot be packed: "), std::string::npos);
}

TEST(LoadedLibraries, AreThoseOfTheLoader) {
  auto libraries = loadedLibraries();
  ASSERT_TRUE(bool(libraries)) << llvm::toString(libraries.takeError());
  for (const char *stem : {"libMLIR.so", "libLLVM.so", "libc.so.6", "ld-linux", "libarchive.so", "libgit2.so"})
    EXPECT_TRUE(llvm::any_of(*libraries, [&](const auto &each) {
      return llvm::StringRef(each.name).starts_with(stem);
    })) << stem;
  EXPECT_EQ(engineId(), engineId());
  EXPECT_EQ(llvm::StringRef(engineId()).rsplit('-').second.size(), 12u);
}

TEST(Launcher, NamesWhatIsNeeded) {
  const std::string script =
      launcherScript({.glibc = {2, 36}, .glibcxx = {3, 4, 30}, .cxxabi = {1, 3, 13}}, "ld-linux-x86-64.so.2");
  for (const char *part : {"-gt 2 ]", "-ge 36 ]", "GLIBCXX_3.4.30", "CXXABI_1.3.13", "runtime/ld-linux-x86-64.so.2"})
    EXPECT_NE(script.find(part), std::string::npos) << part;
  EXPECT_EQ(llvm::StringRef(script).count('@'), llvm::StringRef(script).count("\"$@\"")); // no mark is left
}

TEST(FarShell, PassesArgumentsAsTheyAre) {
  auto shell = FarShell::of("sh -c");
  ASSERT_TRUE(bool(shell));
  auto end = shell->run("printf '%s|' \"$@\"; cat; echo problem >&2; exit 3", {"a b", "it's", "$HOME"}, "input");
  ASSERT_TRUE(bool(end)) << llvm::toString(end.takeError());
  EXPECT_EQ(end->output, "a b|it's|$HOME|input");
  EXPECT_EQ(end->messages, "problem\n");
  EXPECT_EQ(end->exitCode, 3);
  EXPECT_EQ(llvm::toString(farError(*shell, *end)), "on the other side of 'sh -c': problem");
}

TEST(FarShell, SaysWhatIsWrong) {
  EXPECT_NE(llvm::toString(FarShell::of("").takeError()).find("a host needs a command"), std::string::npos);
  EXPECT_NE(llvm::toString(FarShell::of("ssh gpu1 | cat").takeError()), "");
  auto shell = FarShell::of("sh -c");
  ASSERT_TRUE(bool(shell));
  auto slow = shell->run(
      "sleep 60", {}, []() -> llvm::Expected<std::optional<std::string>> { return std::nullopt; }, /*idleSeconds=*/0.1);
  EXPECT_NE(llvm::toString(slow.takeError()).find("said nothing for"), std::string::npos);
  auto killed = shell->run("kill -9 $$", {});
  EXPECT_NE(llvm::toString(killed.takeError()).find("died"), std::string::npos);
}

TEST(InstalledEngines, SayWhyThereCanBeNone) {
  FarState state{.id = "1", .machine = "x86_64", .arch = "x86_64", .place = "ok"};
  EXPECT_EQ(whyNotInstallable(state, 100), "");
  state.freeKibibytes = 50;
  EXPECT_NE(whyNotInstallable(state, 1'000'000).find("has 0 MB left, and the engine needs 1 MB"), std::string::npos);
  state.missingTools = {"gzip", "head"};
  EXPECT_NE(whyNotInstallable(state, 0).find("gzip, head"), std::string::npos);
  state.place = "noexec";
  EXPECT_NE(whyNotInstallable(state, 0).find("mounted noexec"), std::string::npos);
  state.arch = "aarch64";
  EXPECT_NE(whyNotInstallable(state, 0).find("is aarch64, and this engine is for x86_64"), std::string::npos);
}

} // namespace
} // namespace fuselage
