// Large data in printed text: left out, told by size and checksum.
#include "core/ir/module/Blobs.h"
#include "core/ir/Session.h"
#include "core/ir/module/PrintedModule.h"
#include "core/registration/Registration.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

/// `count` floats that differ, as the hex digits of MLIR text.
std::string hexFloats(unsigned count) {
  std::vector<float> values;
  for (unsigned i = 0; i < count; ++i)
    values.push_back(static_cast<float>(i) + 0.5f);
  return llvm::toHex(llvm::StringRef(reinterpret_cast<const char *>(values.data()), count * sizeof(float)));
}

struct Blobs : ::testing::Test {
  std::string print(llvm::StringRef text) {
    auto parsed = session.parse(text, "input.mlir");
    if (!parsed) {
      ADD_FAILURE() << toString(parsed.takeError());
      return "";
    }
    module = std::move(*parsed);
    return PrintedModule(*module).text();
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace

TEST_F(Blobs, ElidesDenseDataWithSizeAndChecksum) {
  std::string hex = hexFloats(256);
  std::string text = print("func.func @f() -> tensor<256xf32> {\n"
                           "  %0 = arith.constant dense<\"0x" +
                           hex +
                           "\"> : tensor<256xf32>\n"
                           "  %1 = arith.constant dense<0.5> : tensor<4096xf32>\n"
                           "  %2 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>\n"
                           "  return %0 : tensor<256xf32>\n}\n");
  std::string bytes = llvm::fromHex(hex);
  std::string sum = llvm::utohexstr(llvm::xxh3_64bits(bytes), true, 16);
  EXPECT_NE(text.find("= arith.constant dense_resource<__elided__> : tensor<256xf32>  // 1.0 KiB, xxh3 " + sum + "\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("dense<5.000000e-01> : tensor<4096xf32>\n"), std::string::npos) << text;
  EXPECT_NE(text.find("dense<[1, 2, 3]> : tensor<3xi32>\n"), std::string::npos) << text;
}

TEST_F(Blobs, ElidedTextReadsBack) {
  std::string first = print("func.func @f() -> (tensor<32xf32>, tensor<64xf32>) {\n"
                            "  %0 = arith.constant dense<\"0x" +
                            hexFloats(32) +
                            "\"> : tensor<32xf32>\n"
                            "  %1 = arith.constant dense_resource<w> : tensor<64xf32>\n"
                            "  return %0, %1 : tensor<32xf32>, tensor<64xf32>\n}\n"
                            "{-# dialect_resources: {builtin: {w: \"0x04000000" +
                            hexFloats(64) + "\"}} #-}\n");
  EXPECT_EQ(first.find("dialect_resources"), std::string::npos) << first;
  EXPECT_NE(first.find("dense_resource<w> : tensor<64xf32>  // 256 B, xxh3 "), std::string::npos) << first;
  Session fresh(allDialects());
  auto again = fresh.parse(first, "again.mlir");
  ASSERT_TRUE(static_cast<bool>(again)) << toString(again.takeError());
  std::string second = PrintedModule(**again).text();
  EXPECT_NE(second.find("dense_resource<__elided__> : tensor<32xf32>  // no data in the file"), std::string::npos)
      << second;
}

TEST_F(Blobs, TellsSeveralOnOneOpApart) {
  std::string a = hexFloats(32), b = hexFloats(64);
  std::string text = print("\"test.op\"() {first = dense<\"0x" + b + "\"> : tensor<64xf32>, second = dense<\"0x" + a +
                           "\"> : tensor<32xf32>} : () -> ()\n");
  EXPECT_NE(text.find("// 256 B, xxh3 " + llvm::utohexstr(llvm::xxh3_64bits(llvm::fromHex(b)), true, 16) +
                      "; 128 B, xxh3 " + llvm::utohexstr(llvm::xxh3_64bits(llvm::fromHex(a)), true, 16)),
            std::string::npos)
      << text;
}

TEST_F(Blobs, KeepsTextThatUsersRead) {
  std::string assembly;
  while (assembly.size() < 5000)
    assembly += "\\09mov.u32 \\09%r1, %ctaid.x;\\0A";
  EXPECT_NE(print("\"test.op\"() {a = \"" + assembly + "\"} : () -> ()\n").find(assembly), std::string::npos);
}

TEST_F(Blobs, CutsLongLiteralsAndKeepsLines) {
  std::string long1, hex = hexFloats(1024); // bytes, as MLIR escapes them
  while (long1.size() < 5000)
    long1 += "\\01";
  std::string text = print("\"test.op\"() {a = \"" + long1 +
                           "\", b = \"short \\22quoted\\22\"} : () -> ()\n"
                           "\"test.next\"() : () -> ()\n");
  EXPECT_NE(text.find("a = \"<elided>\", b = \"short \\22quoted\\22\""), std::string::npos) << text;
  EXPECT_NE(text.find("// 4.9 KiB, xxh3 "), std::string::npos) << text;
  EXPECT_LT(text.size(), 300u);
  std::string direct;
  ElidingStream os(direct);
  os << "x dense<\"0x" << hex << "\"> : t \\ \"a\\\"b\"";
  std::vector<ElidingStream::Elision> elided = os.take();
  EXPECT_EQ(direct, "x dense_resource<__elided__> : t \\ \"a\\\"b\"");
  ASSERT_EQ(elided.size(), 1u);
  EXPECT_EQ(elided[0].offset, 2u);
  EXPECT_EQ(elided[0].description, "4.0 KiB, xxh3 " + llvm::utohexstr(llvm::xxh3_64bits(llvm::fromHex(hex)), true, 16));
}

TEST_F(Blobs, LinesOfOpsStayRight) {
  print("func.func @f() {\n  %0 = arith.constant dense<\"0x" + hexFloats(32) +
        "\"> : tensor<32xf32>\n"
        "  %1 = arith.constant 1 : i32\n  return\n}\n");
  PrintedModule printed(*module);
  EXPECT_EQ(printed.elidedCount(), 1u);
  EXPECT_TRUE(printed.line(printed.linesOf(3).first).contains("1 : i32"));
  EXPECT_TRUE(printed.line(printed.linesOf(2).first).contains("xxh3"));
}

TEST_F(Blobs, MissingResourcesAreWarnings) {
  print("func.func @f() -> tensor<4xf32> {\n"
        "  %0 = arith.constant dense_resource<gone> : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n");
  std::vector<Diagnostic> missing = findMissingBlobs(*module);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].severity, Diagnostic::Severity::Warning);
  EXPECT_EQ(missing[0].line, 2u);
  EXPECT_NE(missing[0].message.find("dense_resource<gone>"), std::string::npos);
}

TEST_F(Blobs, AttributesAloneAreElidedToo) {
  print("\"test.op\"() {all = [dense<\"0x" + hexFloats(64) + "\"> : tensor<64xf32>, 1 : i32]} : () -> ()\n");
  std::string text = printElided(module->getBody()->front().getAttr("all"));
  EXPECT_TRUE(
      llvm::StringRef(text).starts_with("[dense_resource<__elided__> : tensor<64xf32>, 1 : i32]  // 256 B, xxh3 "))
      << text;
}

TEST_F(Blobs, PrintingLeavesResourcesAsTheyAre) {
  std::string text =
      print("func.func @f() {\n"
            "  %0 = \"foo.bar\"() {a = dense_resource<large> : tensor<256xf32>, b = dense_resource<small> : "
            "tensor<2xi8>} : () -> i32\n  return\n}\n"
            "{-#\n  dialect_resources: {\n    builtin: {\n      large: \"0x04000000" +
            hexFloats(256) + "\",\n      small: \"0x010000000102\"\n    }\n  }\n#-}\n");
  EXPECT_NE(text.find("small: \"0x010000000102\""), std::string::npos) << text;
  EXPECT_EQ(text.find("large: \""), std::string::npos) << text;
  EXPECT_NE(text.find("1.0 KiB, xxh3 "), std::string::npos) << text;
  std::string whole;
  llvm::raw_string_ostream os(whole);
  module->print(os);
  EXPECT_NE(whole.find("large: \"0x04000000" + hexFloats(256) + "\""), std::string::npos) << whole;
}
