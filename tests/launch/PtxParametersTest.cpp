// The driver reads as many arguments as the PTX says: nothing that says more than the manifest goes there.
#include "app/launch/PtxParameters.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

std::string ptx(const std::string &parameters) {
  return ".version 7.8\n.target sm_80 // .entry f(.param .u64 a)\n.visible .entry f_1(\n)\n{ ret; }\n.visible .entry "
         "f(" +
         parameters + ")\n.maxntid 128, 1, 1\n{\n  ret;\n}\n";
}
const std::string kTwo = "\n\t.param .u64 .ptr .align 1 f_param_0,\n\t.param .u64 .ptr .align 1 f_param_1\n";

TEST(PtxParameters, AsManyAsTheManifestHasAreTaken) {
  EXPECT_EQ(checkPtxEntry(ptx(kTwo), "f", 2).message(), "");
  EXPECT_EQ(checkPtxEntry(ptx(""), "f", 0).message(), "");
  EXPECT_EQ(checkPtxEntry(ptx("\n"), "f_1", 0).message(), "");
}

TEST(PtxParameters, OthersAreRefused) {
  struct {
    std::string text;
    size_t count;
    const char *refusal;
  } const wrongs[] = {
      {ptx(kTwo), 3, "has 2 parameters, and the manifest gives it 3 buffers"},
      {ptx(kTwo), 1, "has 2 parameters, and the manifest gives it 1 buffers"},
      {ptx(".param .align 8 .b8 a[4096]"), 1, "parameters other than of 64 bits"},
      {ptx(".param .u64 a[9]"), 1, "parameters other than of 64 bits"},
      {ptx(".param .u32 a"), 1, "parameters other than of 64 bits"},
      {ptx(kTwo) + ptx(kTwo), 2, "an entry of that name, once"},
      {".visible .entry g()\n{}\n", 0, "an entry of that name, once"},
      {ptx("/* ) */" + kTwo), 2, "a comment of several lines"},
      {ptx("// )\n" + kTwo), 0, "has 2 parameters"},
      {std::string("\0", 1) + ptx(kTwo), 2, "has a zero"},
  };
  for (const auto &wrong : wrongs)
    EXPECT_NE(checkPtxEntry(wrong.text, "f", wrong.count).message().find(wrong.refusal), std::string::npos)
        << wrong.text << checkPtxEntry(wrong.text, "f", wrong.count).message();
}

} // namespace
} // namespace fuselage
