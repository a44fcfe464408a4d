#include "core/codegen/host/kernels/HostTarget.h"
#include "core/device/HostProcessor.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/registration/Registration.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

DeviceModel someHost() {
  DeviceModel model = hostModel();
  model.subgroupSize = {16, "test"};
  model.registersPerThread = {16 * 32, "test"};
  model.computeUnits = {3, "test"};
  model.firstCacheBytes = {48 << 10, "test"};
  model.secondCacheBytes = {2 << 20, "test"};
  model.computesHalves = {true, "test"};
  return model;
}

TEST(HostTarget, TakesWhatTheModelStates) {
  HostTarget target = HostTarget::of(someHost());
  EXPECT_EQ(target.vectorBytes, 64u);
  EXPECT_EQ(target.vectorRegisters, 32u);
  EXPECT_EQ(target.threads, 3u);
  EXPECT_EQ(target.level1Bytes, 48u << 10);
  EXPECT_EQ(target.level2Bytes, 2u << 20);
  EXPECT_TRUE(target.computesHalves);
}

TEST(HostTarget, WhatNoProcessorHasBecomesTheNearestThatOneHas) {
  DeviceModel model = someHost();
  for (Stated<int64_t> *value : {&model.subgroupSize, &model.registersPerThread, &model.computeUnits,
                                 &model.firstCacheBytes, &model.secondCacheBytes})
    value->value = int64_t(1) << 50;
  HostTarget most = HostTarget::of(model);
  EXPECT_EQ(most.vectorBytes, 256u);
  EXPECT_EQ(most.vectorRegisters, 64u);
  EXPECT_EQ(most.threads, 4096u);
  for (Stated<int64_t> *value : {&model.subgroupSize, &model.registersPerThread, &model.computeUnits,
                                 &model.firstCacheBytes, &model.secondCacheBytes})
    value->value = 0;
  HostTarget least = HostTarget::of(model);
  EXPECT_EQ(least.vectorBytes, 16u);
  EXPECT_EQ(least.vectorRegisters, 8u);
  EXPECT_EQ(least.threads, 1u);
  EXPECT_EQ(least.level1Bytes, 4u << 10);
  EXPECT_EQ(least.level2Bytes, 64u << 10);
}

/// The device of a module decides, unless it is no host: then kernels are for this machine.
TEST(HostTarget, OfAModule) {
  Session session(allDialects());
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(session, "module {}");
  const HostTarget here = HostTarget::of(hostModel());
  EXPECT_EQ(HostTarget::of(*module).threads, here.threads);
  DeviceModel other = someHost();
  setDevice(*module, other);
  EXPECT_EQ(HostTarget::of(*module).level1Bytes, 48u << 10);
  other.language = {"ptx", "test"};
  setDevice(*module, other);
  EXPECT_EQ(HostTarget::of(*module).level1Bytes, here.level1Bytes);
}

} // namespace
