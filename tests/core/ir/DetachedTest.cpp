// Large files, whose long hex literals are read apart from the text: the module is the one that the whole text gives.
#include "core/blobs/BlobReader.h"
#include "core/blobs/Xxh3Stream.h"
#include "core/ir/Session.h"
#include "core/ir/module/PrintedModule.h"
#include "core/ir/source/SourceText.h"
#include "core/registration/Registration.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"
#include <fstream>
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

constexpr BlobLimits kSmall{.leastFile = 1, .leastLiteral = 64};

std::string randomBytes(size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string bytes;
  for (size_t i = 0; i < count; ++i)
    bytes += static_cast<char>(random());
  return bytes;
}

/// As in text: quoted, with 0x.
std::string hex(llvm::StringRef bytes) { return "\"0x" + llvm::toHex(bytes) + "\""; }

std::string dense(size_t bytes, unsigned seed = 1) { return "dense<" + hex(randomBytes(bytes, seed)) + ">"; }

struct Detached : ::testing::Test {
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("detached", "mlir", path)); }
  void TearDown() override { llvm::sys::fs::remove(path); }

  void write(llvm::StringRef text) { std::ofstream(path.c_str(), std::ios::binary) << text.str(); }

  /// Opens the text detached, in which `literals` have to be found. `isMapped` tells whether data in the module is that
  /// of the scratch file.
  mlir::OwningOpRef<mlir::ModuleOp> open(llvm::StringRef text, size_t literals) {
    write(text);
    auto file = loadDetached(path, kSmall);
    if (!file) {
      ADD_FAILURE() << toString(file.takeError());
      return {};
    }
    EXPECT_EQ(file->blobs ? file->blobs->literals().size() : 0, literals);
    EXPECT_EQ(file->end, text.size());
    auto read = session.read(*file);
    if (!read) {
      ADD_FAILURE() << toString(read.takeError());
      return {};
    }
    diagnostics = std::move(read->diagnostics);
    isMapped = file->blobs && hasDataOf(*file->blobs, *read->module);
    return std::move(read->module);
  }

  static bool hasDataOf(const TextBlobs &blobs, mlir::ModuleOp module) {
    bool isFound = false;
    auto look = [&](llvm::ArrayRef<char> data) {
      for (const TextBlob &literal : blobs.literals())
        isFound |= blobs.bytesOf(literal).data() == data.data();
    };
    auto walk = [&](mlir::Attribute attributes) {
      attributes.walk([&](mlir::DenseElementsAttr elements) { look(elements.getRawData()); });
      attributes.walk([&](mlir::DenseResourceElementsAttr resource) {
        if (auto *blob = resource.getRawHandle().getBlob())
          look(blob->getData());
      });
    };
    module->walk([&](mlir::Operation *op) {
      walk(op->getAttrDictionary());
      if (mlir::Attribute properties = op->isRegistered() ? mlir::Attribute() : op->getPropertiesAsAttribute())
        walk(properties);
    });
    return isFound;
  }

  /// Opens the text in both ways, each in a context of its own, and compares everything that can be printed.
  void expectSame(llvm::StringRef text, size_t literals, bool mapped = true) {
    auto module = open(text, literals);
    ASSERT_TRUE(module);
    EXPECT_EQ(isMapped, mapped);
    Session other(allDialects());
    auto whole = other.readText(text, path);
    ASSERT_TRUE(bool(whole)) << toString(whole.takeError());
    EXPECT_EQ(printed(*module), printed(*whole->module));
    EXPECT_EQ(PrintedModule(*module).text(), PrintedModule(*whole->module).text());
    EXPECT_EQ(formatted(diagnostics), formatted(whole->diagnostics));
    EXPECT_EQ(bytecode(*module), bytecode(*whole->module));
  }

  static std::string printed(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
    return text;
  }
  static std::string bytecode(mlir::ModuleOp module) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    EXPECT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(module, os)));
    return bytes;
  }
  static std::string formatted(llvm::ArrayRef<Diagnostic> diagnostics) {
    std::string text;
    for (const Diagnostic &diagnostic : diagnostics)
      text += formatDiagnostic(diagnostic) + "\n";
    return text;
  }

  llvm::SmallString<128> path;
  Session session{allDialects()};
  std::vector<Diagnostic> diagnostics;
  bool isMapped = false;
};

} // namespace

