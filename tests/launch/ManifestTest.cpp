// A manifest is somebody else's text: whatever is wrong with it is refused, with what and where.
#include "TestBundle.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fuselage::bundle {
namespace {

using Json = nlohmann::json;

Json smallJson() { return Json::parse(writeManifest(smallManifest())); }

std::string refusalOf(const Json &json) {
  auto manifest = readManifest(json.dump());
  return manifest ? "" : manifest.error().message();
}

TEST(Manifest, IsReadAsItWasWritten) {
  std::string text = writeManifest(smallManifest());
  auto manifest = readManifest(text);
  ASSERT_TRUE(manifest) << manifest.error().message();
  EXPECT_EQ(writeManifest(*manifest), text);
  ASSERT_EQ(manifest->dispatches.size(), 1u);
  EXPECT_EQ(manifest->dispatches[0].kernels[1].entry, "second");
  EXPECT_EQ(manifest->dispatches[0].kernels[1].grid[0], 4u);
  EXPECT_EQ(manifest->omissions[0].why, "it is too large");
}

TEST(Manifest, NoPrefixOfItIsTaken) {
  std::string text = writeManifest(smallManifest());
  text.erase(text.find_last_not_of('\n') + 1);
  for (size_t length = 0; length < text.size(); ++length) {
    auto manifest = readManifest(std::string_view(text).substr(0, length));
    ASSERT_FALSE(manifest) << "of " << length << " bytes";
    ASSERT_NE(manifest.error().message().find("manifest.json is refused"), std::string::npos);
  }
}

/// Calls visit(pointer, path as refusals write it) for every member of the tree.
template <class Visit>
void forEachMember(const Json &json, const std::string &pointer, const std::string &path, const Visit &visit) {
  if (json.is_object())
    for (const auto &[key, value] : json.items()) {
      std::string inner = path.empty() ? key : path + "." + key;
      visit(pointer + "/" + key, inner);
      forEachMember(value, pointer + "/" + key, inner, visit);
    }
  else if (json.is_array())
    for (size_t i = 0; i < json.size(); ++i)
      forEachMember(json[i], pointer + "/" + std::to_string(i), path + "[" + std::to_string(i) + "]", visit);
}

TEST(Manifest, EveryMissingMemberIsNamed) {
  const Json whole = smallJson();
  int members = 0;
  forEachMember(whole, "", "", [&](const std::string &pointer, const std::string &path) {
    Json json = whole;
    size_t slash = pointer.rfind('/');
    json[Json::json_pointer(pointer.substr(0, slash))].erase(pointer.substr(slash + 1));
    if (path == "source_sha256") { // bundles from before had none
      EXPECT_EQ(refusalOf(json), "");
      return;
    }
    EXPECT_NE(refusalOf(json).find(path), std::string::npos) << path << ": " << refusalOf(json);
    ++members;
  });
  EXPECT_GT(members, 60);
}

TEST(Manifest, EveryMemberOfAnotherTypeIsNamed) {
  const Json whole = smallJson();
  for (const Json &other :
       {Json(nullptr), Json("text"), Json(-1), Json(1.5), Json::array({Json::object()}), Json(true)})
    forEachMember(whole, "", "", [&](const std::string &pointer, const std::string &path) {
      Json json = whole;
      Json &member = json[Json::json_pointer(pointer)];
      bool isSameKind = member.type() == other.type() || (member.is_number() && other.is_number());
      if (isSameKind)
        return;
      member = other;
      EXPECT_NE(refusalOf(json).find(path), std::string::npos) << path << " as " << other << ": " << refusalOf(json);
    });
}

TEST(Manifest, NumbersOfAnySizeAreTakenOrRefused) {
  const Json whole = smallJson();
  for (const Json &number : {Json(UINT64_MAX), Json(INT64_MAX), Json(INT64_MIN), Json(-1), Json(0), Json(1e300),
                             Json(uint64_t(1) << 32), Json(uint64_t(1) << 63)})
    forEachMember(whole, "", "", [&](const std::string &pointer, const std::string &) {
      Json json = whole;
      Json &member = json[Json::json_pointer(pointer)];
      if (member.is_number()) {
        member = number;
        refusalOf(json); // it comes back
      } else if (member.is_array() && !member.empty() && member[0].is_number()) {
        member[0] = number;
        refusalOf(json);
      }
    });
}

struct Wrong {
  const char *pointer;
  Json value;
  const char *refusal;
};

TEST(Manifest, WhatWouldBeUnsafeIsRefused) {
  const std::string kernel = "/dispatches/0/kernels/0";
  const std::vector<Wrong> wrongs = {
      {"/version", 2, "version must be 1"},
      {"/format", "other", "format must be"},
      {"/language", "metal", "language must be"},
      {"/source_sha256", "00", "source_sha256 must be 64 digits"},
      {"/dispatches/0/kernels/0/code/file", "../code", "dispatches[0].kernels[0].code.file must be a name"},
      {"/dispatches/0/kernels/0/code/file", "/etc/passwd", "dispatches[0].kernels[0].code.file"},
      {"/dispatches/0/kernels/0/code/file", "a/b", "dispatches[0].kernels[0].code.file"},
      {"/dispatches/0/kernels/0/code/file", ".hidden", "dispatches[0].kernels[0].code.file"},
      {"/dispatches/0/kernels/0/code/file", "", "dispatches[0].kernels[0].code.file"},
      {"/dispatches/0/kernels/0/code/file", "manifest.json", "dispatches[0].kernels[0].code.file"},
      {"/dispatches/0/kernels/0/code/file", std::string("a\0b", 3), "dispatches[0].kernels[0].code.file"},
      {"/dispatches/0/kernels/0/code/file", std::string(200, 'a'), "dispatches[0].kernels[0].code.file"},
      {"/dispatches/0/kernels/0/code/sha256", "00", "dispatches[0].kernels[0].code.sha256 must be 64 digits"},
      {"/dispatches/0/kernels/1/code/bytes", 5, "names the file twice"},
      {"/dispatches/0/kernels/0/code/bytes", uint64_t(1) << 40, "dispatches[0].kernels[0].code.bytes must be at most"},
      {"/dispatches/0/kernels/0/grid", {0, 1, 1}, "dispatches[0].kernels[0].grid[0] must be from 1"},
      {"/dispatches/0/kernels/0/grid", {1, 1}, "dispatches[0].kernels[0].grid must be a list of 3"},
      {"/dispatches/0/kernels/0/grid", {uint64_t(1) << 32, 1, 1}, "dispatches[0].kernels[0].grid[0]"},
      {"/dispatches/0/kernels/0/block", {5000, 1, 1}, "dispatches[0].kernels[0].block[0] must be from 1 to 4096"},
      {"/dispatches/0/kernels/0/shared_bytes", uint64_t(1) << 40, "dispatches[0].kernels[0].shared_bytes"},
      {"/dispatches/0/kernels/0/dynamic_shared_bytes", 2048, "dispatches[0].kernels[0].dynamic_shared_bytes"},
      {"/dispatches/0/kernels/0/buffers", {0, 3}, "dispatches[0].kernels[0].buffers must be numbers below 3"},
      {"/dispatches/0/kernels", Json::array(), "dispatches[0].kernels must be a list of at least one"},
      {"/dispatches/0/scratch_bytes", {UINT64_MAX}, "dispatches[0].scratch_bytes must be smaller"},
      {"/dispatches/0/arguments/0/shape", {-4}, "dispatches[0].arguments[0].shape"},
      {"/dispatches/0/arguments/0/shape", {int64_t(1) << 62, 16}, "dispatches[0].arguments[0].shape"},
      {"/dispatches/0/arguments/0/shape", {5}, "dispatches[0].arguments[0].content.bytes must be 20"},
      {"/dispatches/0/arguments/0/element", "f33", "dispatches[0].arguments[0].element"},
      {"/dispatches/0/results/0/limits/0/absolute", -1.0, "dispatches[0].results[0].limits"},
      {"/dispatches/0/calls", 0, "dispatches[0].calls"},
  };
  for (const Wrong &wrong : wrongs) {
    Json json = smallJson();
    json[Json::json_pointer(wrong.pointer)] = wrong.value;
    EXPECT_NE(refusalOf(json).find(wrong.refusal), std::string::npos)
        << wrong.pointer << " = " << wrong.value.dump() << ": " << refusalOf(json);
  }
}

TEST(Manifest, TheHostNeedsACallThatFitsItsValues) {
  Json json = smallJson();
  json["language"] = "host";
  json["dispatches"][0]["kernels"].erase(1);
  json["dispatches"][0]["scratch_bytes"] = Json::array();
  json["dispatches"][0]["kernels"][0]["buffers"] = {0, 1};
  EXPECT_NE(refusalOf(json).find("dispatches[0].kernels[0].host must be a list of one call"), std::string::npos);
  Json form = {{"kind", "tensor"}, {"element_bytes", 4}, {"shape", {4}}};
  json["dispatches"][0]["kernels"][0]["host"] = Json::array({{{"arguments", Json::array({form})},
                                                              {"results", Json::array({form})},
                                                              {"threads", 2},
                                                              {"limit_seconds", 10},
                                                              {"limit_bytes", 1 << 30}}});
  EXPECT_EQ(refusalOf(json), "");
  for (auto [member, value] : std::vector<std::pair<const char *, Json>>{
           {"element_bytes", 8}, {"shape", {5}}, {"kind", "complex"}, {"kind", "pointer"}}) {
    Json other = json;
    other["dispatches"][0]["kernels"][0]["host"][0]["arguments"][0][member] = value;
    EXPECT_NE(refusalOf(other).find(std::string("dispatches[0].kernels[0].host[0].arguments[0].") + member),
              std::string::npos)
        << refusalOf(other);
  }
}

TEST(Manifest, NestingDoesNotMatter) {
  std::string deep(200000, '[');
  EXPECT_FALSE(readManifest(deep));
  EXPECT_FALSE(readManifest("{\"format\": " + deep + std::string(200000, ']') + "}"));
}

TEST(Sha256, GivesThePublishedDigests) { // FIPS 180-4, examples
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

} // namespace
} // namespace fuselage::bundle
