// Messages over connections that break at any byte: each arrives once, in order, and whole.
#include "core/remote/link/LinkChannel.h"
#include <gtest/gtest.h>
#include <random>

namespace fuselage::remote {
namespace {

/// Two channels and what is on the way between them.
class Wire {
public:
  LinkChannel near, far;
  std::vector<LinkMessage> atNear, atFar;
  bool isFine = true;

  void connect(bool isNew) {
    toNear_.clear();
    toFar_.clear();
    near.connect(isNew);
    far.connect(isNew);
  }
  void cut() {
    near.disconnect();
    far.disconnect();
  }
  /// Carries up to `bytes` in each direction, as they come out of a pipe.
  void carry(size_t bytes) {
    isFine = move(near, far, toFar_, atFar, bytes) && isFine;
    isFine = move(far, near, toNear_, atNear, bytes) && isFine;
  }
  bool isIdle() const {
    return toNear_.empty() && toFar_.empty() && !near.hasOutput() && !far.hasOutput() && near.unconfirmed() == 0 &&
           far.unconfirmed() == 0;
  }
  std::string toNear_, toFar_;

private:
  static bool move(LinkChannel &from, LinkChannel &to, std::string &wire, std::vector<LinkMessage> &messages,
                   size_t bytes) {
    if (wire.size() < bytes)
      wire += from.takeOutput(bytes);
    std::string piece = wire.substr(0, bytes);
    wire.erase(0, piece.size());
    return to.receive(piece, messages);
  }
};

std::vector<std::string> randomTexts(std::mt19937 &random, unsigned count) {
  std::vector<std::string> texts;
  for (unsigned i = 0; i < count; ++i) {
    const size_t size = i % 7 == 0 ? random() % 300'000 : random() % 200;
    std::string text(size, '\0');
    for (char &each : text)
      each = static_cast<char>(random());
    texts.push_back(std::move(text));
  }
  return texts;
}

void expectTexts(const std::vector<LinkMessage> &messages, const std::vector<std::string> &texts) {
  ASSERT_EQ(messages.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i)
    EXPECT_TRUE(messages[i].text == texts[i]) << i;
}

TEST(LinkChannel, MessagesArriveOverOneConnection) {
  Wire wire;
  wire.connect(/*isNew=*/true);
  wire.near.send('R', "to the engine");
  wire.far.send('M', "");
  while (!wire.isIdle() && wire.isFine)
    wire.carry(7);
  EXPECT_TRUE(wire.isFine);
  expectTexts(wire.atFar, {"to the engine"});
  expectTexts(wire.atNear, {""});
  EXPECT_EQ(wire.atFar[0].kind, 'R');
}

TEST(LinkChannel, NothingIsLostOrDoubledByCuts) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    Wire wire;
    const auto down = randomTexts(random, 20), up = randomTexts(random, 20);
    for (const std::string &text : up)
      wire.near.send('R', text);
    for (const std::string &text : down)
      wire.far.send('M', text);
    bool isNew = true;
    for (unsigned cuts = 0; cuts < 30; ++cuts) {
      wire.connect(std::exchange(isNew, false));
      for (unsigned i = random() % 12; i > 0; --i)
        wire.carry(1 + random() % 60'000);
      wire.cut();
    }
    wire.connect(/*isNew=*/false);
    while (!wire.isIdle() && wire.isFine)
      wire.carry(100'000);
    EXPECT_TRUE(wire.isFine) << seed;
    expectTexts(wire.atFar, up);
    expectTexts(wire.atNear, down);
  }
}

TEST(LinkChannel, DamagedBytesAreNoticed) {
  for (unsigned at = 0; at < 60; ++at) {
    Wire wire;
    wire.connect(/*isNew=*/true);
    wire.near.send('R', "0123456789");
    std::string bytes = wire.near.takeOutput(1000);
    bytes[at % bytes.size()] = static_cast<char>(bytes[at % bytes.size()] ^ 0x10);
    // A length that became larger is noticed when that many bytes have come.
    bytes += std::string(maxLinkPayload, 'x');
    std::vector<LinkMessage> messages;
    EXPECT_FALSE(wire.far.receive(bytes, messages)) << at;
    EXPECT_TRUE(messages.empty()) << at;
  }
}

TEST(LinkChannel, AnotherProcessIsNotMistakenForTheOther) {
  Wire wire;
  wire.connect(/*isNew=*/true);
  wire.near.send('R', "one");
  for (int i = 0; i < 4; ++i)
    wire.carry(1000);
  LinkChannel another;
  another.connect(/*isNew=*/false);
  wire.near.connect(/*isNew=*/false);
  std::vector<LinkMessage> messages;
  EXPECT_FALSE(wire.near.receive(another.takeOutput(1000), messages));
  EXPECT_FALSE(wire.near.mismatch().empty());
}

} // namespace
} // namespace fuselage::remote
