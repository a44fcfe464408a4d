#include "core/run/parameters/InputFiles.h"
#include "core/registration/Registration.h"
#include "core/run/Specialize.h"
#include "core/run/values/NpyFile.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace fuselage;
using namespace fuselage::test;
using ::testing::HasSubstr;

static const char *model = R"(
  func.func @main(%arg0: tensor<2xf32>, %w: tensor<2xf32> {fuselage.parameter = "model::net.layer.weight"},
                  %b: tensor<2xf32> {fuselage.parameter = "model::net.layer.bias"}) -> tensor<2xf32> {
    return %arg0 : tensor<2xf32>
  })";

namespace {

class InputFilesTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fuselage-inputs", folder));
    module = parse(session, model);
    function = valueOf(pickFunction(*module, ""));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string write(const std::string &name, const std::string &bytes) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << bytes;
    EXPECT_FALSE(error);
    return path.str().str();
  }
  /// Two tensors of these names, {1, 2} and {3, 4}.
  std::string writeParameters(const std::string &weight, const std::string &bias) {
    std::string header = "{\"" + weight + R"(":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},")" + bias +
                         R"(":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})";
    uint64_t length = header.size();
    float numbers[] = {1, 2, 3, 4};
    return write("w.safetensors", std::string(reinterpret_cast<char *>(&length), 8) + header +
                                      std::string(reinterpret_cast<char *>(numbers), 16));
  }
  llvm::SmallString<128> folder;
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

} // namespace

TEST_F(InputFilesTest, ParametersAreFoundByTheirNames) {
  std::string file = writeParameters("net.layer.weight", "net.layer.bias");
  for (const std::string &given : {file, "model=" + file}) {
    auto values = valueOf(readInputFiles(function, {.folder = "", .parameters = {given}}));
    EXPECT_FALSE(values[0]);
    ASSERT_TRUE(values[1] && values[2]);
    EXPECT_THAT(values[1]->tensor.as<float>(), ::testing::ElementsAre(1, 2));
    EXPECT_THAT(values[2]->tensor.as<float>(), ::testing::ElementsAre(3, 4));
    EXPECT_EQ(values[1]->note, "");
  }
}

TEST_F(InputFilesTest, APrefixOfAllNamesIsLookedThrough) {
  for (const char *prefix : {"", "wrapped.net."}) {
    std::string name = prefix;
    auto values = valueOf(readInputFiles(
        function, {.folder = "", .parameters = {writeParameters(name + "layer.weight", name + "layer.bias")}}));
    ASSERT_TRUE(values[1]) << prefix;
    EXPECT_THAT(values[1]->tensor.as<float>(), ::testing::ElementsAre(1, 2));
    EXPECT_EQ(values[1]->note, "there '" + name + "layer.weight'");
  }
}

TEST_F(InputFilesTest, WhatIsMissingIsNamedAndCounted) {
  std::string file = writeParameters("net.layer.weight", "other");
  std::string why = errorOf(readInputFiles(function, {.folder = "", .parameters = {file}}));
  EXPECT_THAT(
      why, HasSubstr(
               "lacks 1 of the 2 parameters of @main: 'model::net.layer.bias'; there are 'net.layer.weight', 'other'"));
  why = errorOf(readInputFiles(function, {.folder = "", .parameters = {"scope=" + file}}));
  EXPECT_THAT(why, HasSubstr("lacks 2 of the 2"));
  why = errorOf(readInputFiles(function, {.folder = "", .parameters = {folder.str().str() + "/none"}}));
  EXPECT_THAT(why, HasSubstr("cannot read the parameters in"));
  why = errorOf(readInputFiles(function, {.folder = "", .parameters = {folder.str().str()}}));
  EXPECT_THAT(why, HasSubstr("it is no regular file"));
}

TEST_F(InputFilesTest, AFolderOfArrays) {
  std::string why = errorOf(readInputFiles(function, {.folder = folder.str().str(), .parameters = {}}));
  EXPECT_THAT(why, HasSubstr("has no input of @main"));
  write("arg0.npy", valueOf(npyBytes(floats(session.context(), {2}, {5, 6}))));
  write("net.layer.bias.npy", valueOf(npyBytes(floats(session.context(), {2}, {7, 8}))));
  auto values = valueOf(readInputFiles(function, {.folder = folder.str().str(), .parameters = {}}));
  ASSERT_TRUE(values[0] && values[2]);
  EXPECT_FALSE(values[1]);
  EXPECT_THAT(values[0]->tensor.as<float>(), ::testing::ElementsAre(5, 6));
  EXPECT_THAT(values[2]->tensor.as<float>(), ::testing::ElementsAre(7, 8));
}
