#include "core/run/values/InputValue.h"
#include "core/registration/Registration.h"
#include "core/run/values/NpyFile.h"
#include "tests/core/run/RunTestSupport.h"
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

class InputValues : public ::testing::Test {
protected:
  void SetUp() override {
    module = parse(session, R"(
      func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xi8>, %c: i1, %d: index, %e: tensor<2xui8>, %g: tensor<2xcomplex<f32>>, %h: tensor<2xbf16>) {
        return
      })");
    function = module->lookupSymbol<func::FuncOp>("f");
  }
  std::vector<InputValue> make(std::map<std::string, std::string> how) { return valueOf(makeInputs(function, 1, how)); }
  std::string error(std::map<std::string, std::string> how) { return errorOf(makeInputs(function, 1, how)); }

  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};

} // namespace

TEST_F(InputValues, WordsAndNumbers) {
  auto inputs = make({{"arg0", "iota"},
                      {"arg1", "-5"},
                      {"arg2", "true"},
                      {"arg3", "7"},
                      {"arg4", "255"},
                      {"arg5", "1.5"},
                      {"arg6", "ones"}});
  EXPECT_EQ(inputs[0].tensor.as<float>()[5], 5);
  EXPECT_EQ(inputs[0].source, "iota");
  EXPECT_EQ(inputs[1].tensor.integerAt(3), -5);
  EXPECT_EQ(inputs[2].tensor.integerAt(0), 1);
  EXPECT_EQ(inputs[3].tensor.integerAt(0), 7);
  EXPECT_EQ(inputs[4].tensor.integerAt(1), 255);
  EXPECT_EQ(inputs[5].tensor.as<float>()[2], 1.5f);
  EXPECT_EQ(inputs[5].tensor.as<float>()[3], 0);
  EXPECT_EQ(inputs[6].tensor.floatAt(1), 1);
  EXPECT_EQ(make({{"arg0", "zeros"}})[0].tensor.as<float>()[1], 0);
  EXPECT_EQ(make({{"arg0", "-2.5e-1"}})[0].tensor.as<float>()[1], -0.25f);
  EXPECT_TRUE(std::isinf(make({{"arg0", "inf"}})[0].tensor.as<float>()[1]));
  // What is not named stays as it was.
  EXPECT_EQ(make({{"arg1", "0"}})[0].tensor.as<float>(), make({})[0].tensor.as<float>());
  EXPECT_EQ(make({})[0].note, "normal distribution");
}

TEST_F(InputValues, ProblemsNameTheArgument) {
  auto says = [&](std::map<std::string, std::string> how, const char *text) {
    std::string message = error(how);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  says({{"arg7", "1"}}, "'arg7' names no argument of @f; its arguments are arg0 to arg6");
  says({{"arg1", "128128"}}, "arg1 of @f, a tensor<4xi8>, cannot hold 128128");
  says({{"arg1", "-129"}}, "cannot hold -129");
  says({{"arg4", "-1"}}, "arg4 of @f, a tensor<2xui8>, cannot hold -1");
  says({{"arg2", "2"}}, "cannot hold 2");
  says({{"arg1", "1.5"}}, "takes whole numbers, not 1.5");
  says({{"arg3", "99999999999999999999999999999999999999999999"}}, "cannot hold");
  says({{"arg0", "@/nonexistent.npy"}}, "/nonexistent.npy");
  says({{"arg0", "many"}}, "not 'many'");
  says({{"input", "1"}}, "arg0=zeros");
}

TEST_F(InputValues, FormsAreCheckedBeforeAnythingRuns) {
  for (const char *how : {"random", "zeros", "ones", "iota", "5", "-5", "1.5", "1e-3", "nan", "true", "@x.npy",
                          "123456789012345678901234567890"})
    EXPECT_EQ(checkInputForm("arg0", how), "") << how;
  for (const char *how : {"", "@", "x", "zeroes", "5x"})
    EXPECT_NE(checkInputForm("arg0", how), "") << how;
  for (const char *name : {"", "arg", "0", "argx", "arg-1", "arg99999999999", "ARG0"})
    EXPECT_NE(checkInputForm(name, "zeros"), "") << name;
}

TEST_F(InputValues, FilesAreRead) {
  HostTensor values = floats(session.context(), {2, 3}, {1, 2, 3, 4, 5, 6});
  std::string path = std::filesystem::temp_directory_path() / ("fuselage-input-" + std::to_string(::getpid()) + ".npy");
  std::ofstream(path, std::ios::binary) << valueOf(npyBytes(values));
  EXPECT_EQ(make({{"arg0", "@" + path}})[0].tensor.as<float>(), values.as<float>());
  std::string message = error({{"arg1", "@" + path}});
  EXPECT_NE(message.find("arg1 of @f, a tensor<4xi8>, cannot be given: cannot read " + path), std::string::npos)
      << message;
  std::filesystem::remove(path);
}
