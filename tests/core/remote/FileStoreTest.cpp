// The cache of files: only what has the hash that it was announced by is used, nothing leads out of its folder, and
// what is in use stays.
#include "core/remote/far/FarSession.h"
#include "core/support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace fuselage::remote {
namespace {

std::string hashOfText(llvm::StringRef text) {
  llvm::SHA256 sha;
  sha.update(text);
  return hashText(sha);
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A cache folder of its own, which is the user's as long as the test runs.
class FileStoreTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fuselage-store", path));
    folder_ = path.str().str();
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    auto root = SafeFolder::make(folder_ + "/store");
    ASSERT_TRUE(bool(root));
    root_.emplace(std::move(*root));
    auto store = FileStore::open(*root_);
    ASSERT_TRUE(bool(store));
    store_.emplace(std::move(*store));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }

  /// Puts a text into the store as one that has the hash; what went wrong.
  std::string put(llvm::StringRef text, const std::string &hash) {
    auto file = store_->begin(hash);
    if (!file)
      return takeFailure(file.takeError()).message;
    while (!(*file)->catchUp())
      ;
    llvm::Error error = (*file)->append((*file)->size(), text.drop_front((*file)->size()));
    if (!error)
      error = store_->finish(**file);
    return error ? takeFailure(std::move(error)).message : "";
  }
  std::string putOf(llvm::StringRef text) {
    EXPECT_EQ(put(text, hashOfText(text)), "");
    return hashOfText(text);
  }

  std::string folder_;
  std::optional<SafeFolder> root_;
  std::optional<FileStore> store_;
};

TEST_F(FileStoreTest, AFileWithAWrongHashIsRefused) {
  const std::string announced = hashOfText("what was announced");
  EXPECT_NE(put("something else", announced).find("is not the one that was announced"), std::string::npos);
  EXPECT_FALSE(store_->has(announced));
  EXPECT_FALSE(store_->has(hashOfText("something else")));
  EXPECT_EQ(put("what was announced", announced), "");
  EXPECT_TRUE(store_->has(announced));
}

TEST_F(FileStoreTest, WhatArrivedEarlierIsNotSentAgain) {
  const std::string text(9 << 20, 'x'), hash = hashOfText(text);
  {
    auto file = store_->begin(hash);
    ASSERT_TRUE(bool(file));
    EXPECT_TRUE((*file)->catchUp());
    EXPECT_FALSE(bool((*file)->append(0, llvm::StringRef(text).take_front(5 << 20))));
  }
  auto file = store_->begin(hash);
  ASSERT_TRUE(bool(file));
  while (!(*file)->catchUp())
    ;
  EXPECT_EQ((*file)->size(), 5u << 20);
  EXPECT_TRUE(bool((*file)->append(0, "from the beginning")) && "a gap, or an overlap, is an error");
  EXPECT_FALSE(bool((*file)->append(5 << 20, llvm::StringRef(text).drop_front(5 << 20))));
  EXPECT_FALSE(bool(store_->finish(**file)));
  EXPECT_TRUE(store_->has(hash));
}

TEST_F(FileStoreTest, AFileOnItsWayCanBeLeftToAnotherSession) {
  const std::string hash = hashOfText("the file");
  auto first = store_->begin(hash);
  ASSERT_TRUE(bool(first));
  EXPECT_TRUE((*first)->catchUp());
  EXPECT_FALSE(bool((*first)->append(0, "the ")));
  (*first)->release();
  EXPECT_TRUE((*first)->reclaim());
  (*first)->release();
  {
    auto second = store_->begin(hash);
    ASSERT_TRUE(bool(second));
    EXPECT_FALSE((*second)->catchUp());
    EXPECT_TRUE((*second)->catchUp());
    EXPECT_EQ((*second)->size(), 4u);
    EXPECT_FALSE((*first)->reclaim());
    EXPECT_FALSE(bool((*second)->append(4, "f")));
  }
  EXPECT_FALSE((*first)->reclaim()) << "it is longer than what the first one knows";
}

TEST_F(FileStoreTest, TwoSessionsThatSendTheSameFileDoNotMix) {
  const std::string hash = hashOfText("the file");
  auto first = store_->begin(hash), second = store_->begin(hash);
  ASSERT_TRUE(bool(first) && bool(second));
  EXPECT_FALSE(bool((*first)->append(0, "the ")));
  EXPECT_FALSE(bool((*second)->append(0, "the file")));
  EXPECT_FALSE(bool(store_->finish(**second)));
  EXPECT_FALSE(bool((*first)->append(4, "file")));
  EXPECT_FALSE(bool(store_->finish(**first)));
  EXPECT_TRUE(store_->has(hash));
}

TEST_F(FileStoreTest, OnlyHashesAreNames) {
  for (const char *name : {"", "..", "../../x", "a", "/etc/passwd"})
    EXPECT_NE(put("text", name).find("is no SHA-256"), std::string::npos) << name;
}

