// What the costs of known devices are, by documents that state them otherwise.
#include "core/device/DeviceCosts.h"
#include "core/device/KnownDevices.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

DeviceCosts costsOfKnown(llvm::StringRef name) { return costsOf(llvm::cantFail(knownDeviceOrFile(name))); }

// Boost clocks are in the data sheets: 1410, 1980, 2040 and 2520 MHz.
TEST(DeviceCosts, ClocksAreThoseOfTheDataSheets) {
  for (auto [name, gigahertz] :
       {std::pair<const char *, double>{"a100", 1.41}, {"h100", 1.98}, {"l4", 2.04}, {"rtx4090", 2.52}})
    EXPECT_NEAR(costsOfKnown(name).gigahertz, gigahertz, 0.01) << name;
}

// The whitepaper of the A100 gives 1,024 multiply-adds of f16 a cycle and multiprocessor; those of Ada give 512.
TEST(DeviceCosts, MatrixInstructionsAreThoseOfTheWhitepapers) {
  EXPECT_NEAR(16 * costsOfKnown("a100").matrixMultiplyAdds, 1024, 5);
  EXPECT_NEAR(16 * costsOfKnown("rtx4090").matrixMultiplyAdds, 512, 5);
  // 646 TFLOP/s by mma.sync, as measured on an H100.
  DeviceCosts hopper = costsOfKnown("h100");
  EXPECT_NEAR(2 * 16 * hopper.matrixMultiplyAdds * hopper.gigahertz * 132, 646000, 7000);
}

TEST(DeviceCosts, MemoryIsSharedByAllMultiprocessors) {
  DeviceCosts ada = costsOfKnown("l4");
  EXPECT_NEAR(ada.memoryBytes * ada.gigahertz * 58, 300, 1);
  EXPECT_LT(ada.memoryBytes, costsOfKnown("h100").memoryBytes / 4);
}

/// What was measured takes the place of what is stated.
TEST(DeviceCosts, MeasuredPeaksDecide) {
  DeviceModel model = llvm::cantFail(knownDeviceOrFile("h100"));
  model.bandwidth.value /= 2;
  EXPECT_NEAR(costsOf(model).memoryBytes, costsOfKnown("h100").memoryBytes / 2, 1e-9);
  model.peakF16Matrix.value = 323000; // below what mma.sync does at most
  EXPECT_NEAR(costsOf(model).matrixMultiplyAdds, costsOfKnown("h100").matrixMultiplyAdds / 2, 1);
}

TEST(DeviceCosts, UnknownDevicesHaveUsualCosts) {
  DeviceCosts usual, costs = costsOf(DeviceModel());
  EXPECT_EQ(costs.launch, usual.launch);
  EXPECT_EQ(costs.memoryBytes, usual.memoryBytes);
  EXPECT_EQ(costs.multiplyAdds, usual.multiplyAdds);
}

} // namespace
} // namespace fuselage
