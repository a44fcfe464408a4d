// What PTX can do beyond SPIR-V: wide indices, workgroup memory above 48 KiB, CUDA's device library.
#include "CodegenTestSupport.h"
#include "core/device/NvidiaChips.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;

namespace {

class PtxTest : public testing::Test {
protected:
  void SetUp() override {
    hideCudaToolkit();
    options.target = KernelTarget::Ptx;
    options.chip = "sm_90";
  }
  llvm::Expected<CompiledDispatch> compile(llvm::StringRef source) {
    module = llvm::cantFail(session.parse(source, "test.mlir"));
    return compileDispatch(*module->getOps<mlir::func::FuncOp>().begin(), options);
  }
  std::string errorOf(llvm::StringRef source) {
    auto compiled = compile(source);
    return compiled ? "" : llvm::toString(compiled.takeError());
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  TargetOptions options;
};

/// A row of 80 kB is kept between its maximum, its sum and its quotients.
constexpr const char *longRows = R"(
func.func @rows(%x: tensor<8x20000xf32>) -> tensor<8x20000xf32> {
  %e = tensor.empty() : tensor<8x20000xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x20000xf32>) outs(%e : tensor<8x20000xf32>) -> tensor<8x20000xf32>
  return %r : tensor<8x20000xf32>
})";

constexpr const char *manyBytes = R"(
func.func @many(%x: tensor<3x1073741824xi8>) -> tensor<3x1073741824xi8> {
  %e = tensor.empty() : tensor<3x1073741824xi8>
  %r = linalg.add ins(%x, %x : tensor<3x1073741824xi8>, tensor<3x1073741824xi8>) outs(%e : tensor<3x1073741824xi8>) -> tensor<3x1073741824xi8>
  return %r : tensor<3x1073741824xi8>
})";

constexpr const char *exponential = R"(
func.func @e(%x: tensor<64xf64>) -> tensor<64xf64> {
  %e = tensor.empty() : tensor<64xf64>
  %r = linalg.exp ins(%x : tensor<64xf64>) outs(%e : tensor<64xf64>) -> tensor<64xf64>
  return %r : tensor<64xf64>
})";

} // namespace

TEST_F(PtxTest, WorkgroupMemoryAbove48KiBIsDynamic) {
  options.device.workgroupBytesOptIn = {227 << 10, "test"};
  auto compiled = compile(longRows);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  uint64_t most = 0;
  for (const CompiledKernel &kernel : compiled->kernels) {
    most = std::max(most, kernel.dynamicSharedBytes);
    EXPECT_EQ(kernel.sharedBytes, kernel.dynamicSharedBytes) << "a part is static";
    EXPECT_LE(kernel.sharedBytes, options.maxSharedBytes());
    expectValidPtx(kernel, "sm_90");
    if (kernel.sharedBytes == 0) // of what adds up parts of few rows
      continue;
    EXPECT_NE(kernel.binary.find(".extern .shared .align 16 .b8 dynamic_shared_memory[]"), std::string::npos);
  }
  EXPECT_GT(most, 80000u);
}

TEST_F(PtxTest, SmallWorkgroupMemoryStaysStatic) {
  options.device.workgroupBytes = {48 << 10, "test"};
  auto compiled = compile(longRows);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  ASSERT_FALSE(compiled->kernels.empty());
  for (const CompiledKernel &kernel : compiled->kernels) {
    EXPECT_EQ(kernel.dynamicSharedBytes, 0u);
    EXPECT_LE(kernel.sharedBytes, options.maxSharedBytes());
    EXPECT_EQ(kernel.binary.find(".extern"), std::string::npos);
  }
}

TEST_F(PtxTest, OnlyNarrowIndicesEndAt2To31) {
  auto compiled = compile(manyBytes);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  expectValidPtx(compiled->kernels[0], "sm_90");
  options.target = KernelTarget::Spirv;
  EXPECT_NE(errorOf(manyBytes).find("more than 2^31 elements, which 32-bit indices do not reach"), std::string::npos);
}

TEST_F(PtxTest, FunctionsOfF64NeedTheDeviceLibrary) {
  std::string error = errorOf(exponential);
  EXPECT_NE(error.find("'math.exp' op takes f64 numbers"), std::string::npos) << error;
  EXPECT_NE(error.find("set CUDA_HOME"), std::string::npos) << error;
}

TEST_F(PtxTest, TheDeviceLibraryIsLinked) {
  // A library whose exponential cannot be mistaken for another one; blanks in its path.
  llvm::SmallString<128> root;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("a toolkit", root));
  llvm::SmallString<128> folder(root);
  llvm::sys::path::append(folder, "nvvm", "libdevice");
  ASSERT_FALSE(llvm::sys::fs::create_directories(folder));
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto library = llvm::parseAssemblyString(R"(
target triple = "nvptx64-nvidia-cuda"
define double @__nv_exp(double %x) {
  %r = fmul double %x, 1234.5
  ret double %r
})",
                                           diagnostic, context);
  ASSERT_TRUE(library) << diagnostic.getMessage().str();
  {
    std::error_code error;
    llvm::raw_fd_ostream file((folder + "/libdevice.10.bc").str(), error);
    ASSERT_FALSE(error);
    llvm::WriteBitcodeToFile(*library, file);
  }
  options.cudaToolkit = root.str();
  auto compiled = compile(exponential);
  llvm::sys::fs::remove_directories(root);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  const std::string &ptx = compiled->kernels[0].binary;
  EXPECT_NE(ptx.find("mul.rn.f64"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("0d40934A0000000000"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find(".extern"), std::string::npos) << ptx;
}

TEST(PtxVersion, FollowsTheChipAndTheDriver) {
  EXPECT_EQ(ptxFeatureOf("sm_80"), "+ptx78");
  EXPECT_EQ(ptxFeatureOf("sm_90", 12040), "+ptx78");
  EXPECT_EQ(ptxFeatureOf("sm_86", 11040), "+ptx74");
  EXPECT_EQ(ptxFeatureOf("sm_75", 11020), "+ptx70");
  EXPECT_EQ(ptxFeatureOf("sm_100a"), "+ptx86");
  EXPECT_EQ(ptxFeatureOf("sm_120", 11020), "+ptx87") << "no older version knows the chip";
}
