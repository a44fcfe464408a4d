// Damaged texts of shardings end with a message, and what is read of them makes sense.
#include "core/meshes/GspmdText.h"
#include "core/meshes/SdyText.h"
#include "core/support/Error.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

constexpr llvm::StringLiteral seeds[] = {
    "#sdy.sharding<@mesh, [{\"a\":(1)2, \"b\", ?}p1, {?}, {}], replicated={\"c\"}, unreduced={\"d\"}>",
    "#sdy.sharding_per_value<[<mesh<[\"x\"=2, \"y\"=2], device_ids=[3, 2, 1, 0]>, [{\"x\"}, {}]>, <@m, []>]>",
    "<[\"data\"=2, \"model\"=4], device_ids=[0, 1, 2, 3, 4, 5, 6, 7]>",
    "[{\"x\"}: 0->2, {\"y\":(1)2}: 1->3]",
    "{devices=[2,1,4]<=[2,4]T(1,0) last_tile_dims={manual, replicated} metadata={op=\"x\"}}",
    "{{devices=[2,2]3,2,1,0}, {maximal device=3}, {replicated}}"};

/// A few bytes are others, gone, or there again.
std::string damaged(llvm::StringRef text, std::mt19937 &random) {
  std::string result = text.str();
  for (unsigned count = 1 + random() % 4; count > 0 && !result.empty(); --count) {
    size_t at = random() % result.size();
    switch (random() % 4) {
    case 0:
      result[at] = "[]{}<>(),:=\"@?#0123456789T-x\\\0"[random() % 32];
      break;
    case 1:
      result.erase(at, 1 + random() % 8);
      break;
    case 2:
      result.insert(at, result.substr(random() % result.size(), random() % 12));
      break;
    default:
      result.insert(at, "99999999999999999999");
    }
  }
  return result;
}

template <class T> void expectMessage(llvm::Expected<T> result, const std::string &text) {
  if (!result)
    EXPECT_FALSE(takeFailure(result.takeError()).message.empty()) << text;
}

/// What is read can be laid out, or refuses with a message.
void layOut(const DeviceMesh &mesh, const Sharding &sharding, const std::string &text) {
  expectMessage(layoutOf(mesh, sharding, {7, 8, 9}), text);
}

} // namespace

TEST(DamagedSharding, EndsWithAMessage) {
  std::mt19937 random(11);
  const DeviceMesh mesh{.name = "mesh", .axes = {{"a", 4}, {"b", 2}, {"c", 2}, {"d", 2}, {"x", 2}, {"y", 2}}};
  unsigned readable = 0;
  for (int round = 0; round < 60000; ++round) {
    const std::string text = damaged(seeds[round % std::size(seeds)], random);
    if (auto sharding = readSdySharding(text)) {
      ++readable;
      layOut(sharding->mesh ? *sharding->mesh : mesh, sharding->sharding, text);
    } else {
      EXPECT_FALSE(takeFailure(sharding.takeError()).message.empty()) << text;
    }
    expectMessage(readSdyShardings(text), text);
    expectMessage(readSdyMoves(text), text);
    expectMessage(readSdyAxisLists(text), text);
    expectMessage(readSdyAxes(text), text);
    if (auto read = readSdyMesh(text))
      EXPECT_EQ(checkMesh(*read), "") << text;
    else
      EXPECT_FALSE(takeFailure(read.takeError()).message.empty()) << text;
    if (auto shardings = readGspmdShardings(text)) {
      ++readable;
      if (auto derived = findGspmdMesh(*shardings)) {
        EXPECT_EQ(checkMesh(*derived), "") << text;
        for (const GspmdSharding &sharding : *shardings)
          for (size_t rank = 0; rank < 4; ++rank)
            expectMessage(layoutOf(*derived, sharding, std::vector<int64_t>(rank, 6)), text);
      }
    } else {
      EXPECT_FALSE(takeFailure(shardings.takeError()).message.empty()) << text;
    }
  }
  EXPECT_GT(readable, 500u); // damage that does not show
}
