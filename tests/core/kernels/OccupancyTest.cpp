// Against what NVIDIA's occupancy calculator gives.
#include "core/kernels/Occupancy.h"
#include <gtest/gtest.h>

using namespace fuselage;

TEST(Occupancy, ChipsByName) {
  EXPECT_EQ(chipLimits("sm_90")->warps, 64u);
  EXPECT_EQ(chipLimits("sm_90a")->sharedBytes, 228u << 10);
  EXPECT_EQ(chipLimits("sm_120")->warps, 48u);
  for (const char *unknown : {"", "sm_", "sm_91", "sm_90x", "gfx942"})
    EXPECT_FALSE(chipLimits(unknown).has_value()) << unknown;
}

TEST(Occupancy, IsLimitedByWhatIsScarcest) {
  ChipLimits chip = *chipLimits("sm_80");
  Occupancy warps = occupancyOf(chip, 1024, 32, 0);
  EXPECT_EQ(warps.blocks, 2u);
  EXPECT_EQ(warps.warps, 64u);
  EXPECT_EQ(warps.limiter, "warps");
  Occupancy registers = occupancyOf(chip, 256, 128, 0);
  EXPECT_EQ(registers.blocks, 2u);
  EXPECT_EQ(registers.warps, 16u);
  EXPECT_EQ(registers.limiter, "registers");
  Occupancy memory = occupancyOf(chip, 128, 32, 48 << 10);
  EXPECT_EQ(memory.blocks, 3u) << "164 KiB hold three of 48 KiB and 1 KiB that CUDA keeps of each";
  EXPECT_EQ(memory.limiter, "workgroup memory");
  Occupancy blocks = occupancyOf(chip, 32, 16, 0);
  EXPECT_EQ(blocks.blocks, 32u);
  EXPECT_EQ(blocks.limiter, "blocks");
}

TEST(Occupancy, RegistersAreGivenToWarpsInUnits) {
  // 33 registers a thread are 1056 of a warp, which gets 1280: 51 warps, in fours 48, six blocks of eight.
  EXPECT_EQ(occupancyOf(*chipLimits("sm_90"), 256, 33, 0).blocks, 6u);
}
