// Policies in text form.
#include "core/transforms/dispatch/FusionPolicy.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

FusionPolicy parsed(llvm::StringRef text) {
  auto policy = parseFusionPolicy(text);
  EXPECT_TRUE(static_cast<bool>(policy)) << llvm::toString(policy.takeError());
  return policy ? *policy : FusionPolicy();
}

std::string complaint(llvm::StringRef text) {
  auto policy = parseFusionPolicy(text);
  return policy ? "" : llvm::toString(policy.takeError());
}

TEST(FusionPolicy, Presets) {
  EXPECT_TRUE(parsed("conservative").fuseElementwise);
  EXPECT_FALSE(parsed("conservative").lookThroughZeros);
  EXPECT_TRUE(parsed("aggressive").cloneCopies);
  EXPECT_FALSE(parsed("none").fuseElementwiseConsumers);
  EXPECT_TRUE(parsed("none").wrapLeftovers);
  EXPECT_EQ(FusionPolicy().name, aggressivePolicy().name);
}

TEST(FusionPolicy, Changes) {
  FusionPolicy policy = parsed(" conservative { multi-use = true, max-operands=7 } ");
  EXPECT_TRUE(policy.fuseMultiUse);
  EXPECT_EQ(policy.maxOperands, 7);
  EXPECT_TRUE(policy.needInPlace);
  EXPECT_FALSE(parsed("aggressive{}").fuseElementwise);
}

TEST(FusionPolicy, ComplaintsSayWhatThereIs) {
  EXPECT_NE(complaint("bold").find("conservative, aggressive or none"), std::string::npos);
  EXPECT_NE(complaint("").find("conservative"), std::string::npos);
  EXPECT_NE(complaint("none{speed=1}").find("multi-use"), std::string::npos);
  EXPECT_NE(complaint("none{clone=1}").find("true or false"), std::string::npos);
  EXPECT_NE(complaint("none{max-operands=-1}").find("number"), std::string::npos);
  EXPECT_NE(complaint("none{max-operands=99999999999999999999}").find("number"), std::string::npos);
  EXPECT_NE(complaint("none{clone=true").find("'}'"), std::string::npos);
}

} // namespace