TEST(Xxh3Stream, IsXxh3OfAllPieces) {
  std::mt19937 random(7);
  for (size_t size : {0, 1, 16, 17, 128, 240, 241, 1023, 1024, 1025, 1088, 1089, 2047, 2048, 2049, 5000, 100000}) {
    std::string bytes = randomBytes(size, size + 1);
    Xxh3Stream stream;
    for (size_t at = 0; at < size;) {
      size_t taken = std::min<size_t>(size - at, random() % 1500);
      stream.update(llvm::ArrayRef(bytes.data() + at, taken));
      at += taken;
    }
    EXPECT_EQ(stream.digest(), llvm::xxh3_64bits(bytes)) << size;
  }
}

TEST_F(Detached, ElementsOfAllTypes) {
  std::string text = "func.func @f() {\n";
  size_t number = 0;
  for (auto [type, bytes] : {std::pair("100xf32", 400),
                             {"100xi8", 100},
                             {"50xf64", 400},
                             {"40xindex", 320},
                             {"30xcomplex<f32>", 240},
                             {"70xbf16", 140},
                             {"10x10xi16", 200},
                             {"100xf8E4M3FN", 100}}) {
    ++number;
    text += "  %c" + std::to_string(number) + " = arith.constant " + dense(bytes, number) + " : tensor<" + type + ">\n";
  }
  text += "  %v = arith.constant " + dense(256) + " : vector<64xi32>\n  return\n}\n";
  expectSame(text, number + 1);
}

TEST_F(Detached, SplatsAndBooleans) {
  std::string ones = hex(std::string(100, '\1'));
  expectSame("func.func @f() {\n  %0 = arith.constant dense<" + hex(std::string(400, '\x3f')) +
                 "> : tensor<100xf32>\n  %1 = arith.constant dense<" + ones + "> : tensor<100xi8>\n  return\n}\n",
             2, /*mapped=*/false);
  // As many bytes as this MLIR wants of i1, packed or not.
  auto booleans = mlir::RankedTensorType::get({800}, mlir::IntegerType::get(&session.context(), 1));
  std::string packed = randomBytes(100), whole(800, '\1');
  bool isSplat = false, isPacked = mlir::DenseElementsAttr::isValidRawBuffer(booleans, packed, isSplat);
  for (const std::string &bytes : {packed, whole})
    if ((bytes == packed) == isPacked)
      expectSame("func.func @f() {\n  %0 = \"foo.bar\"() {x = dense<" + hex(bytes) +
                     "> : tensor<800xi1>} : () -> i32\n  return\n}\n",
                 1, /*mapped=*/false);
}

TEST_F(Detached, EqualDataIsOneAttribute) {
  std::string body = dense(400, 1) + " : tensor<100xf32>";
  auto module = open("func.func @f() {\n  %0 = arith.constant " + body + "\n  %1 = arith.constant " + body +
                         "\n  %2 = arith.constant " + dense(400, 2) + " : tensor<100xf32>\n  return\n}\n",
                     3);
  ASSERT_TRUE(module);
  std::vector<mlir::Attribute> values;
  module->walk([&](mlir::arith::ConstantOp op) { values.push_back(op.getValue()); });
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0], values[1]);
  EXPECT_NE(values[0], values[2]);
  // MLIR makes the same attribute of the same bytes.
  auto elements = mlir::cast<mlir::DenseElementsAttr>(values[0]);
  std::string bytes = randomBytes(400, 1);
  EXPECT_EQ(mlir::DenseElementsAttr::getFromRawBuffer(elements.getType(), llvm::ArrayRef(bytes.data(), bytes.size())),
            elements);
}

