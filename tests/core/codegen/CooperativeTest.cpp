// Modules with cooperative matrices, which SPIRV-Tools of Debian 12 do not know: MLIR reads and verifies them.
#include "core/codegen/Codegen.h"
#include "core/codegen/Targets.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/runtime/device/SpirvRequirements.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/SPIRV/Deserialization.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace fuselage;
using namespace mlir;

TEST(Cooperative, ModulesAreReadAgain) {
  Session session(allDialects());
  auto module = llvm::cantFail(session.open(FUSELAGE_SOURCE_DIR "/tests/core/codegen/corpus/structured.mlir"));
  auto function = module->lookupSymbol<func::FuncOp>("matmul_f16");
  ASSERT_TRUE(bool(function));
  auto compiled = compileDispatch(function, llvm::cantFail(targetByNameOrDevice("", "rdna3")));
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  ASSERT_EQ(compiled->kernels.size(), 1u);
  const std::string &binary = compiled->kernels.front().binary;
  constexpr unsigned vulkanMemoryModel = 5345, groupNonUniform = 61;
  for (unsigned capability : {kCooperativeMatrixCapability, vulkanMemoryModel, groupNonUniform})
    EXPECT_TRUE(llvm::is_contained(spirvCapabilities(binary), capability)) << capability;

  std::vector<uint32_t> words(binary.size() / 4);
  std::memcpy(words.data(), binary.data(), binary.size());
  EXPECT_EQ(words[1], 0x10600u); // SPIR-V 1.6
  OwningOpRef<spirv::ModuleOp> read = spirv::deserialize(words, &session.context());
  ASSERT_TRUE(bool(read));
  EXPECT_TRUE(succeeded(verify(*read)));
  EXPECT_EQ(read->getMemoryModel(), spirv::MemoryModel::Vulkan);
  unsigned products = 0, unseen = 0;
  read->walk([&](Operation *op) {
    products += isa<spirv::KHRCooperativeMatrixMulAddOp>(op);
    auto load = dyn_cast<spirv::KHRCooperativeMatrixLoadOp>(op);
    unseen += load && load.getMemoryOperand() != spirv::MemoryAccess::NonPrivatePointer;
  });
  EXPECT_GT(products, 0u);
  EXPECT_EQ(unseen, 0u);
}