TEST_F(FileStoreTest, PlacesStayInTheSession) {
  const std::string hash = putOf("text");
  auto session = FarSession::open("0123456789abcdef0123456789abcdef", /*isNew=*/true);
  ASSERT_TRUE(bool(session));
  // It has a store of its own.
  auto file = session->store().begin(hash);
  ASSERT_TRUE(bool(file));
  ASSERT_FALSE(bool((*file)->append(0, "text")));
  ASSERT_FALSE(bool(session->store().finish(**file)));
  for (const char *at : {"x", "../x", "0/../x", "0/..", "/0/x", "0//x", "0/x/", "a/x", "0/./x", ""})
    EXPECT_TRUE(bool(session->place(hash, at, false))) << at;
  EXPECT_FALSE(bool(session->place(hash, "0/a/b.mlir", false)));
  EXPECT_EQ(contentOf(session->filesPath() + "/0/a/b.mlir"), "text");
  // A link that somebody has put there is not followed: neither a folder, nor a file, nor in reading.
  const std::string outside = folder_ + "/outside";
  ASSERT_FALSE(llvm::sys::fs::create_directory(outside));
  ASSERT_EQ(symlink(outside.c_str(), (session->filesPath() + "/1").c_str()), 0);
  EXPECT_TRUE(bool(session->place(hash, "1/x", false)));
  std::ofstream(outside + "/secret") << "secret";
  ASSERT_EQ(symlink((outside + "/secret").c_str(), (session->filesPath() + "/0/link").c_str()), 0);
  EXPECT_FALSE(bool(session->read("0/link")));
  EXPECT_FALSE(bool(session->place(hash, "0/link", false)));
  EXPECT_EQ(contentOf(outside + "/secret"), "secret");
  EXPECT_FALSE(llvm::sys::fs::exists(outside + "/x"));
  session->remove();
  EXPECT_TRUE(llvm::sys::fs::exists(outside + "/secret"));
  EXPECT_FALSE(llvm::sys::fs::exists(session->path()));
}

TEST_F(FileStoreTest, ACopyCanBeWrittenToAndALinkIsReplaced) {
  const std::string hash = putOf("text"), other = putOf("other");
  auto folder = root_->folder("place");
  ASSERT_TRUE(bool(folder));
  ASSERT_FALSE(bool(store_->place(hash, *folder, "copy", /*isCopy=*/true)));
  std::ofstream(folder->path() + "/copy", std::ios::app) << " and more";
  ASSERT_FALSE(bool(store_->place(hash, *folder, "file", false)));
  ASSERT_FALSE(bool(store_->place(hash, *folder, "file", false)));
  EXPECT_EQ(contentOf(folder->path() + "/file"), "text");
  ASSERT_FALSE(bool(store_->place(other, *folder, "file", false)));
  EXPECT_EQ(contentOf(folder->path() + "/file"), "other");
  EXPECT_EQ(folder->names().size(), 2u);
}

TEST_F(FileStoreTest, WhatIsInUseIsNotEvicted) {
  const std::string used = putOf("used"), old = putOf("old file"), recent = putOf("recent");
  auto folder = root_->folder("place");
  ASSERT_TRUE(bool(folder));
  ASSERT_FALSE(bool(store_->place(used, *folder, "used", false)));
  timespec long_ago[2] = {{.tv_sec = 1000, .tv_nsec = 0}, {.tv_sec = 1000, .tv_nsec = 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, (root_->path() + "/files/" + old).c_str(), long_ago, 0), 0);
  store_->evict(10);
  EXPECT_TRUE(store_->has(used));
  EXPECT_FALSE(store_->has(old));
  EXPECT_TRUE(store_->has(recent));
  store_->evict(0);
  EXPECT_TRUE(store_->has(used));
  EXPECT_FALSE(store_->has(recent));
}

TEST_F(FileStoreTest, OnlyTheUserGetsIn) {
  putOf("text");
  auto mode = [&](const std::string &path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  };
  for (const char *each : {"", "/files", "/parts"})
    EXPECT_EQ(mode(root_->path() + each), 0700u);
  EXPECT_EQ(mode(root_->path() + "/files/" + hashOfText("text")), 0600u);
  // A folder that others could enter is closed, one that is a link is refused.
  ASSERT_EQ(chmod(root_->path().c_str(), 0777), 0);
  EXPECT_TRUE(bool(SafeFolder::make(root_->path())));
  EXPECT_EQ(mode(root_->path()), 0700u);
  ASSERT_EQ(symlink(root_->path().c_str(), (folder_ + "/link").c_str()), 0);
  auto link = SafeFolder::make(folder_ + "/link");
  ASSERT_FALSE(bool(link));
  EXPECT_NE(takeFailure(link.takeError()).message.find("cannot be used"), std::string::npos);
}

TEST_F(FileStoreTest, HashesOfFilesThatDidNotChangeAreRemembered) {
  const std::string path = folder_ + "/weights", memory = folder_ + "/hashes";
  const std::string text(2 << 20, 'w');
  std::ofstream(path) << text;
  timespec earlier[2] = {{.tv_sec = 1'000'000, .tv_nsec = 5}, {.tv_sec = 1'000'000, .tv_nsec = 5}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), earlier, 0), 0);
  EXPECT_EQ(llvm::cantFail(FileHashes(memory).hashOf(path)), hashOfText(text));
  EXPECT_NE(contentOf(memory).find(hashOfText(text)), std::string::npos);
  // Another hash in the memory shows that it is used.
  std::string changed = contentOf(memory);
  changed.replace(changed.find(hashOfText(text)), 4, "0000");
  std::ofstream(memory) << changed;
  EXPECT_EQ(llvm::cantFail(FileHashes(memory).hashOf(path)).substr(0, 4), "0000");
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_EQ(llvm::cantFail(FileHashes(memory).hashOf(path)), hashOfText(text + "more"));
  for (const char *wrong : {"/dev/null", "/nowhere", "/tmp"}) {
    auto hash = FileHashes("").hashOf(wrong);
    EXPECT_FALSE(bool(hash)) << wrong;
    llvm::consumeError(hash.takeError());
  }
}

} // namespace
} // namespace fuselage::remote