TEST_F(Detached, DataIsNotCopied) {
  write("func.func @f() {\n  %0 = arith.constant " + dense(400) + " : tensor<100xf32>\n  return\n}\n");
  auto file = loadDetached(path, kSmall);
  ASSERT_TRUE(bool(file) && file->blobs);
  llvm::ArrayRef<char> mapped = file->blobs->bytesOf(file->blobs->literals().front());
  auto read = session.read(*file);
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  read->module->walk([&](mlir::arith::ConstantOp op) {
    EXPECT_EQ(mlir::cast<mlir::DenseElementsAttr>(op.getValue()).getRawData().data(), mapped.data())
        << "DenseElementsAttr of this MLIR has another shape or hash than MappedElements.cpp";
  });
}

TEST_F(Detached, Resources) {
  std::string data = randomBytes(400), aligned = std::string("\x40\0\0\0", 4) + randomBytes(128, 3);
  std::string text = "func.func @f() -> (tensor<100xf32>, tensor<16xf64>) {\n"
                     "  %0 = arith.constant dense_resource<w> : tensor<100xf32>\n"
                     "  %1 = arith.constant dense_resource<\"a b\"> : tensor<16xf64>\n"
                     "  return %0, %1 : tensor<100xf32>, tensor<16xf64>\n}\n"
                     "{-#\n  dialect_resources: {\n    builtin: {\n      w: " +
                     hex(std::string("\4\0\0\0", 4) + data) + ",\n      \"a b\": " + hex(aligned) +
                     "\n    }\n  }\n#-}\n";
  expectSame(text, 2);
}

TEST_F(Detached, DialectsThatNobodyKnows) {
  // Of shorter dictionaries the text is kept as it is written.
  std::string type = "tensor<100xf32>", large = dense(2400, 3) + " : tensor<600xf32>";
  expectSame("func.func @f() -> " + type + " {\n  %0 = stablehlo.constant " + dense(400, 1) + " : " + type +
                 "\n  %1 = \"stablehlo.constant\"() <{value = " + dense(400, 2) + " : " + type + "}> : () -> " + type +
                 "\n  %2 = foo.bar %0 {w = " + large + ", k = 1 : i64} : " + type + "\n  return %2 : " + type + "\n}\n",
             3);
}

TEST_F(Detached, OpsThatAreNotRegistered) {
  expectSame("%0 = \"stablehlo.constant\"() <{value = " + dense(400, 2) +
                 " : tensor<100xf32>}> : () -> tensor<100xf32>\n\"foo.bar\"() {w = [" + dense(400, 3) +
                 " : tensor<100xf32>]} : () -> ()\n",
             2);
}

TEST_F(Detached, SplitText) {
  std::string part = "func.func @f() {\n  %0 = arith.constant ";
  expectSame(part + dense(400, 1) + " : tensor<100xf32>\n  return\n}\n// -----\n" + part + dense(400, 2) +
                 " : tensor<100xf32>\n  return\n}\n",
             2);
}

TEST_F(Detached, ColumnsAfterALiteral) {
  expectSame("func.func @f() {\n  %a = arith.constant " + dense(400) +
                 " : tensor<100xf32> %b = math.exp %a : tensor<100xf32> %n = arith.constant " + dense(256) +
                 " : tensor<64xf32> %c = math.exp %n : tensor<64xf32>\n  return\n}\n",
             2);
  expectSame("func.func @f() {\n  %a = foo.bar " + dense(400, 2) +
                 " : tensor<100xf32>\n  %b = math.exp %b1 : tensor<100xf32>\n  return\n}\n",
             1);
}

