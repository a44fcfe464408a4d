// Nothing outside of a bundle's folder is read, and nothing that was changed.
#include "core/bundle/BundleFiles.h"
#include "TestBundle.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuselage::bundle {
namespace {

class BundleFiles : public testing::Test {
protected:
  void SetUp() override {
    char path[] = "/tmp/fuselage-bundle-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    path_ = path;
    auto folder = Folder::create(path_ + "/bundle");
    ASSERT_TRUE(folder) << folder.error().message();
    ASSERT_TRUE(folder->write("code.kernel", "code"));
    ASSERT_TRUE(folder->write("in.bin", std::string(16, '\0')));
    ASSERT_TRUE(folder->write("out.bin", std::string(16, '\1')));
    ASSERT_FALSE(folder->write(smallManifest()));
  }
  void TearDown() override { ASSERT_EQ(std::system(("rm -rf '" + path_ + "'").c_str()), 0); }

  std::string refusal() const {
    auto folder = Folder::open(path_ + "/bundle");
    if (!folder)
      return folder.error().message();
    auto manifest = folder->manifest();
    if (!manifest)
      return manifest.error().message();
    return folder->check(*manifest).message();
  }
  std::string pathOf(const std::string &name) const { return path_ + "/bundle/" + name; }

  std::string path_;
};

TEST_F(BundleFiles, AreTakenAsTheyWereWritten) { EXPECT_EQ(refusal(), ""); }

TEST_F(BundleFiles, AChangedByteIsNoticed) {
  std::ofstream(pathOf("code.kernel")) << "cods";
  EXPECT_NE(refusal().find("'code.kernel' of bundle"), std::string::npos);
  EXPECT_NE(refusal().find("does not have the checksum"), std::string::npos);
}

TEST_F(BundleFiles, AnotherSizeIsNoticed) {
  std::ofstream(pathOf("in.bin")) << "short";
  EXPECT_NE(refusal().find("has 5 bytes, and not the 16"), std::string::npos) << refusal();
  std::ofstream(pathOf("in.bin")) << std::string(17, 'a');
  EXPECT_NE(refusal().find("more than the 16"), std::string::npos) << refusal();
}

TEST_F(BundleFiles, LinksAreNotFollowed) {
  std::ofstream(path_ + "/outside") << "code";
  ASSERT_EQ(unlink(pathOf("code.kernel").c_str()), 0);
  ASSERT_EQ(symlink((path_ + "/outside").c_str(), pathOf("code.kernel").c_str()), 0);
  EXPECT_NE(refusal().find("'code.kernel' of bundle '" + path_ + "/bundle' is a link"), std::string::npos) << refusal();
}

TEST_F(BundleFiles, APipeIsNotWaitedFor) {
  ASSERT_EQ(unlink(pathOf("code.kernel").c_str()), 0);
  ASSERT_EQ(mkfifo(pathOf("code.kernel").c_str(), 0600), 0);
  EXPECT_NE(refusal().find("is no plain file"), std::string::npos) << refusal();
}

TEST_F(BundleFiles, AMissingFileIsNamed) {
  ASSERT_EQ(unlink(pathOf("out.bin").c_str()), 0);
  EXPECT_NE(refusal().find("'out.bin'"), std::string::npos) << refusal();
  ASSERT_EQ(unlink(pathOf("manifest.json").c_str()), 0);
  EXPECT_NE(refusal().find("'manifest.json'"), std::string::npos) << refusal();
}

TEST_F(BundleFiles, AFolderOfOtherThingsIsNotWritten) {
  ASSERT_EQ(mkdir((path_ + "/other").c_str(), 0700), 0);
  std::ofstream(path_ + "/other/thesis.txt") << "text";
  auto folder = Folder::create(path_ + "/other");
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message().find("is no bundle"), std::string::npos);
  EXPECT_TRUE(Folder::create(path_ + "/bundle")) << "a bundle is written anew";
}

TEST_F(BundleFiles, AreNotWrittenThroughALink) {
  ASSERT_EQ(symlink((path_ + "/outside").c_str(), pathOf("new.bin").c_str()), 0);
  auto folder = Folder::open(path_ + "/bundle");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->write("new.bin", "content"));
  EXPECT_NE(access((path_ + "/outside").c_str(), F_OK), 0);
}

} // namespace
} // namespace fuselage::bundle
