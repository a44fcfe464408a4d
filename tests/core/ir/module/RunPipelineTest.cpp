#include "core/ir/module/RunPipeline.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

constexpr const char *kText = R"(
func.func @f() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = arith.addi %0, %0 : i32
  return %1 : i32
})";

class RunPipeline : public testing::Test {
protected:
  void SetUp() override {
    auto read = session_.parse(kText, "t.mlir");
    ASSERT_TRUE(bool(read)) << takeFailure(read.takeError()).message;
    module_ = std::move(*read);
  }
  unsigned countOps() {
    unsigned count = 0;
    module_->walk([&](mlir::Operation *) { ++count; });
    return count;
  }

  Session session_{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

TEST_F(RunPipeline, ChangesTheModule) {
  unsigned before = countOps();
  llvm::Error error = runPipeline(*module_, "builtin.module(func.func(canonicalize))");
  ASSERT_FALSE(error) << llvm::toString(std::move(error));
  EXPECT_EQ(countOps(), before - 1);
}

TEST_F(RunPipeline, NamesWhatDoesNotParse) {
  Failure failure = takeFailure(runPipeline(*module_, "builtin.module(no-such-pass)"));
  EXPECT_TRUE(
      llvm::StringRef(failure.message).starts_with("the pipeline 'builtin.module(no-such-pass)' does not parse: "))
      << failure.message;
  EXPECT_NE(failure.message.find("does not refer to a registered pass"), std::string::npos) << failure.message;
}

TEST_F(RunPipeline, FailsWithWhatMlirSays) {
  std::vector<Diagnostic> said;
  Failure failure = takeFailure(runPipeline(
      *module_, "builtin.module(func.func(fuselage-tile-and-fuse{loop-type=nowhere}))", "it failed", &said));
  EXPECT_EQ(failure.message, "it failed");
  ASSERT_FALSE(failure.diagnostics.empty());
  EXPECT_NE(failure.diagnostics.front().message.find("nowhere"), std::string::npos)
      << failure.diagnostics.front().message;
  EXPECT_TRUE(said.empty());
}

TEST_F(RunPipeline, HandsRemarksOut) {
  std::vector<Diagnostic> said;
  llvm::Error error =
      runPipeline(*module_, "builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=4}))", "it failed", &said);
  ASSERT_FALSE(error) << llvm::toString(std::move(error));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said.front().severity, Diagnostic::Severity::Remark);
}

} // namespace
} // namespace fuselage