TEST_F(Detached, WhereMlirDoesNotReadALiteralTheTextIsReadWhole) {
  std::string data = dense(400);
  for (const std::string &op : {"foo.bar() {a = #foo.attr<" + data + " : tensor<100xf32>>} : () -> ()",
                                "arith.constant " + data + " : tensor<99xf32>", // a gap
                                "// arith.constant " + data + " : tensor<100xf32>",
                                "\"foo.bar\"() {a = " + data + " : tensor<3x!foo.t>} : () -> ()"})
    expectSame("func.func @g() {\n  %0 = arith.constant 1 : i32\n  return\n}\nfunc.func @f() {\n  " + op +
                   "\n  return\n}\n",
               1, /*mapped=*/false);
}

TEST_F(Detached, TextThatIsReadWhole) {
  auto detaches = [&](llvm::StringRef text) {
    write(text);
    return readDetached(path, kSmall).has_value();
  };
  std::string digits(200, 'a');
  EXPECT_TRUE(detaches("dense<\"0x" + digits + "\">"));
  EXPECT_FALSE(detaches("dense<\"0x" + digits + "a\">"));
  EXPECT_FALSE(detaches("dense<\"0x" + digits + "g\">"));
  EXPECT_FALSE(detaches("dense<\"0x" + digits + "\" >"));
  EXPECT_FALSE(detaches("dense<\"0x" + digits));
  EXPECT_FALSE(detaches("= \"0x" + digits + "\""));
  EXPECT_FALSE(detaches("is_dense<\"0x" + digits + "\">"));
  EXPECT_FALSE(detaches("dense<\"0xaaaa\">"));
  EXPECT_FALSE(detaches("k: \"0x03000000" + digits + "\"")); // no alignment
  EXPECT_FALSE(detaches("ML\xefR dense<\"0x" + digits + "\">"));
  write("dense<\"0x" + digits + "\">");
  EXPECT_FALSE(readDetached(path));
  EXPECT_FALSE(readDetached("/dev/null", kSmall));
}

TEST_F(Detached, LongerThanTheWindow) {
  std::string bytes = randomBytes((3 << 20) + 4);
  std::string text = "x = dense<" + hex(bytes) + ">\n\"y\" dense<" + hex(bytes) + "> z";
  write(text);
  auto detached = readDetached(path, kSmall);
  ASSERT_TRUE(detached);
  EXPECT_EQ(detached->text, "x = #fuselage.blob<0>\n\"y\" #fuselage.blob<1> z");
  for (const TextBlob &literal : detached->blobs->literals()) {
    llvm::ArrayRef<char> data = detached->blobs->bytesOf(literal);
    EXPECT_TRUE(llvm::StringRef(data.data(), data.size()) == bytes);
    EXPECT_EQ(literal.checksum, llvm::xxh3_64bits(bytes));
  }
  const TextBlob &second = detached->blobs->literals().back();
  EXPECT_EQ(detached->blobs->columnInFile(2, detached->text.size() - detached->text.find('\n')),
            text.size() - text.find('\n'));
  EXPECT_EQ(second.line, 2u);
  EXPECT_EQ(second.column, 5u);
}

TEST_F(Detached, AFileThatChangesIsOfNoConcern) {
  std::string text = "func.func @f() {\n  %0 = arith.constant " + dense(40000) + " : tensor<10000xf32>\n  return\n}\n";
  auto module = open(text, 1);
  ASSERT_TRUE(module);
  ASSERT_EQ(truncate(path.c_str(), 10), 0);
  EXPECT_NE(printed(*module).find(llvm::toHex(randomBytes(40000))), std::string::npos);
}

TEST_F(Detached, WithoutRoomTheTextIsReadWhole) {
  const char *before = std::getenv("TMPDIR");
  std::string old = before ? before : "";
  setenv("TMPDIR", "/nowhere", 1);
  open("func.func @f() {\n  %0 = arith.constant " + dense(400) + " : tensor<100xf32>\n  return\n}\n", 0);
  before ? setenv("TMPDIR", old.c_str(), 1) : unsetenv("TMPDIR");
}
